/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what depends on what in the client, in the core and in the embedded server.
 */
class ArchitectureTests {

	/**
	 * The client, the API, and then the path of the data.
	 */
	private static final List<String> ORDER = List.of("dev.informer.support", "dev.informer.client",
			"dev.informer.client.model", "dev.informer.client.type", "dev.informer.client.json",
			"dev.informer.client.protobuf", "dev.informer.client.connection", "dev.informer", "dev.informer.work",
			"dev.informer.cache", "dev.informer.reflector", "dev.informer.processor", "dev.informer.controller",
			"dev.informer.official");

	/**
	 * Types of the API of the embedded server that its inner packages use. They use none
	 * of the others, which start and steer it.
	 */
	private static final Set<String> VALUES_OF_EMBEDDED_SERVER = Set.of("KubernetesStatusException", "ProtobufEncoder",
			"ReceivedRequest", "ResourceDefinition", "Verb");

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("-tests.jar"))
		.importPackages("dev.informer");

	static List<String> packages() {
		return ORDER;
	}

	@Test
	void everyPackage_isInTheOrder() {
		assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
			.filteredOn((name) -> !name.startsWith("dev.informer.test"))
			.containsExactlyInAnyOrderElementsOf(ORDER);
	}

	@ParameterizedTest
	@MethodSource("packages")
	void package_doesNotDependOnLaterPackages(String name) {
		List<String> later = ORDER.subList(ORDER.indexOf(name) + 1, ORDER.size());
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage(name)
			// its create() instantiates the default implementation
			.and()
			.doNotBelongToAnyOf(InformerFactory.class)
			.should()
			.dependOnClassesThat(DescribedPredicate.describe("are in a later package",
					(used) -> later.contains(used.getPackageName())))
			.check(CLASSES);
	}

	@Test
	void embeddedServer_hasNoCycles() {
		SlicesRuleDefinition.slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass type) {
				String name = type.getPackageName();
				if (name.equals("dev.informer.test")) {
					String api = type.getName().substring(name.length() + 1).replaceAll("\\$.*", "");
					return SliceIdentifier.of(name, VALUES_OF_EMBEDDED_SERVER.contains(api) ? "values" : "server");
				}
				return name.startsWith("dev.informer.test.") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
			}

			@Override
			public String getDescription() {
				return "packages of the embedded server";
			}

		}).should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void controller_hasNoCycles() {
		String prefix = "dev.informer.controller.";
		SlicesRuleDefinition.slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass type) {
				return type.getName().startsWith(prefix)
						? SliceIdentifier.of(type.getName().substring(prefix.length()).replaceAll("\\$.*", ""))
						: SliceIdentifier.ignore();
			}

			@Override
			public String getDescription() {
				return "classes of the controller, with those that are nested";
			}

		}).should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void everyPackage_isNullMarked() {
		assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct()).allSatisfy(
				(javaPackage) -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class)).as(javaPackage.getName())
					.isTrue());
	}

	@Test
	void core_hasNoNameOfReplicas() {
		Pattern words = Pattern.compile("shard|slot|lease(?!d)|leader", Pattern.CASE_INSENSITIVE);
		assertThat(CLASSES.stream()
			.filter((type) -> !type.getPackageName().startsWith("dev.informer.client")
					&& !type.getPackageName().equals("dev.informer.support"))
			.flatMap((type) -> Stream.concat(Stream.of(type.getSimpleName()),
					type.getFields().stream().map(JavaField::getName))))
			.isNotEmpty()
			.noneMatch((name) -> words.matcher(name).find());
	}

	@Test
	void core_doesNotUseSpringOrMicrometer() {
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage("dev.informer..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..", "io.micrometer..")
			.check(CLASSES);
	}

	@Test
	void officialInformers_areUsedByTheirViewsOnly() {
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage("dev.informer..")
			.and()
			.resideOutsideOfPackage("dev.informer.official")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.kubernetes.client.informer..")
			.check(CLASSES);
	}

}

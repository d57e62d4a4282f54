/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for the coupling of the classes of client and core, and for the size of their
 * packages and of those of the embedded server. The exceptions are exact: one that is no
 * longer needed is removed, and none is added.
 */
class CouplingTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("-tests.jar") && !location.contains("informer-test"))
		.importPackages("dev.informer");

	private static final JavaClasses EMBEDDED_SERVER = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("informer-test-support")
				&& !location.contains("informer-test-cluster"))
		.importPackages("dev.informer.test");

	@Test
	void constructor_hasAtMostSixParameters() {
		assertThat(names((type) -> type.getConstructors()
			.stream()
			.anyMatch((constructor) -> constructor.getRawParameterTypes().size() > 6)))
			.containsExactlyInAnyOrder("AttemptOutcome$Progress", "DeliveryDiagnosis", "Delta$ReplacedAll",
					"FailureClassification", "HandlerOptions", "HandlerSnapshot", "HandlerSnapshot$InQueue",
					"InformerOptions", "PendingDelivery", "Server");
	}

	@Test
	void class_hasAtMostEightFieldsOfItsPackage() {
		assertThat(names((type) -> type.getFields()
			.stream()
			.filter((field) -> !field.getModifiers().contains(JavaModifier.STATIC))
			.filter((field) -> field.getRawType().getPackageName().equals(type.getPackageName()))
			.filter((field) -> !field.getRawType().isEnum() && !field.getRawType().isRecord())
			.count() > 8)).isEmpty();
	}

	@Test
	void package_hasAtMostTwentyTypes() {
		assertThat(Stream.concat(CLASSES.stream(), EMBEDDED_SERVER.stream())
			.filter((type) -> !type.getEnclosingClass().isPresent() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()))
			.entrySet()).filteredOn((entry) -> entry.getValue() > 20)
			.containsExactlyInAnyOrder(entry("dev.informer", 35L), entry("dev.informer.client", 36L),
					entry("dev.informer.client.connection", 21L), entry("dev.informer.client.json", 27L));
	}

	private static Stream<String> names(Predicate<JavaClass> condition) {
		return CLASSES.stream()
			.filter(condition)
			.map((type) -> type.getName().substring(type.getPackageName().length() + 1));
	}

}

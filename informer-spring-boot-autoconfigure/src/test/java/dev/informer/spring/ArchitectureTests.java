/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the structure of this module.
 */
@AnalyzeClasses(packages = "dev.informer.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule packages_haveNoCycles = slices().matching("dev.informer.spring.(**)")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule packages_dependOnLowerLayersOnly = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("api")
		.definedBy("dev.informer.spring")
		.layer("config")
		.definedBy("dev.informer.spring.config")
		.layer("observation")
		.definedBy("dev.informer.spring.observation")
		.layer("autoconfigure")
		.definedBy("dev.informer.spring.boot.autoconfigure..")
		.whereLayer("autoconfigure")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("observation")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("config")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("api")
		.mayNotAccessAnyLayer();

	@ArchTest
	static final ArchRule theInside_ofTheCoreIsNotTouched = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("dev.informer.client.json..", "dev.informer.client.model..",
				"dev.informer.client.protobuf..", "dev.informer.reflector..", "dev.informer.cache..",
				"dev.informer.processor..", "dev.informer.controller..");

	@ArchTest
	static final ArchRule theInformers_ofTheOfficialClientAreNotUsed = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("io.kubernetes.client.informer..");

	@ArchTest
	static final ArchRule actuatorAndMicrometer_areUsedInTheirPackagesOnly = noClasses().that()
		.resideOutsideOfPackages("dev.informer.spring.boot.autoconfigure.endpoint",
				"dev.informer.spring.boot.autoconfigure.health", "dev.informer.spring.boot.autoconfigure.metrics",
				"dev.informer.spring.boot.autoconfigure.observation", "dev.informer.spring.observation")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.micrometer..", "org.springframework.boot.health..",
				"org.springframework.boot.actuate..", "org.springframework.boot.micrometer..");

	@ArchTest
	static final ArchRule autoConfigurations_arePublicFinalNamedSoAndWithoutPublicMembers = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL)
		.andShould()
		.haveSimpleNameEndingWith("AutoConfiguration")
		.andShould(haveNoPublicMethods());

	@ArchTest
	static final ArchRule autoConfigurations_areListed = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should(beListed());

	@ArchTest
	static final ArchRule beanMethods_haveNoConditionOnClass = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.notBeAnnotatedWith(ConditionalOnClass.class)
		.andShould()
		.notBePrivate();

	@ArchTest
	static final ArchRule beanPostProcessors_areStatic = methods().that()
		.areAnnotatedWith(Bean.class)
		.and()
		.haveRawReturnType(DescribedPredicate.describe("post processors",
				(type) -> type.isAssignableTo(BeanPostProcessor.class)
						|| type.isAssignableTo(BeanFactoryPostProcessor.class)))
		.should()
		.beStatic()
		.andShould(takeTheEnvironmentOnly());

	@ArchTest
	static final ArchRule failureAnalyzers_arePackagePrivate = classes().that()
		.haveSimpleNameEndingWith("FailureAnalyzer")
		.should()
		.bePackagePrivate();

	@Test
	void everyProperty_isDescribed() throws IOException {
		JsonNode metadata = JsonMapper.builder()
			.build()
			.readTree(new ClassPathResource("META-INF/spring-configuration-metadata.json")
				.getContentAsString(StandardCharsets.UTF_8));
		assertThat(metadata.path("properties")).isNotEmpty().allSatisfy((property) -> {
			assertThat(property.path("description").asString("")).as(property.path("name").asString())
				.isNotEmpty()
				.endsWith(".")
				.doesNotStartWith("The ")
				.doesNotStartWith("A ");
			if (property.path("type").asString("").equals("java.lang.Boolean")) {
				assertThat(property.path("description").asString("")).matches("^(Whether|Enable).*");
			}
		});
	}

	private static ArchCondition<JavaClass> haveNoPublicMethods() {
		return new ArchCondition<>("have no public methods") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				type.getMethods()
					.forEach((method) -> events.add(new SimpleConditionEvent(method,
							!method.getModifiers().contains(JavaModifier.PUBLIC), method.getFullName())));
			}

		};
	}

	private static ArchCondition<JavaClass> beListed() {
		Set<String> listed = new HashSet<>(
				ImportCandidates.load(AutoConfiguration.class, ArchitectureTests.class.getClassLoader())
					.getCandidates());
		return new ArchCondition<>("be listed in the imports file") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				events.add(new SimpleConditionEvent(type, listed.contains(type.getName()),
						type.getName() + " in the imports file"));
			}

		};
	}

	private static ArchCondition<JavaMethod> takeTheEnvironmentOnly() {
		return new ArchCondition<>("take the Environment only") {

			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				List<String> parameters = method.getRawParameterTypes().stream().map(JavaClass::getName).toList();
				boolean fine = List.of(Environment.class.getName()).containsAll(parameters);
				events.add(new SimpleConditionEvent(method, fine, method.getFullName() + " takes " + parameters));
			}

		};
	}

}

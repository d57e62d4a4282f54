/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for the design of all products and of the embedded API server. A nested class
 * counts as a class. The exceptions are exact: one that is no longer needed is removed,
 * and none is added.
 */
class DesignTests {

	private static final int MAX_FIELDS = 12;

	private static final int MAX_FIELDS_OF_THE_PACKAGE = 8;

	private static final int MAX_PARAMETERS = 6;

	private static final int MAX_TYPES = 20;

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("-tests.jar"))
		.withImportOption((location) -> !location.contains("informer-test-support")
				&& !location.contains("informer-test-cluster"))
		.importPackages("dev.informer");

	@Test
	void field_isPrivate() {
		assertThat(
				names((type) -> fields(type).anyMatch((field) -> !field.getModifiers().contains(JavaModifier.PRIVATE))))
			.as("final fields")
			.containsExactlyInAnyOrder("KeyQueue$Entry", "LeaseProtocol", "RemovableMeters");
	}

	@Test
	void class_hasAtMostTwelveFields() {
		assertThat(names((type) -> !type.isRecord() && fields(type).count() > MAX_FIELDS)).containsExactlyInAnyOrder(
				"DefaultEventRecorder", "DefaultReconcilerRegistration", "DefaultSharedIndexInformer", "EventSeries",
				"HandlerQueue", "InformerOptions$Builder", "KeyQueue", "KeyQueue$Entry", "LeaseClient", "LeaseRun",
				"ListSession", "Membership", "OwnWrite", "PagedList", "ProcessorListener", "ReconcilerOptions$Builder",
				"Reconciliation$Call", "Reflector", "ReflectorControl", "ReflectorStatus", "ResponseInputStream",
				"ServerCall", "SharedProcessor", "WorkerThreads");
	}

	@Test
	void class_hasAtMostEightFieldsOfItsPackage() {
		assertThat(names((type) -> fields(type)
			.filter((field) -> field.getRawType().getPackageName().equals(type.getPackageName()))
			.filter((field) -> !field.getRawType().isEnum() && !field.getRawType().isRecord())
			.count() > MAX_FIELDS_OF_THE_PACKAGE)).containsExactly("DefaultReconcilerRegistration");
	}

	@Test
	void constructor_hasAtMostSixParameters() {
		assertThat(names((type) -> !type.isRecord() && type.getConstructors()
			.stream()
			.anyMatch((constructor) -> constructor.getRawParameterTypes().size() > MAX_PARAMETERS)))
			.containsExactly("ReconcilerDiagnostics");
	}

	@Test
	void accessor_returnsNoCollaborator() {
		assertThat(CLASSES.stream()
			.flatMap((type) -> type.getMethods().stream())
			.filter(DesignTests::returnsCollaborator)
			.map((method) -> method.getOwner().getSimpleName() + "." + method.getName())).containsExactlyInAnyOrder(
					"JsonWireFormat.objects", "Properties.start", "ResourceStore.changes", "TokenReader.body");
	}

	/**
	 * Return whether a method returns a field of a class that can be changed and that
	 * users do not see.
	 */
	private static boolean returnsCollaborator(JavaMethod method) {
		JavaClass type = method.getRawReturnType();
		return !method.getOwner().isRecord() && method.getRawParameterTypes().isEmpty()
				&& type.getPackageName().startsWith("dev.informer")
				&& !type.getModifiers().contains(JavaModifier.PUBLIC) && isMutable(type) && fields(method.getOwner())
					.anyMatch((field) -> field.getName().equals(method.getName()) && field.getRawType().equals(type));
	}

	private static boolean isMutable(JavaClass type) {
		return type.getMethods()
			.stream()
			.anyMatch((method) -> method.getRawReturnType().isEquivalentTo(void.class)
					&& !method.getModifiers().contains(JavaModifier.PRIVATE));
	}

	@Test
	void thread_isCreatedByTheFactoryOfInformers() {
		assertThat(names((type) -> type.getConstructorCallsFromSelf()
			.stream()
			.anyMatch((call) -> call.getTargetOwner().isAssignableTo(Thread.class)))).as("all threads")
			.containsExactlyInAnyOrder("ExecPlugin$Output", "InformerEventPublisher", "InformerFactorySettings",
					"InformerLifecycle", "InformerReplicasAutoConfiguration", "InformerStartup", "KubernetesConnection",
					"ReloadingSockets", "RenewableCredentials", "Workload");
	}

	@Test
	void package_hasAtMostTwentyTypes() {
		assertThat(CLASSES.stream()
			.filter((type) -> type.getEnclosingClass().isEmpty() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()))
			.entrySet()).filteredOn((types) -> types.getValue() > MAX_TYPES)
			.containsExactlyInAnyOrder(entry("dev.informer", 35L), entry("dev.informer.client", 36L),
					entry("dev.informer.client.connection", 21L), entry("dev.informer.client.json", 27L),
					entry("dev.informer.reconcilers", 34L), entry("dev.informer.spring", 26L),
					entry("dev.informer.spring.config", 32L));
	}

	private static Stream<JavaField> fields(JavaClass type) {
		return type.getFields()
			.stream()
			.filter((field) -> !field.getModifiers().contains(JavaModifier.STATIC)
					&& !field.getModifiers().contains(JavaModifier.SYNTHETIC));
	}

	private static Stream<String> names(Predicate<JavaClass> condition) {
		return CLASSES.stream()
			.filter(condition)
			.map((type) -> type.getName().substring(type.getPackageName().length() + 1));
	}

}

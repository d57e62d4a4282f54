/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that packages depend on those below them, and that only
 * {@link dev.informer.client.type.ValueType} knows the types of users' values.
 */
class ArchitectureTests {

	private static final String TYPES = "dev.informer.client.type";

	private static final Set<String> COLLECTIONS = Stream
		.of(Collection.class, List.class, Set.class, Map.class, Queue.class, Record.class, Enum.class, Object[].class)
		.map(Class::getName)
		.collect(Collectors.toSet());

	private static final Set<String> REFLECTION = Set.of("getDeclaredFields", "getFields", "getRecordComponents",
			"isRecord", "isEnum", "getEnumConstants", "getComponentType");

	/**
	 * These read envelopes, documents of the API server and trees that a decoder of this
	 * project has made, join messages of the official models, or are collections.
	 */
	private static final Set<String> OWN_VALUES = Set.of("dev.informer.client.json.JsonListReader",
			"dev.informer.client.json.JsonWatchEventReader", "dev.informer.client.json.StatusReader",
			"dev.informer.client.json.TreeDecoder", "dev.informer.client.protobuf.MessageDecoder",
			"dev.informer.client.protobuf.MessageDecoders", "dev.informer.client.model.CompactList",
			"dev.informer.client.model.CompactMap");

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("-tests.jar"))
		.importPackages("dev.informer");

	private static Stream<JavaClass> others() {
		return CLASSES.stream()
			.filter((type) -> !type.getPackageName().equals(TYPES)
					&& !type.getPackageName().startsWith("dev.informer.test")
					&& !OWN_VALUES.contains(type.getName().replaceAll("\\$.*", "")));
	}

	@Test
	void packages_dependOnLowerOnesOnly() {
		layeredArchitecture().consideringOnlyDependenciesInLayers()
			.layer("writer")
			.definedBy("dev.informer.writer")
			.layer("recorder")
			.definedBy("dev.informer.recorder")
			.layer("reconcilers")
			.definedBy("dev.informer.reconcilers")
			.whereLayer("reconcilers")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("recorder")
			.mayNotBeAccessedByAnyLayer()
			.check(CLASSES);
	}

	@Test
	void classesOfValues_areSwitchedOverInOnePlace() {
		assertThat(others().flatMap((type) -> type.getInstanceofChecks().stream())
			.filter((check) -> COLLECTIONS.contains(check.getRawType().getName()))
			.map(Object::toString)).isEmpty();
	}

	@Test
	void fieldsOfClasses_areReadInOnePlace() {
		assertThat(others().flatMap((type) -> type.getMethodCallsFromSelf().stream())
			.filter((call) -> call.getTargetOwner().isEquivalentTo(Class.class)
					&& REFLECTION.contains(call.getTarget().getName()))
			.map(Object::toString)).isEmpty();
	}

	@Test
	void gson_convertsNoObjectsOfUsersElsewhere() {
		// leases are official models
		assertThat(others().filter((type) -> !type.getPackageName().equals("dev.informer.lease"))
			.flatMap((type) -> type.getMethodCallsFromSelf().stream())
			.filter((call) -> call.getTargetOwner().isEquivalentTo(Gson.class)
					&& Set.of("toJsonTree", "getAdapter").contains(call.getTarget().getName()))
			.map(Object::toString)).isEmpty();
	}

	@Test
	void rules_findWhatTheyForbid() {
		assertThat(CLASSES.stream()
			.filter((type) -> type.getPackageName().equals(TYPES))
			.flatMap((type) -> type.getInstanceofChecks().stream())
			.filter((check) -> COLLECTIONS.contains(check.getRawType().getName()))).isNotEmpty();
	}

}

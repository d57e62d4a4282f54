/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.aot;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.ResourceType;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

class ModelHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	@Test
	void officialModel_isRegisteredWithContainedTypes() {
		register(V1Pod.class);
		assertThat(Stream.of(V1Pod.class, V1ObjectMeta.class, V1ManagedFieldsEntry.class, V1PodStatus.class,
				V1Container.class, V1HTTPGetAction.class))
			.allMatch(this::isDecodable);
		assertThat(isDecodable(V1Node.class)).isFalse();
	}

	@Test
	void everyOfficialModel_canBeRegistered() {
		ModelHints models = new ModelHints(this.hints.reflection());
		ResourceType.official()
			.values()
			.forEach((resource) -> models.register(ResolvableType.forClass(resource.type())));
		assertThat(ResourceType.official().values()).allMatch((resource) -> isDecodable(resource.type()));
		assertThat(this.hints.reflection().typeHints())
			.allSatisfy((hint) -> assertThat(hint.getType().getName()).startsWith("io.kubernetes.client."));
	}

	@Test
	void typesWithGsonAdapters_areRegisteredWithAdapters() {
		register(V1Pod.class);
		assertThat(Stream.of(Quantity.class, IntOrString.class)
			.map((type) -> type.getAnnotation(JsonAdapter.class).value())).allMatch(this::isConstructible);
	}

	@Test
	void customResource_isRegisteredWithoutAccessors() {
		register(Certificate.class);
		assertThat(Stream.of(Certificate.class, Specified.class, Specification.class, Alias.class, Issuer.class,
				Usage.class, Step.class, Tree.class))
			.allMatch(this::isDecodable);
		assertThat(isConstructible(StepAdapter.class)).isTrue();
		assertThat(RuntimeHintsPredicates.reflection().onType(Hidden.class).test(this.hints)).isFalse();
	}

	private void register(Class<?> type) {
		new ModelHints(this.hints.reflection()).register(ResolvableType.forClass(type));
	}

	private boolean isDecodable(Class<?> type) {
		return isConstructible(type) && Stream.of(type.getDeclaredFields())
			.filter((field) -> !Modifier.isStatic(field.getModifiers()))
			.allMatch((field) -> RuntimeHintsPredicates.reflection().onFieldAccess(field).test(this.hints));
	}

	private boolean isConstructible(Class<?> type) {
		return RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
			.test(this.hints);
	}

	static class Specified<S> {

		@Nullable S spec;

	}

	static class Certificate extends Specified<Specification> {

		transient @Nullable Hidden hidden;

	}

	static class Specification {

		@Nullable Map<String, List<Alias>> aliases;

		Issuer @Nullable [] issuers;

		@Nullable Specification parent;

		@Nullable Tree<?> tree;

		@JsonAdapter(StepAdapter.class)
		@Nullable Step step;

	}

	static class Tree<T extends Tree<T>> {

		@Nullable T child;

		@Nullable List<T> children;

	}

	static class Alias {

		@Nullable Usage usage;

	}

	static class Issuer {

	}

	static class Step {

	}

	static class Hidden {

	}

	enum Usage {

		SIGNING

	}

	static class StepAdapter extends TypeAdapter<Step> {

		@Override
		public void write(JsonWriter out, Step value) throws IOException {
			out.nullValue();
		}

		@Override
		public Step read(JsonReader in) throws IOException {
			in.skipValue();
			return new Step();
		}

	}

}

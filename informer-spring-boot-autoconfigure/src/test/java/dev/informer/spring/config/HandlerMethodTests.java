/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.client.CustomResource;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandlerMethod}.
 */
class HandlerMethodTests {

	@Test
	void eventParameter_isInvokedForAllEvents() {
		HandlerMethod method = only(EventHandler.class);
		assertThat(method.type()).isEqualTo(V1Pod.class);
		assertThat(method.on()).containsExactlyInAnyOrder(Type.values());
		ResourceEvent<V1Pod> event = new ResourceEvent.Updated<>(new V1Pod(), new V1Pod());
		assertThat(method.arguments(event)).containsExactly(event);
	}

	@Test
	void eventParameterWithOn_isInvokedForTheseTypes() {
		assertThat(only(SelectedEventHandler.class).on()).containsExactlyInAnyOrder(Type.ADDED, Type.DELETED);
	}

	@Test
	void eventSubtype_isInvokedForItsType() {
		HandlerMethod method = only(DeletedHandler.class);
		assertThat(method.on()).containsExactly(Type.DELETED);
		assertThat(method.type()).isEqualTo(V1Pod.class);
	}

	@Test
	void objectParameter_isInvokedForAddedAndUpdated() {
		HandlerMethod method = only(ObjectHandler.class);
		assertThat(method.on()).containsExactlyInAnyOrder(Type.ADDED, Type.UPDATED);
		V1Pod current = new V1Pod().kind("Pod");
		assertThat(method.arguments(new ResourceEvent.Updated<>(new V1Pod(), current))).containsExactly(current);
	}

	@Test
	void objectParameterOnDeleted_isInvokedForDeletedOnly() {
		assertThat(only(DeletedObjectHandler.class).on()).containsExactly(Type.DELETED);
	}

	@Test
	void previousAndCurrent_isInvokedForUpdated() {
		HandlerMethod method = only(ChangeHandler.class);
		assertThat(method.on()).containsExactly(Type.UPDATED);
		V1Pod previous = new V1Pod();
		V1Pod current = new V1Pod().kind("Pod");
		assertThat(method.arguments(new ResourceEvent.Updated<>(previous, current))).containsExactly(previous, current);
	}

	@Test
	void customResource_isFoundByAnnotation() {
		assertThat(only(TenantHandler.class).type()).isEqualTo(Tenant.class);
	}

	@Test
	void inheritedGenericMethod_isResolvedAgainstClass() {
		assertThat(only(InheritingHandler.class).type()).isEqualTo(V1Node.class);
	}

	@Test
	void metaAnnotation_aliasesAttributes() {
		HandlerMethod method = only(MetaAnnotatedHandler.class);
		assertThat(method.annotation().id()).isEqualTo("audit");
		assertThat(method.annotation().queue()).containsExactly(QueuePolicy.KEEP_ALL);
	}

	@Test
	void classWithoutHandlers_hasNone() {
		assertThat(AnnotatedMethod.findAll(HandlerMethodTests.class)).isEmpty();
	}

	private static HandlerMethod only(Class<?> type) {
		List<HandlerMethod> methods = AnnotatedMethod.findAll(type).stream().map(HandlerMethod.class::cast).toList();
		assertThat(methods).hasSize(1);
		return methods.get(0);
	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static class Tenant implements KubernetesObject {

		@Override
		public @Nullable V1ObjectMeta getMetadata() {
			return null;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Tenant";
		}

	}

	static class EventHandler {

		@InformerHandler
		void handle(ResourceEvent<V1Pod> event) {
		}

	}

	static class SelectedEventHandler {

		@InformerHandler(on = { Type.ADDED, Type.DELETED })
		void handle(ResourceEvent<V1Pod> event) {
		}

	}

	static class DeletedHandler {

		@InformerHandler
		void handle(ResourceEvent.Deleted<V1Pod> event) {
		}

	}

	static class ObjectHandler {

		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

	static class DeletedObjectHandler {

		@InformerHandler(on = Type.DELETED)
		void handle(V1Pod pod) {
		}

	}

	static class ChangeHandler {

		@InformerHandler
		void handle(V1Pod previous, V1Pod current) {
		}

	}

	static class TenantHandler {

		@InformerHandler
		void handle(Tenant tenant) {
		}

	}

	abstract static class GenericHandler<T extends KubernetesObject> {

		@InformerHandler
		void handle(ResourceEvent<T> event) {
		}

	}

	static class InheritingHandler extends GenericHandler<V1Node> {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@InformerHandler(queue = QueuePolicy.KEEP_ALL)
	@interface Audited {

		@AliasFor(annotation = InformerHandler.class)
		String id();

	}

	static class MetaAnnotatedHandler {

		@Audited(id = "audit")
		void handle(V1Pod pod) {
		}

	}

}

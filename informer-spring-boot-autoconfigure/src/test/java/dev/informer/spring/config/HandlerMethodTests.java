/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

import dev.informer.CustomResource;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
		assertThat(HandlerMethod.findAll(HandlerMethodTests.class)).isEmpty();
	}

	@Test
	void invalidMethods_areRejectedWithReason() {
		assertRefused(NoParameter.class, "it has 0 parameters", "void handle(V1Pod pod)");
		assertRefused(ThreeParameters.class, "it has 3 parameters", "void handle(V1Pod pod)");
		assertRefused(NoResource.class, "its parameter java.lang.String is neither an event nor an object",
				"void handle(V1Pod pod)");
		assertRefused(RawEvent.class, "does not determine a resource", "ResourceEvent<V1Pod> event");
		assertRefused(WildcardEvent.class, "does not determine a resource", "ResourceEvent<V1Pod> event");
		assertRefused(AnyObject.class, "does not determine a resource", "void handle(V1Pod pod)");
		assertRefused(TwoTypes.class, "its parameters are of two types", "void handle(V1Pod previous, V1Pod current)");
		assertRefused(Returning.class, "it returns String", "void handle(V1Pod pod)");
		assertRefused(Static.class, "it is static", "neither static nor private");
		assertRefused(Private.class, "it is private", "neither static nor private");
		assertRefused(AsyncMethod.class, "it is @Async", "Remove @Async");
		assertRefused(AsyncClass.class, "it is @Async", "Remove @Async");
		assertRefused(DeletedTogether.class, "could not recognize a deleted object", "ResourceEvent<V1Pod>");
		assertRefused(AddedChange.class, "its attribute 'on' is [ADDED], but its parameters accept only [UPDATED]",
				"Change 'on'");
		assertRefused(TwoPolicies.class, "it names 2 queue policies", "Name one");
		assertRefused(OfficialInformer.class, "io.kubernetes.client.informer.cache.Lister is a type of the official",
				"dev.informer");
	}

	private static void assertRefused(Class<?> type, String found, String action) {
		assertThatExceptionOfType(InvalidHandlerMethodException.class).isThrownBy(() -> HandlerMethod.findAll(type))
			.withMessageContaining("Method 'handle' of class '" + type.getName() + "'")
			.withMessageContaining(found)
			.satisfies((ex) -> assertThat(ex.action()).contains(action));
	}

	private static HandlerMethod only(Class<?> type) {
		List<HandlerMethod> methods = HandlerMethod.findAll(type);
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

	static class NoParameter {

		@InformerHandler
		void handle() {
		}

	}

	static class ThreeParameters {

		@InformerHandler
		void handle(V1Pod one, V1Pod two, V1Pod three) {
		}

	}

	static class NoResource {

		@InformerHandler
		void handle(String name) {
		}

	}

	static class RawEvent {

		@InformerHandler
		@SuppressWarnings("rawtypes")
		void handle(ResourceEvent event) {
		}

	}

	static class WildcardEvent {

		@InformerHandler
		void handle(ResourceEvent<?> event) {
		}

	}

	static class AnyObject {

		@InformerHandler
		void handle(KubernetesObject object) {
		}

	}

	static class TwoTypes {

		@InformerHandler
		void handle(V1Pod previous, V1Node current) {
		}

	}

	static class Returning {

		@InformerHandler
		String handle(V1Pod pod) {
			return "";
		}

	}

	static class Static {

		@InformerHandler
		static void handle(V1Pod pod) {
		}

	}

	static class Private {

		@InformerHandler
		private void handle(V1Pod pod) {
		}

	}

	static class AsyncMethod {

		@Async
		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

	@Async
	static class AsyncClass {

		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

	static class DeletedTogether {

		@InformerHandler(on = { Type.ADDED, Type.DELETED })
		void handle(V1Pod pod) {
		}

	}

	static class AddedChange {

		@InformerHandler(on = Type.ADDED)
		void handle(V1Pod previous, V1Pod current) {
		}

	}

	static class TwoPolicies {

		@InformerHandler(queue = { QueuePolicy.COALESCE, QueuePolicy.KEEP_ALL })
		void handle(V1Pod pod) {
		}

	}

	static class OfficialInformer {

		@InformerHandler
		void handle(io.kubernetes.client.informer.cache.Lister<V1Pod> pods) {
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import kotlin.Metadata;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;

import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for methods that {@link HandlerMethod} rejects.
 */
class HandlerMethodRejectionTests {

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
		assertRefused(Suspending.class, "it is a suspend function", "Remove 'suspend'");
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
		assertThatExceptionOfType(InvalidHandlerMethodException.class).isThrownBy(() -> AnnotatedMethod.findAll(type))
			.withMessageContaining("Method 'handle' of class '" + type.getName() + "'")
			.withMessageContaining(found)
			.satisfies((ex) -> assertThat(ex.action()).contains(action));
	}

	/** As the Kotlin compiler compiles {@code suspend fun handle(pod: V1Pod)}. */
	@Metadata
	static class Suspending {

		@InformerHandler
		Object handle(V1Pod pod, Continuation<? super Unit> continuation) {
			return Unit.INSTANCE;
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

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.SharedIndexInformer;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for objects that a reconciler owns or watches.
 */
class DependentObjectsTests extends AbstractReconcilersTests {

	@Test
	void ownedObject_triggersItsOwners_andWhoWasItsOwner() throws Exception {
		add((primary, context) -> {
			this.calls.add(
					primary.getMetadata().getName() + context.triggers() + context.owned(V1Secret.class).list().size());
			return null;
		}, (options) -> options.owns(this.secrets));
		startSynced();
		V1ConfigMap a = this.writer.create(configMap("a", "1"));
		V1ConfigMap b = this.writer.create(configMap("b", "1"));
		awaitAdvancing(() -> this.calls.size() == 2);
		V1Secret child = this.writer.create(child(), a);
		awaitAdvancing(() -> this.calls.contains("a[OWNED]1"));
		awaitIdle();
		this.calls.clear();
		V1OwnerReference reference = new V1OwnerReference().apiVersion("v1").kind("ConfigMap").name("b");
		this.writer.patch(child, (copy) -> copy.getMetadata()
			.setOwnerReferences(List.of(reference.uid(b.getMetadata().getUid()).controller(true))));
		awaitAdvancing(() -> this.calls.containsAll(List.of("a[OWNED]0", "b[OWNED]1")));
		this.kubernetes.delete("secrets", "shop", child.getMetadata().getName());
		awaitAdvancing(() -> this.calls.contains("b[OWNED]0"));
	}

	@Test
	void watchedObject_triggersThoseThatReferToIt_inAnyOrder() throws Exception {
		this.configMaps.addIndex("secret", (object) -> object.getData().get("secret"));
		add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + context.watched(V1Secret.class)
				.list()
				.stream()
				.map((secret) -> secret.getMetadata().getNamespace() + "/" + secret.getMetadata().getName())
				.toList());
			return null;
		}, (options) -> options.watchesAnyNamespace(this.secrets, "secret"));
		startSynced();
		create(configMap("a", "1", "secret", "s"));
		create(configMap("b", "1", "secret", "default/s"));
		create(configMap("c", "1"));
		awaitAdvancing(() -> this.calls.size() == 3);
		awaitIdle();
		this.calls.clear();
		create(secret("shop", "s"));
		awaitAdvancing(() -> this.calls.contains("a[shop/s]"));
		create(secret("default", "s"));
		awaitAdvancing(() -> this.calls.contains("b[default/s]"));
		awaitIdle();
		assertThat(this.calls).containsExactly("a[shop/s]", "b[default/s]");
	}

	@Test
	void mappingFunction_triggersPrimaries_alsoAfterItHasFailed() throws Exception {
		AtomicBoolean fails = new AtomicBoolean(true);
		add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + context.triggers());
			return null;
		}, (options) -> options.watches(this.secrets, (secret) -> {
			if (fails.getAndSet(false)) {
				throw new IllegalStateException("not yet");
			}
			return List.of("shop/a", "shop/missing");
		}));
		startSynced();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.calls.size() == 1);
		create(secret("default", "s"));
		awaitAdvancing(() -> this.calls.contains("a[WATCHED]"));
		awaitIdle();
		assertThat(this.calls).hasSize(2);
	}

	@Test
	void indexFunctionThatThrows_isNoValue() throws Exception {
		this.configMaps.addIndex("broken", (primary) -> {
			throw new IllegalStateException("for the test");
		});
		add((primary, context) -> {
			this.calls.add("watched " + context.watched(V1Secret.class).list().size());
			return null;
		}, (options) -> options.watches(this.secrets, "broken"));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> !this.calls.isEmpty());
		awaitIdle();
		assertThat(this.calls).containsOnly("watched 0");
	}

	@Test
	void dependentsInNamespaceThatIsNotWatched_areAFailureAndNotEmpty() throws Exception {
		SharedIndexInformer<V1Secret> elsewhere = this.factory.informer(V1Secret.class,
				(options) -> options.name("elsewhere").namespaces("bank"));
		this.configMaps.addIndex("secret", (map) -> map.getData().get("secret"));
		create(configMap("a", "1", "secret", "s"));
		List<String> failures = Collections.synchronizedList(new ArrayList<>());
		add((primary, context) -> {
			for (ThrowingCallable read : List.<ThrowingCallable>of(() -> context.owned(V1Secret.class),
					() -> context.watched(V1Secret.class))) {
				failures.add(catchThrowable(read).getMessage());
			}
			return null;
		}, (options) -> options.owns(elsewhere).watches(elsewhere, "secret"));
		startSynced();
		assertThat(failures).hasSize(2)
			.allSatisfy((message) -> assertThat(message)
				.contains("Cannot read the namespace 'shop' from the cache of informer 'elsewhere'"));
	}

	@Test
	void dependentsInNamespaceThatJoins_areWaitedForWithoutAFailure() throws Exception {
		SharedIndexInformer<V1Secret> selected = this.factory.informer(V1Secret.class,
				(options) -> options.name("selected").namespaceSelector("team=shop"));
		this.kubernetes.mergePatch("namespaces", null, "shop",
				Map.of("metadata", Map.of("labels", Map.of("team", "shop"))));
		this.kubernetes.faults().always(Verb.LIST, "secrets", Fault.status(403));
		create(configMap("a", "1"));
		add((primary, context) -> {
			this.calls.add("secrets: " + context.owned(V1Secret.class).list().size());
			return null;
		}, (options) -> options.owns(selected).retry(SOON));
		this.reconcilers.start();
		awaitAdvancing(() -> this.outcomes.size() > 1);
		this.kubernetes.faults().clear();
		awaitAdvancing(() -> !this.calls.isEmpty());
		assertThat(this.calls).containsOnly("secrets: 0");
		assertThat(this.outcomes).contains(ReconcileCall.Outcome.LATER).doesNotContain(ReconcileCall.Outcome.FAILURE);
	}

}

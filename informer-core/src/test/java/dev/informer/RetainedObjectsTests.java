/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory that an idle informer retains: the last events of its reflector
 * and of its store's thread, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class RetainedObjectsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = InformerFactory
		.create(() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> {
		});

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void replacedAndDeletedObjects_areCollectable_whileAllThreadsAreIdle(boolean streamingList) throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(streamingList);
		informer.addMultiValueIndex("values", (map) -> List.copyOf(map.getData().values()));
		create("a");
		create("b");
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
		WeakReference<V1ConfigMap> listed = cached(informer, "a");
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("key", "2")));
		await().until(() -> informer.lister().indexKeys("values", "2").size() == 1);
		awaitCollected("replaced", listed);
		WeakReference<V1ConfigMap> last = cached(informer, "a");
		this.kubernetes.delete("configmaps", "default", "a");
		await().until(() -> informer.lister().size() == 1);
		awaitCollected("deleted", last);
		WeakReference<V1ConfigMap> missed = cached(informer, "b");
		informer.stop(Duration.ofSeconds(20));
		this.kubernetes.delete("configmaps", "default", "b");
		informer.start();
		await().until(() -> informer.lister().size() == 0);
		awaitCollected("deleted while stopped", missed);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void listedObjects_areReachableFromTheCacheOnly(boolean streamingList) throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(streamingList);
		List<String> names = IntStream.range(0, 20).mapToObj((i) -> "map-" + i).toList();
		names.forEach(this::create);
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
		List<WeakReference<V1ConfigMap>> listed = names.stream().map((name) -> cached(informer, name)).toList();
		names.forEach((name) -> this.kubernetes.mergePatch("configmaps", "default", name,
				Map.of("metadata", Map.of("labels", Map.of("updated", "true")))));
		await().until(() -> informer.lister()
			.list()
			.stream()
			.allMatch((map) -> map.getMetadata().getLabels() != null && map.getMetadata().getLabels().size() == 1));
		awaitCollected("listed", listed.toArray(WeakReference<?>[]::new));
	}

	@ParameterizedTest
	@EnumSource
	void objectsOfAnIdleHandler_areCollectable(QueuePolicy queue) throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(false);
		HandlerRegistration handler = informer.addHandler((event) -> {
		}, (options) -> options.queue(queue));
		create("a");
		this.informers.start();
		assertThat(handler.awaitSynced(Duration.ofSeconds(60))).isTrue();
		WeakReference<V1ConfigMap> listed = cached(informer, "a");
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("key", "2")));
		await().until(() -> cached(informer, "a").get() != listed.get());
		awaitCollected("replaced", listed);
		WeakReference<V1ConfigMap> last = cached(informer, "a");
		this.kubernetes.delete("configmaps", "default", "a");
		await().until(() -> informer.lister().size() == 0);
		awaitCollected("deleted", last);
	}

	@ParameterizedTest
	@EnumSource
	void pendingObjectsOfARemovedHandler_areCollectable(QueuePolicy queue) throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(false);
		HandlerRegistration handler = informer.addHandler((event) -> {
		}, (options) -> options.queue(queue));
		handler.pause();
		create("a");
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
		await().until(() -> handler.pending() == 1);
		WeakReference<V1ConfigMap> pending = cached(informer, "a");
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("key", "2")));
		await().until(() -> cached(informer, "a").get() != pending.get());
		handler.remove();
		awaitCollected("pending", pending);
	}

	private SharedIndexInformer<V1ConfigMap> informer(boolean streamingList) {
		return this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces("default")
					.streamingList(streamingList)
					.mutationDetection(MutationDetection.LOG));
	}

	private void create(String name) {
		this.kubernetes.create(TestObjects.configMap("default", name).data(Map.of("key", "1")));
	}

	private static WeakReference<V1ConfigMap> cached(SharedIndexInformer<V1ConfigMap> informer, String name) {
		return new WeakReference<>(informer.lister().get("default", name).orElseThrow());
	}

	private static void awaitCollected(String objects, WeakReference<?>... references) {
		await().alias(objects).until(() -> {
			System.gc();
			return Stream.of(references).allMatch((reference) -> reference.get() == null);
		});
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory that an idle informer retains: the last events of its reflector
 * and of its store's thread, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class RetainedObjectsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = InformerFactory
		.create(() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> {
		});

	private final SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
			(options) -> options.namespaces("default").mutationDetection(MutationDetection.LOG));

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void replacedAndDeletedObjects_areCollectable_whileAllThreadsAreIdle() throws Exception {
		this.informer.addMultiValueIndex("values", (map) -> List.copyOf(map.getData().values()));
		create("a");
		create("b");
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(20))).isTrue();
		WeakReference<V1ConfigMap> listed = cached("a");
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("key", "2")));
		await().until(() -> this.informer.lister().indexKeys("values", "2").size() == 1);
		awaitCollected("replaced", listed);
		WeakReference<V1ConfigMap> last = cached("a");
		this.kubernetes.delete("configmaps", "default", "a");
		await().until(() -> this.informer.lister().size() == 1);
		awaitCollected("deleted", last);
		WeakReference<V1ConfigMap> missed = cached("b");
		this.informer.stop(Duration.ofSeconds(20));
		this.kubernetes.delete("configmaps", "default", "b");
		this.informer.start();
		await().until(() -> this.informer.lister().size() == 0);
		awaitCollected("deleted while stopped", missed);
	}

	private void create(String name) {
		this.kubernetes.create(TestObjects.configMap("default", name).data(Map.of("key", "1")));
	}

	private WeakReference<V1ConfigMap> cached(String name) {
		return new WeakReference<>(this.informer.lister().get("default", name).orElseThrow());
	}

	private static void awaitCollected(String object, WeakReference<?> reference) {
		await().alias(object).until(() -> {
			System.gc();
			return reference.get() == null;
		});
	}

}

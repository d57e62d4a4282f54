/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.temporal.ChronoUnit;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReconcilerRegistration#awaitIdle}, which returns as soon as it can.
 */
@Timeout(60)
class ReconcilerIdleTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer);

	private final SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class);

	@BeforeEach
	void createNamespace() {
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void reconcilerWithoutObjects_isIdleWhenSynced() throws Exception {
		FutureTask<Boolean> idle = idle(this.reconcilers.add(this.informer, (primary, context) -> null, (options) -> {
		}));
		this.reconcilers.start();
		assertIdle(idle);
	}

	@Test
	void reconcilerWhoseObjectIsDeleted_isIdle() throws Exception {
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		ReconcilerRegistration registration = this.reconcilers.add(this.informer, (primary, context) -> null,
				(options) -> options.paused(true));
		this.reconcilers.start();
		await().until(() -> registration.counts().pending() == 1);
		FutureTask<Boolean> idle = idle(registration);
		this.kubernetes.delete("configmaps", "shop", "a");
		assertIdle(idle);
	}

	@Test
	void reconcilerThatWrites_isIdleWhenCachesHaveIt() throws Exception {
		SharedIndexInformer<V1Pod> pods = this.factory.informer(V1Pod.class);
		pods.start();
		assertThat(pods.awaitSynced(ChronoUnit.FOREVER.getDuration())).isTrue();
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		ReconcilerRegistration registration = this.reconcilers.add(this.informer, (primary, context) -> {
			this.writer.create(TestObjects.pod("shop", "a"));
			return null;
		}, (options) -> {
		});
		FutureTask<Boolean> idle = idle(registration);
		this.reconcilers.start();
		assertIdle(idle);
		assertThat(pods.lister().get("shop", "a")).isPresent();
	}

	private static FutureTask<Boolean> idle(ReconcilerRegistration registration) {
		FutureTask<Boolean> idle = new FutureTask<>(() -> registration.awaitIdle(ChronoUnit.FOREVER.getDuration()));
		Thread thread = new Thread(idle, "idle");
		thread.setDaemon(true);
		thread.start();
		// it waits for a condition of the reconciler, or for a handler
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		return idle;
	}

	private static void assertIdle(FutureTask<Boolean> idle) throws Exception {
		assertThat(idle.get(30, TimeUnit.SECONDS)).isTrue();
	}

}

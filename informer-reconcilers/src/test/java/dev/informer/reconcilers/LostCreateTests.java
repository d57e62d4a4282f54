/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for creates with a generated name whose answer is lost, in virtual time.
 */
class LostCreateTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final AlteredAnswers answers = new AlteredAnswers();

	private final FakeTime time = FakeTime.manual();

	private final InformerFactory factory = InformerFactory.create(
			() -> this.answers.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()),
			(settings) -> settings.time(this.time));

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer);

	private final AtomicInteger creates = new AtomicInteger();

	/** Numbers of the secrets that the calls have seen. */
	private final List<Integer> seen = new CopyOnWriteArrayList<>();

	@BeforeEach
	void loseTheFirstAnswer() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
		this.answers.alter((request) -> request.method().equals("POST"), (chain) -> {
			if (this.creates.getAndIncrement() == 0) {
				throw new IOException("The connection was reset");
			}
			return chain.proceed(chain.request());
		});
		this.reconcilers.add(this.configMaps, (primary, context) -> {
			List<V1Secret> children = context.owned(V1Secret.class).list();
			this.seen.add(children.size());
			if (children.isEmpty()) {
				this.writer.create(child(), primary);
			}
			return null;
		}, (options) -> options.owns(this.secrets));
		this.reconcilers.start();
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		await().until(() -> this.creates.get() == 1);
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void createThatIsCarriedOutLater_isAwaited() throws Exception {
		advance(Duration.ofSeconds(50));
		assertThat(this.seen).containsExactly(0);
		this.writer.create(child(), this.configMaps.lister().get("shop", "a").orElseThrow());
		await().until(() -> {
			this.time.advance(Duration.ofMillis(10));
			return this.seen.size() > 1;
		});
		assertThat(this.seen.subList(1, this.seen.size())).containsOnly(1);
		assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
	}

	@Test
	void createThatTheServerCannotCarryOutAnyMore_isRepeated() {
		advance(Duration.ofSeconds(58));
		assertThat(this.creates).hasValue(1);
		await().until(() -> {
			this.time.advance(Duration.ofMillis(100));
			return this.seen.contains(1);
		});
		assertThat(this.creates).hasValue(2);
		assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
	}

	/**
	 * Let time pass in steps in which threads may act.
	 */
	private void advance(Duration duration) {
		long end = this.time.nanoTime() + duration.toNanos();
		await().pollInterval(Duration.ofMillis(2)).until(() -> {
			this.time.advance(Duration.ofMillis(200));
			return this.time.nanoTime() - end >= 0;
		});
	}

	private static V1Secret child() {
		return new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("shop").generateName("child-"));
	}

}

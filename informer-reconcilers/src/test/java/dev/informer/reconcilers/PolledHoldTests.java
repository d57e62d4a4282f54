/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import dev.informer.testing.NoThreadLeft;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for holds whose objects are polled at an interval that is longer than any of
 * them.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class PolledHoldTests {

	private static final Duration LONG = Duration.ofSeconds(40);

	private static final int KEYS = 50;

	private static final String SUCCESS = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final AlteredAnswers answers = new AlteredAnswers();

	private final InformerFactory factory = InformerFactory
		.create(this.answers.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()));

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class,
			(options) -> options.watch(false).pollInterval(Duration.ofMinutes(15)));

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer);

	/** Numbers of the secrets that the calls have seen, by name of the primary object. */
	private final Map<String, List<Integer>> seen = new ConcurrentHashMap<>();

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void writes_arePolled_byOneListForAllKeys() throws Exception {
		run((primary, children) -> {
			if (children.isEmpty()) {
				this.writer.create(child(), primary);
			}
		});
		await().atMost(LONG).until(() -> isSeenByAll(1));
		assertThat(this.seen.values()).allSatisfy((calls) -> assertThat(calls).startsWith(0).containsOnlyOnce(0));
		assertThat(this.kubernetes.list("secrets", "default")).hasSize(KEYS);
		assertThat(this.kubernetes.requests(Verb.LIST, "secrets").size()).isBetween(2, 4);
	}

	@Test
	void deletionsThatDoNotHappen_endTheirHolds() throws Exception {
		this.answers.pretend("DELETE", "/secrets/", SUCCESS);
		run((primary, children) -> {
			if (children.isEmpty()) {
				this.writer.create(child(), primary);
			}
			else {
				this.writer.delete(children.get(0));
			}
		});
		await().atMost(LONG)
			.until(() -> this.seen.size() == KEYS
					&& this.seen.values().stream().allMatch((calls) -> Collections.frequency(calls, 1) > 1));
		assertThat(this.seen.values()).allSatisfy((calls) -> assertThat(calls).startsWith(0, 1, 1));
		assertThat(this.kubernetes.requests(Verb.LIST, "secrets").size()).isBetween(3, 6);
		this.answers.restore();
	}

	private boolean isSeenByAll(int children) {
		return this.seen.size() == KEYS && this.seen.values().stream().allMatch((calls) -> calls.contains(children));
	}

	private void run(Children method) {
		this.reconcilers.add(this.configMaps, (primary, context) -> {
			List<V1Secret> children = context.owned(V1Secret.class).list();
			this.seen
				.computeIfAbsent(primary.getMetadata().getName(),
						(any) -> Collections.synchronizedList(new ArrayList<>()))
				.add(children.size());
			method.reconcile(primary, children);
			return null;
		}, (options) -> options.owns(this.secrets));
		for (int i = 0; i < KEYS; i++) {
			this.kubernetes.create(new V1ConfigMap().apiVersion("v1")
				.kind("ConfigMap")
				.metadata(new V1ObjectMeta().namespace("default").name("a" + i)));
		}
		this.reconcilers.start();
	}

	private static V1Secret child() {
		return new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("default").generateName("child-"));
	}

	private interface Children {

		void reconcile(V1ConfigMap primary, List<V1Secret> children) throws Exception;

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.informer.Encoding;
import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Config maps in the namespaces {@code shop} and {@code bank} of an embedded API server,
 * and a factory of informers for it.
 */
public final class EmbeddedConfigMaps implements AutoCloseable {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerRecorder recorder = new InformerRecorder();

	private final InformerFactory informers;

	public EmbeddedConfigMaps() {
		this(TimeSource.SYSTEM);
	}

	public EmbeddedConfigMaps(TimeSource time) {
		this(time, Encoding.AUTO);
	}

	public EmbeddedConfigMaps(Encoding encoding) {
		this(TimeSource.SYSTEM, encoding);
	}

	private EmbeddedConfigMaps(TimeSource time, Encoding encoding) {
		List.of("shop", "bank").forEach((namespace) -> this.kubernetes.create(TestObjects.namespace(namespace)));
		this.informers = this.recorder.factory(new ApiClient().setBasePath(this.kubernetes.url()), time,
				(options) -> options.encoding(encoding));
	}

	public EmbeddedKubernetes kubernetes() {
		return this.kubernetes;
	}

	public InformerRecorder recorder() {
		return this.recorder;
	}

	public InformerFactory informers() {
		return this.informers;
	}

	public SharedIndexInformer<V1ConfigMap> informer() {
		return informer((options) -> {
		});
	}

	public SharedIndexInformer<V1ConfigMap> informer(Consumer<InformerOptions.Builder> options) {
		return this.informers.informer(V1ConfigMap.class, options);
	}

	public void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
	}

	public void create(String namespace, String name, String value) {
		this.kubernetes.create(TestObjects.configMap(namespace, name).data(Map.of("key", value)));
	}

	public void change(String namespace, String name, String value) {
		this.kubernetes.mergePatch("configmaps", namespace, name, Map.of("data", Map.of("key", value)));
	}

	public void delete(String namespace, String name) {
		this.kubernetes.delete("configmaps", namespace, name);
	}

	/**
	 * Return the resource versions in the server by key.
	 */
	public Map<String, String> versions() {
		return this.kubernetes.list("configmaps", null)
			.stream()
			.map((object) -> object.get("metadata"))
			.collect(Collectors.toMap(
					(metadata) -> metadata.get("namespace").stringValue() + "/" + metadata.get("name").stringValue(),
					(metadata) -> metadata.get("resourceVersion").stringValue()));
	}

	/**
	 * Wait until the existing objects are cached and have been delivered to a handler.
	 */
	public void awaitAgreement(SharedIndexInformer<V1ConfigMap> informer, EventLog<V1ConfigMap> log) {
		await().untilAsserted(() -> {
			Map<String, String> versions = versions();
			assertThat(log.replay()).isEqualTo(versions);
			assertThat(informer.lister()
				.list()
				.stream()
				.collect(Collectors.toMap(ObjectKey::of, (map) -> map.getMetadata().getResourceVersion())))
				.isEqualTo(versions);
		});
		assertThat(log.problems()).isEmpty();
	}

	@Override
	public void close() {
		this.informers.close();
		this.kubernetes.close();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.HashMap;
import java.util.Map;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

/**
 * Informer of pods of fabric8's client, created as its documentation shows.
 */
final class Fabric8Client implements BenchmarkClient {

	private final KubernetesClient client;

	private final Tally tally;

	private volatile @Nullable SharedIndexInformer<Pod> informer;

	Fabric8Client(ClientSettings settings, Tally tally) {
		this.client = new KubernetesClientBuilder().withConfig(new Connections(settings).fabric8()).build();
		this.tally = tally;
	}

	@Override
	public void warmUp() {
		this.client.getKubernetesVersion();
	}

	@Override
	public void start() {
		this.informer = this.client.pods().inAnyNamespace().inform(new ResourceEventHandler<>() {

			@Override
			public void onAdd(Pod pod) {
				Fabric8Client.this.tally.event(pod.getMetadata().getResourceVersion());
			}

			@Override
			public void onUpdate(Pod previous, Pod pod) {
				Fabric8Client.this.tally.event(pod.getMetadata().getResourceVersion());
			}

			@Override
			public void onDelete(Pod pod, boolean finalStateUnknown) {
				Fabric8Client.this.tally.event(pod.getMetadata().getResourceVersion());
			}

		});
	}

	@Override
	public boolean hasSynced() {
		SharedIndexInformer<Pod> informer = this.informer;
		return informer != null && informer.hasSynced();
	}

	@Override
	public Map<String, String> resourceVersions() {
		Map<String, String> versions = new HashMap<>();
		SharedIndexInformer<Pod> informer = this.informer;
		if (informer != null) {
			for (Pod pod : informer.getStore().list()) {
				versions.put(pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(),
						pod.getMetadata().getResourceVersion());
			}
		}
		return versions;
	}

	@Override
	public void close() {
		this.client.close();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.migrating;

import java.time.Duration;
import java.util.List;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

class WithFabric8 {

	private final KubernetesClient client = new KubernetesClientBuilder().build();

	private final SharedIndexInformer<Pod> informer;

	WithFabric8() {
		this.informer = this.client.pods()
			.inNamespace("shop")
			.withLabel("tier", "web")
			.inform(new ResourceEventHandler<>() {

				@Override
				public void onAdd(Pod pod) {
					changed(pod);
				}

				@Override
				public void onUpdate(Pod previous, Pod pod) {
					changed(pod);
				}

				@Override
				public void onDelete(Pod pod, boolean finalStateUnknown) {
					gone(pod);
				}

			}, Duration.ofMinutes(10).toMillis());
	}

	List<Pod> pods() {
		return this.informer.getStore().list();
	}

	void close() {
		this.client.close();
	}

	private void changed(Pod pod) {
	}

	private void gone(Pod pod) {
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.migrating;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.Config;

class WithTheOfficialClient {

	private final SharedInformerFactory factory;

	private final SharedIndexInformer<V1Pod> informer;

	WithTheOfficialClient() throws Exception {
		ApiClient apiClient = Config.defaultClient();
		CoreV1Api api = new CoreV1Api(apiClient);
		this.factory = new SharedInformerFactory(apiClient);
		this.informer = this.factory.sharedIndexInformerFor((parameters) -> api.listNamespacedPod("shop")
			.labelSelector("tier=web")
			.resourceVersion(parameters.resourceVersion)
			.timeoutSeconds(parameters.timeoutSeconds)
			.watch(parameters.watch)
			.buildCall(null), V1Pod.class, V1PodList.class, Duration.ofMinutes(10).toMillis());
		this.informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
				changed(pod);
			}

			@Override
			public void onUpdate(V1Pod previous, V1Pod pod) {
				changed(pod);
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
				gone(pod);
			}

		});
		this.factory.startAllRegisteredInformers();
		while (!this.informer.hasSynced()) {
			Thread.sleep(100);
		}
	}

	List<V1Pod> pods() {
		return new Lister<>(this.informer.getIndexer()).namespace("shop").list();
	}

	void close() {
		this.factory.stopAllRegisteredInformers();
	}

	private void changed(V1Pod pod) {
	}

	private void gone(V1Pod pod) {
	}

}

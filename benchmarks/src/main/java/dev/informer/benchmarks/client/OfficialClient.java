/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.Map;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;

/**
 * Informer of pods of the official client, created as its examples show.
 */
final class OfficialClient implements BenchmarkClient {

	private final ApiClient apiClient;

	private final SharedInformerFactory factory;

	private final SharedIndexInformer<V1Pod> informer;

	OfficialClient(ClientSettings settings, Tally tally) {
		this.apiClient = new Connections(settings).official();
		this.apiClient.setReadTimeout(0);
		CoreV1Api api = new CoreV1Api(this.apiClient);
		this.factory = new SharedInformerFactory(this.apiClient);
		this.informer = this.factory.sharedIndexInformerFor((parameters) -> api.listPodForAllNamespaces()
			.resourceVersion(parameters.resourceVersion)
			.timeoutSeconds(parameters.timeoutSeconds)
			.watch(parameters.watch)
			.buildCall(null), V1Pod.class, V1PodList.class);
		this.informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
				tally.event(pod.getMetadata().getResourceVersion());
			}

			@Override
			public void onUpdate(V1Pod previous, V1Pod pod) {
				tally.event(pod.getMetadata().getResourceVersion());
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
				tally.event(pod.getMetadata().getResourceVersion());
			}

		});
	}

	@Override
	public void warmUp() throws ApiException {
		new VersionApi(this.apiClient).getCode().execute();
	}

	@Override
	public void start() {
		this.factory.startAllRegisteredInformers();
	}

	@Override
	public boolean hasSynced() {
		return this.informer.hasSynced();
	}

	@Override
	public Map<String, String> resourceVersions() {
		return OfficialModels.resourceVersions(this.informer.getIndexer().list());
	}

	@Override
	public void close() {
		this.factory.stopAllRegisteredInformers();
	}

}

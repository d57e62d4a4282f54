/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Request;
import okhttp3.Response;

/**
 * This project's informer of pods, with a handler that receives every event.
 */
final class InformerClient implements BenchmarkClient {

	private final ApiClient apiClient;

	private final InformerFactory factory;

	private final SharedIndexInformer<? extends KubernetesObject> informer;

	InformerClient(ClientSettings settings, Tally tally) {
		this.apiClient = new Connections(settings).official();
		this.factory = InformerFactory.create(this.apiClient);
		Consumer<InformerOptions.Builder> options = (builder) -> builder.managedFields(settings.managedFields())
			.streamingList(settings.streamingList())
			.encoding(settings.encoding());
		this.informer = settings.metadataOnly() ? handled(this.factory.metadataInformer(V1Pod.class, options), tally)
				: handled(this.factory.informer(V1Pod.class, options), tally);
	}

	private static <T extends KubernetesObject> SharedIndexInformer<T> handled(SharedIndexInformer<T> informer,
			Tally tally) {
		informer.addHandler((event) -> tally.event(event.object().getMetadata().getResourceVersion()),
				(options) -> options.queue(QueuePolicy.KEEP_ALL));
		return informer;
	}

	@Override
	public void warmUp() throws IOException {
		Request request = new Request.Builder().url(this.apiClient.getBasePath() + "/version").build();
		try (Response response = this.apiClient.getHttpClient().newCall(request).execute()) {
			response.body().bytes();
		}
	}

	@Override
	public void start() {
		this.factory.start();
	}

	@Override
	public boolean hasSynced() {
		return this.informer.hasSynced();
	}

	@Override
	public Map<String, String> resourceVersions() {
		return OfficialModels.resourceVersions(this.informer.lister().list());
	}

	@Override
	public String encoding() {
		return this.informer.encoding().orElse("none");
	}

	@Override
	public void close() {
		this.factory.close();
	}

}

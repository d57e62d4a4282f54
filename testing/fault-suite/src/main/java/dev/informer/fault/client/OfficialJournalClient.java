/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.journal.Entry;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.TokenFileAuthentication;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Informers of the official client, created as its examples show.
 */
final class OfficialJournalClient implements JournalClient {

	private final Map<WatchedResource, SharedIndexInformer<? extends KubernetesObject>> informers = new EnumMap<>(
			WatchedResource.class);

	OfficialJournalClient(Connection connection, JournalWriter journal) throws IOException {
		ApiClient apiClient = new ClientBuilder().setBasePath(connection.url())
			.setCertificateAuthority(Files.readAllBytes(connection.certificates()))
			.setAuthentication(new TokenFileAuthentication(connection.tokenFile().toString()))
			.build();
		apiClient.setReadTimeout(0);
		CoreV1Api api = new CoreV1Api(apiClient);
		SharedInformerFactory factory = new SharedInformerFactory(apiClient);
		add(WatchedResource.CONFIG_MAPS,
				factory.sharedIndexInformerFor((parameters) -> api.listConfigMapForAllNamespaces()
					.resourceVersion(parameters.resourceVersion)
					.timeoutSeconds(parameters.timeoutSeconds)
					.watch(parameters.watch)
					.buildCall(null), V1ConfigMap.class, V1ConfigMapList.class),
				journal);
		add(WatchedResource.PODS,
				factory.sharedIndexInformerFor((parameters) -> api.listPodForAllNamespaces()
					.resourceVersion(parameters.resourceVersion)
					.timeoutSeconds(parameters.timeoutSeconds)
					.watch(parameters.watch)
					.buildCall(null), V1Pod.class, V1PodList.class),
				journal);
		add(WatchedResource.WIDGETS,
				factory.sharedIndexInformerFor(
						new DynamicKubernetesApi("fault.informer.dev", "v1", "widgets", apiClient),
						DynamicKubernetesObject.class, 0),
				journal);
		factory.startAllRegisteredInformers();
		for (SharedIndexInformer<?> informer : this.informers.values()) {
			awaitSynced(informer);
		}
	}

	private static void awaitSynced(SharedIndexInformer<?> informer) {
		while (!informer.hasSynced()) {
			try {
				TimeUnit.MILLISECONDS.sleep(50);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

	private <T extends KubernetesObject> void add(WatchedResource resource, SharedIndexInformer<T> informer,
			JournalWriter journal) {
		informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(T object) {
				record(Entry.Type.ADDED, object, null);
			}

			@Override
			public void onUpdate(T previous, T object) {
				record(Entry.Type.UPDATED, object, previous);
			}

			@Override
			public void onDelete(T object, boolean finalStateUnknown) {
				record(Entry.Type.DELETED, object, null);
			}

			private void record(Entry.Type type, T object, @Nullable T previous) {
				V1ObjectMeta metadata = object.getMetadata();
				journal.write(new Entry(resource.plural(), type, metadata.getNamespace() + "/" + metadata.getName(),
						state(object), (previous != null) ? state(previous) : null));
			}

		});
		this.informers.put(resource, informer);
	}

	private static ObjectState state(KubernetesObject object) {
		return new ObjectState(object.getMetadata().getUid(), object.getMetadata().getResourceVersion());
	}

	@Override
	public ObjectStates cache() {
		ObjectStates states = new ObjectStates();
		this.informers.forEach((resource, informer) -> informer.getIndexer().list().forEach((object) -> {
			V1ObjectMeta metadata = object.getMetadata();
			states.add(resource, metadata.getNamespace(), metadata.getName(), metadata.getUid(),
					metadata.getResourceVersion());
		}));
		return states;
	}

}

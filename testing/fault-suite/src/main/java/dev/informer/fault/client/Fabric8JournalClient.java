/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import dev.informer.fault.journal.Entry;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

/**
 * Informers of fabric8's client, created as its documentation shows.
 */
final class Fabric8JournalClient implements JournalClient {

	private final Map<WatchedResource, SharedIndexInformer<? extends HasMetadata>> informers = new EnumMap<>(
			WatchedResource.class);

	Fabric8JournalClient(Connection connection, JournalWriter journal) {
		Config config = new ConfigBuilder(Config.empty()).withMasterUrl(connection.url())
			.withCaCertFile(connection.certificates().toString())
			.withOauthTokenProvider(() -> read(connection.tokenFile()))
			.build();
		KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
		this.informers.put(WatchedResource.CONFIG_MAPS,
				client.configMaps().inAnyNamespace().inform(handler(WatchedResource.CONFIG_MAPS, journal)));
		this.informers.put(WatchedResource.PODS,
				client.pods().inAnyNamespace().inform(handler(WatchedResource.PODS, journal)));
		ResourceDefinitionContext widgets = new ResourceDefinitionContext.Builder().withGroup("fault.informer.dev")
			.withVersion("v1")
			.withKind("Widget")
			.withPlural("widgets")
			.withNamespaced(true)
			.build();
		this.informers.put(WatchedResource.WIDGETS,
				client.genericKubernetesResources(widgets)
					.inAnyNamespace()
					.inform(handler(WatchedResource.WIDGETS, journal)));
	}

	private static String read(Path file) {
		try {
			return Files.readString(file).strip();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the token", ex);
		}
	}

	private static <T extends HasMetadata> ResourceEventHandler<T> handler(WatchedResource resource,
			JournalWriter journal) {
		return new ResourceEventHandler<>() {

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
				ObjectMeta metadata = object.getMetadata();
				journal.write(new Entry(resource.plural(), type, metadata.getNamespace() + "/" + metadata.getName(),
						state(object), (previous != null) ? state(previous) : null));
			}

		};
	}

	private static ObjectState state(HasMetadata object) {
		return new ObjectState(object.getMetadata().getUid(), object.getMetadata().getResourceVersion());
	}

	@Override
	public ObjectStates cache() {
		ObjectStates states = new ObjectStates();
		this.informers.forEach((resource, informer) -> informer.getStore().list().forEach((object) -> {
			ObjectMeta metadata = object.getMetadata();
			states.add(resource, metadata.getNamespace(), metadata.getName(), metadata.getUid(),
					metadata.getResourceVersion());
		}));
		return states;
	}

}

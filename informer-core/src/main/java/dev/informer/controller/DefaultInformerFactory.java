/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerFactorySettings;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.client.ApiListerWatcher;
import dev.informer.client.DiscoveringListerWatcher;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ResourceDiscovery;
import dev.informer.client.WireFormat;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.processor.SharedProcessor;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Default {@link InformerFactory}, created by {@link InformerFactory#create}.
 * <p>
 * <b>Concurrency.</b> The informers by name and the connection are guarded by this
 * object's monitor, which is not held while informers start or stop.
 */
public final class DefaultInformerFactory implements InformerFactory {

	private final Map<String, DefaultSharedIndexInformer<?>> informers = new LinkedHashMap<>();

	private final Supplier<ApiClient> apiClient;

	private final HandlerGate gate;

	private final InformerEnvironment environment;

	private final TimeSource time;

	private @Nullable KubernetesConnection connection;

	private boolean closed;

	/**
	 * Create a factory.
	 * @param apiClient the supplier of the connection
	 * @param settings the settings
	 */
	public DefaultInformerFactory(Supplier<ApiClient> apiClient, InformerFactorySettings settings) {
		this.apiClient = apiClient;
		this.time = settings.time();
		this.environment = new InformerEnvironment(settings);
		this.gate = this.environment.gate();
	}

	@Override
	public synchronized <T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		InformerOptions.Builder builder = new InformerOptions.Builder(this.environment.settings().defaults());
		options.accept(builder);
		InformerOptions wanted = builder.build();
		if (!resourceType.namespaced() && !wanted.namespaces().isEmpty()) {
			throw new IllegalArgumentException("Cannot select namespaces " + wanted.namespaces() + ": " + resourceType
					+ " is cluster-scoped. Remove them.");
		}
		String name = (wanted.name() != null) ? wanted.name() : defaultName(resourceType);
		DefaultSharedIndexInformer<?> known = this.informers.get(name);
		if (known != null) {
			return shared(known, resourceType, wanted);
		}
		if (this.closed) {
			throw new IllegalStateException("Cannot create informer '" + name + "': the factory is closed.");
		}
		WireFormat<T> format = format(resourceType, wanted);
		DefaultSharedIndexInformer<T> informer = new DefaultSharedIndexInformer<>(name, resourceType, wanted,
				this.environment, (namespace) -> source(resourceType, namespace, wanted, format));
		this.informers.put(name, informer);
		return informer;
	}

	private static <T extends KubernetesObject> WireFormat<T> format(ResourceType<T> resourceType,
			InformerOptions options) {
		JsonWireFormat<T> plain = JsonWireFormat.of(resourceType.type(), resourceType.apiVersion(),
				resourceType.kind());
		return options.managedFields() ? plain.withManagedFields() : plain;
	}

	private <T extends KubernetesObject> ListerWatcher<T> source(ResourceType<T> resourceType, String selected,
			InformerOptions options, WireFormat<T> format) {
		String namespace = selected.isEmpty() ? null : selected;
		if (resourceType.isComplete()) {
			return new ApiListerWatcher<>(connection(), resourceType, namespace, options.labelSelector(),
					options.fieldSelector(), format);
		}
		return new DiscoveringListerWatcher<>(new ResourceDiscovery(connection()), resourceType, namespace,
				(found) -> new ApiListerWatcher<>(connection(), found, namespace, options.labelSelector(),
						options.fieldSelector(), format(found, options)));
	}

	private static String defaultName(ResourceType<?> resourceType) {
		boolean metadata = resourceType.type() == PartialObjectMetadata.class;
		return resourceType.plural() + (metadata ? "-metadata" : "");
	}

	@Override
	public <T extends KubernetesObject> ResourceType<T> discover(Class<T> type, String resource) {
		return new ResourceDiscovery(connection()).find(type, resource);
	}

	@SuppressWarnings("unchecked")
	private static <T extends KubernetesObject> SharedIndexInformer<T> shared(DefaultSharedIndexInformer<?> known,
			ResourceType<T> resourceType, InformerOptions wanted) {
		if (!known.resourceType().equals(resourceType) || !known.options().equals(wanted)) {
			throw new IllegalArgumentException("Cannot create informer '" + known.name() + "' of " + resourceType
					+ " with " + wanted + ": an informer of this name exists, of " + known.resourceType() + " with "
					+ known.options() + ". Set another name by options.name(...).");
		}
		return (SharedIndexInformer<T>) known;
	}

	@Override
	public List<SharedIndexInformer<?>> informers() {
		return List.copyOf(snapshot());
	}

	@Override
	public void remove(SharedIndexInformer<?> informer) {
		DefaultSharedIndexInformer<?> known;
		synchronized (this) {
			known = this.informers.get(informer.name());
			if (known != informer) {
				return;
			}
			this.informers.remove(informer.name());
		}
		known.close();
		known.leaveGate();
		this.environment.listener().onEvent(new InformerEvent.Removed(informer));
	}

	@Override
	public void start() {
		informers().forEach(SharedIndexInformer::start);
	}

	@Override
	public void addListener(InformerListener listener) {
		this.environment.listener().add(listener);
	}

	@Override
	public boolean awaitSynced(Collection<? extends SharedIndexInformer<?>> informers, Duration timeout)
			throws InterruptedException {
		List<SyncLatch> latches = new ArrayList<>();
		for (SharedIndexInformer<?> informer : informers) {
			latches.add(own(informer).latch());
		}
		return SyncLatch.awaitAll(this.environment.syncMonitor(), latches, timeout);
	}

	private DefaultSharedIndexInformer<?> own(SharedIndexInformer<?> informer) {
		if (informer instanceof DefaultSharedIndexInformer<?> own && own.environment() == this.environment) {
			return own;
		}
		throw new IllegalArgumentException("Cannot wait for informer '" + informer.name()
				+ "': it belongs to another factory. Wait for it there.");
	}

	@Override
	public void holdHandlers(Collection<? extends SharedIndexInformer<?>> untilSynced) {
		List<DefaultSharedIndexInformer<?>> current = snapshot();
		for (SharedIndexInformer<?> informer : untilSynced) {
			if (current.stream().noneMatch((each) -> each == informer)) {
				throw new IllegalArgumentException("Cannot wait for informer '" + informer.name()
						+ "': it is not one of this factory. Wait for it, then call releaseHandlers().");
			}
		}
		this.gate.close(untilSynced);
	}

	@Override
	public void releaseHandlers() {
		this.gate.open();
	}

	@Override
	public boolean suspendHandlers(Duration timeout) throws InterruptedException {
		List<SharedProcessor<?>> processors = this.gate.suspend();
		long deadline = this.time.nanoTime() + TimeSource.nanos(timeout);
		boolean idle = true;
		for (SharedProcessor<?> processor : processors) {
			idle &= processor.awaitInvocations(deadline);
		}
		return idle;
	}

	@Override
	public boolean areHandlersSuspended() {
		return this.gate.isSuspended();
	}

	@Override
	public void stop(Duration drain) {
		Shutdown shutdown = new Shutdown(this.time);
		snapshot().forEach((informer) -> informer.stop(shutdown));
		shutdown.await(this.gate.isSuspended() ? Duration.ZERO : drain);
	}

	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		List<DefaultSharedIndexInformer<?>> open = snapshot().stream()
			.filter(DefaultSharedIndexInformer::markClosed)
			.toList();
		stop(Duration.ZERO);
		open.forEach(DefaultSharedIndexInformer::reportUndelivered);
		synchronized (this) {
			if (this.connection != null) {
				this.connection.close();
				this.connection = null;
			}
		}
	}

	private synchronized List<DefaultSharedIndexInformer<?>> snapshot() {
		return List.copyOf(this.informers.values());
	}

	private synchronized KubernetesConnection connection() {
		if (this.connection == null) {
			this.connection = new KubernetesConnection(this.apiClient.get());
		}
		return this.connection;
	}

}

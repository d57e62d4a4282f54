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
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.informer.Encoding;
import dev.informer.InformerFactory;
import dev.informer.InformerFactorySettings;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InvalidOptionException;
import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.UndecodableTypeException;
import dev.informer.client.ApiListerWatcher;
import dev.informer.client.DiscoveringListerWatcher;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ResourceDiscovery;
import dev.informer.client.WireFormat;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.protobuf.ProtobufWireFormat;
import dev.informer.processor.HandlerStop;
import dev.informer.processor.SharedProcessor;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Default {@link InformerFactory}, created by {@link InformerFactory#create}.
 * <p>
 * <b>Concurrency.</b> The informers by name and the connection are guarded by this
 * object's monitor, which is not held while informers start or stop, nor while code of
 * the user runs.
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
	public <T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		InformerOptions.Builder builder = new InformerOptions.Builder(this.environment.settings().defaults());
		options.accept(builder);
		InformerOptions wanted = builder.build();
		if (!resourceType.namespaced() && !wanted.namespaces().isEmpty()) {
			throw new InvalidOptionException("namespaces",
					"cannot be " + wanted.namespaces() + ": " + resourceType + " is cluster-scoped. Remove them.");
		}
		String name = (wanted.name() != null) ? wanted.name() : defaultName(resourceType);
		DefaultSharedIndexInformer<?> known = known(name);
		if (known == null) {
			WireFormat<T> format = format(resourceType, wanted);
			known = register(new DefaultSharedIndexInformer<>(name, resourceType, wanted, this.environment,
					(namespace) -> source(resourceType, namespace, wanted, format), this::forget));
		}
		return shared(known, resourceType, wanted);
	}

	private synchronized @Nullable DefaultSharedIndexInformer<?> known(String name) {
		return this.informers.get(name);
	}

	/**
	 * Add an informer, unless another thread has added one of this name.
	 * @return the informer of this name
	 */
	private synchronized DefaultSharedIndexInformer<?> register(DefaultSharedIndexInformer<?> created) {
		DefaultSharedIndexInformer<?> known = this.informers.get(created.name());
		if (known != null) {
			return known;
		}
		requireOpen("Cannot create informer '" + created.name() + "'");
		created.joinGate();
		this.informers.put(created.name(), created);
		return created;
	}

	private synchronized void forget(SharedIndexInformer<?> informer) {
		this.informers.remove(informer.name(), informer);
	}

	private static <T extends KubernetesObject> WireFormat<T> format(ResourceType<T> resourceType,
			InformerOptions options) {
		try {
			JsonWireFormat<T> plain = JsonWireFormat.of(resourceType.type(), resourceType.apiVersion(),
					resourceType.kind());
			JsonWireFormat<T> json = options.managedFields() ? plain.withManagedFields() : plain;
			return (options.encoding() == Encoding.JSON) ? json : ProtobufWireFormat.of(resourceType.type(),
					resourceType.apiVersion(), resourceType.kind(), json, options.managedFields());
		}
		catch (IllegalArgumentException ex) {
			throw new UndecodableTypeException(resourceType.type(), ex);
		}
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
		if (snapshot().contains(informer)) {
			informer.close();
		}
	}

	@Override
	public void start() {
		synchronized (this) {
			requireOpen("Cannot start the informers");
		}
		Throwable failure = null;
		for (DefaultSharedIndexInformer<?> informer : snapshot()) {
			try {
				informer.start();
			}
			catch (RuntimeException | Error ex) {
				if (!informer.isClosed()) {
					failure = combined(failure, ex);
				}
			}
		}
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure instanceof RuntimeException exception) {
			throw exception;
		}
	}

	private static Throwable combined(@Nullable Throwable first, Throwable next) {
		if (first == null) {
			return next;
		}
		// a thread factory may throw the same one again
		if (first != next) {
			first.addSuppressed(next);
		}
		return first;
	}

	private void requireOpen(String refusal) {
		if (this.closed) {
			throw new IllegalStateException(refusal + ": the factory is closed. Create another one.");
		}
	}

	@Override
	public void addListener(InformerListener listener) {
		this.environment.listener().add(listener);
	}

	@Override
	public boolean awaitSynced(Collection<? extends SharedIndexInformer<?>> informers, Duration timeout)
			throws InterruptedException {
		List<SyncLatch> latches = latches(informers);
		for (SharedIndexInformer<?> informer : informers) {
			((DefaultSharedIndexInformer<?>) informer).requireStarted();
		}
		return SyncLatch.awaitAll(this.environment.syncLock(), latches, timeout);
	}

	private List<SyncLatch> latches(Collection<? extends SharedIndexInformer<?>> informers) {
		List<SyncLatch> latches = new ArrayList<>();
		for (SharedIndexInformer<?> informer : informers) {
			if (!(informer instanceof DefaultSharedIndexInformer<?> own) || own.environment() != this.environment) {
				throw new IllegalArgumentException("Cannot wait for informer '" + informer.name()
						+ "': it belongs to another factory. Wait for it there; handlers that are held here are"
						+ " released by releaseHandlers().");
			}
			latches.add(own.latch());
		}
		return latches;
	}

	@Override
	public void holdHandlers(Collection<? extends SharedIndexInformer<?>> untilSynced) {
		this.gate.close(latches(untilSynced));
	}

	@Override
	public void releaseHandlers() {
		this.gate.open();
	}

	@Override
	public boolean suspendHandlers(Duration timeout) throws InterruptedException {
		List<SharedProcessor<?>> processors = this.gate.suspend();
		return HandlerStop.awaitSuspended(processors, this.time.nanoTime() + TimeSource.nanos(timeout));
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
		KubernetesConnection closing;
		synchronized (this) {
			this.closed = true;
			closing = this.connection;
			this.connection = null;
		}
		List<DefaultSharedIndexInformer<?>> open = snapshot().stream()
			.filter(DefaultSharedIndexInformer::markClosed)
			.toList();
		try {
			stop(Duration.ZERO);
		}
		finally {
			open.forEach(DefaultSharedIndexInformer::reportUndelivered);
			if (closing != null) {
				closing.close();
			}
		}
	}

	private synchronized List<DefaultSharedIndexInformer<?>> snapshot() {
		return List.copyOf(this.informers.values());
	}

	/**
	 * Return the connection. The supplier is code of the user, so it is called without
	 * the monitor: of two threads that call it at the same time, the connection of one is
	 * used.
	 */
	private KubernetesConnection connection() {
		KubernetesConnection current = connection(null);
		if (current == null) {
			KubernetesConnection created = new KubernetesConnection(this.apiClient.get());
			current = Objects.requireNonNull(connection(created));
		}
		return current;
	}

	private synchronized @Nullable KubernetesConnection connection(@Nullable KubernetesConnection created) {
		requireOpen("Cannot connect to the API server");
		if (this.connection == null) {
			this.connection = created;
		}
		return this.connection;
	}

}

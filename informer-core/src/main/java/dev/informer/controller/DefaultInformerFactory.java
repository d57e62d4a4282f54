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

import dev.informer.InformerFactory;
import dev.informer.InformerFactorySettings;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InvalidOptionException;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.processor.SharedProcessor;
import dev.informer.support.Arguments;
import dev.informer.work.StateLock;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Default {@link InformerFactory}, created by {@link InformerFactory#create}.
 * <p>
 * <b>Concurrency.</b> The informers by name are guarded by this object's monitor, which
 * is not held while informers start or stop, nor while code of the user runs.
 */
public final class DefaultInformerFactory implements InformerFactory {

	private final Map<String, DefaultSharedIndexInformer<?>> informers = new LinkedHashMap<>();

	private final InformerFactorySettings settings;

	private final TimeSource time;

	private final EventDispatcher listener;

	private final HandlerGate gate = new HandlerGate();

	/** For the runs of the informers, and for threads that wait for some of them. */
	private final StateLock lock;

	private final SharedParts parts;

	private final ListerWatchers sources;

	private final NamespaceInformers namespaceInformers;

	private boolean closed;

	public DefaultInformerFactory(Supplier<ApiClient> apiClient, InformerFactorySettings settings) {
		this.settings = settings;
		this.time = settings.time();
		this.listener = new EventDispatcher(settings.listeners());
		this.lock = new StateLock(this.time);
		this.parts = new SharedParts(settings, this.listener, this.lock, this.gate, this::forget);
		this.sources = new ListerWatchers(apiClient);
		this.namespaceInformers = new NamespaceInformers(settings, this::createNamespaceInformer);
	}

	@Override
	public TimeSource time() {
		return this.time;
	}

	@Override
	public Thread newThread(String name, Runnable task) {
		return this.parts.newThread(name, task);
	}

	@Override
	public <T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		Arguments.require("create an informer", "resourceType", resourceType);
		Arguments.require("create an informer", "options", options);
		InformerOptions.Builder builder = new InformerOptions.Builder(this.settings.defaults());
		options.accept(builder);
		InformerOptions wanted = builder.build();
		requireNamespaced(resourceType, wanted);
		String name = (wanted.name() != null) ? wanted.name() : defaultName(resourceType);
		DefaultSharedIndexInformer<?> known = known(name);
		if (known == null) {
			known = createOrFind(name, resourceType, wanted);
		}
		return shared(known, resourceType, wanted);
	}

	private static void requireNamespaced(ResourceType<?> resourceType, InformerOptions options) {
		if (options.watchedSet() != null) {
			options.watchedSet().check(resourceType);
		}
		if (resourceType.namespaced()) {
			return;
		}
		if (!options.namespaces().isEmpty()) {
			throw new InvalidOptionException("namespaces",
					"cannot be " + options.namespaces() + ": " + resourceType + " is cluster-scoped. Remove them.");
		}
		if (options.namespaceSelector() != null) {
			throw new InvalidOptionException("namespace-selector", "cannot be '" + options.namespaceSelector() + "': "
					+ resourceType + " is cluster-scoped. Remove it.");
		}
	}

	private <T extends KubernetesObject> DefaultSharedIndexInformer<?> createOrFind(String name,
			ResourceType<T> resourceType, InformerOptions options) {
		Assignment assignment = assignment(options);
		boolean used = false;
		try {
			DefaultSharedIndexInformer<T> created = create(name, resourceType, options, assignment);
			DefaultSharedIndexInformer<?> registered = register(created);
			used = registered == created;
			return registered;
		}
		finally {
			if (!used && assignment != null) {
				assignment.release();
			}
		}
	}

	private @Nullable Assignment assignment(InformerOptions options) {
		WatchedSet objects = options.watchedSet();
		if (objects != null) {
			return new SelectedAssignment(objects, options.namespaces(), this.time);
		}
		return (options.namespaceSelector() != null) ? this.namespaceInformers.acquire(options.namespaceSelector())
				: null;
	}

	private <T extends KubernetesObject> DefaultSharedIndexInformer<T> create(String name, ResourceType<T> resourceType,
			InformerOptions options, @Nullable Assignment assignment) {
		return new DefaultSharedIndexInformer<>(name, resourceType, options, this.parts,
				this.sources.of(resourceType, options), assignment);
	}

	/**
	 * Create an informer of namespaces, unless its name is in use.
	 */
	private @Nullable DefaultSharedIndexInformer<PartialObjectMetadata> createNamespaceInformer(
			InformerOptions options) {
		DefaultSharedIndexInformer<PartialObjectMetadata> created = create(Objects.requireNonNull(options.name()),
				NamespaceInformers.RESOURCE, options, null);
		return (register(created) == created) ? created : null;
	}

	private synchronized @Nullable DefaultSharedIndexInformer<?> known(String name) {
		return this.informers.get(name);
	}

	/**
	 * Add an informer, unless another thread has added one of this name, and return the
	 * one of this name.
	 */
	private synchronized DefaultSharedIndexInformer<?> register(DefaultSharedIndexInformer<?> created) {
		DefaultSharedIndexInformer<?> known = this.informers.get(created.name());
		if (known != null) {
			return known;
		}
		requireOpen("Cannot create informer '" + created.name() + "'");
		created.addTo(this.gate);
		this.informers.put(created.name(), created);
		return created;
	}

	/**
	 * Forget an informer that is closed by itself.
	 */
	private synchronized void forget(SharedIndexInformer<?> informer) {
		this.informers.remove(informer.name(), informer);
	}

	private static String defaultName(ResourceType<?> resourceType) {
		boolean metadata = resourceType.type() == PartialObjectMetadata.class;
		return resourceType.plural() + (metadata ? "-metadata" : "");
	}

	@Override
	public <T extends KubernetesObject> ResourceType<T> discover(Class<T> type, String resource) {
		Arguments.require("discover a resource", "type", type);
		Arguments.require("discover a resource", "resource", resource);
		return this.sources.discovery().find(type, resource);
	}

	@Override
	public KubernetesConnection connection() {
		return this.sources.connection();
	}

	@Override
	public boolean isNamespaceMissing(String namespace) {
		return Arguments.isNamespace(namespace) && this.sources.isMissing("/api/v1/namespaces/" + namespace);
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
		Arguments.require("add a listener", "listener", listener);
		this.listener.add(listener);
	}

	@Override
	public boolean awaitSynced(Collection<? extends SharedIndexInformer<?>> informers, Duration timeout)
			throws InterruptedException {
		List<DefaultSharedIndexInformer<?>> own = own(informers);
		own.forEach(DefaultSharedIndexInformer::requireStarted);
		return DefaultSharedIndexInformer.awaitSynced(own, this.lock, timeout);
	}

	/**
	 * Return informers that belong to this factory, also if they are closed.
	 */
	private List<DefaultSharedIndexInformer<?>> own(Collection<? extends SharedIndexInformer<?>> informers) {
		List<DefaultSharedIndexInformer<?>> own = new ArrayList<>();
		for (SharedIndexInformer<?> informer : informers) {
			if (!(informer instanceof DefaultSharedIndexInformer<?> known) || !known.shares(this.parts)) {
				throw new IllegalArgumentException("Cannot wait for informer '" + informer.name()
						+ "': it belongs to another factory. Wait for it there; handlers that are held here are"
						+ " released by releaseHandlers().");
			}
			own.add(known);
		}
		return own;
	}

	@Override
	public void holdHandlers(Collection<? extends SharedIndexInformer<?>> untilSynced) {
		DefaultSharedIndexInformer.close(this.gate, own(untilSynced));
	}

	@Override
	public void releaseHandlers() {
		this.gate.open();
	}

	@Override
	public boolean suspendHandlers(Duration timeout) throws InterruptedException {
		List<SharedProcessor<?>> processors = this.gate.suspend();
		return SharedProcessor.awaitSuspended(processors, this.time.nanoTime() + TimeSource.nanos(timeout));
	}

	@Override
	public boolean areHandlersSuspended() {
		return this.gate.isSuspended();
	}

	@Override
	public void stop(Duration drain) {
		DefaultSharedIndexInformer.stop(snapshot(), this.gate.isSuspended() ? Duration.ZERO : drain, this.time);
	}

	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		this.sources.refuseConnections();
		List<DefaultSharedIndexInformer<?>> open = snapshot().stream()
			.filter(DefaultSharedIndexInformer::markClosed)
			.toList();
		try {
			stop(Duration.ZERO);
		}
		finally {
			open.forEach(DefaultSharedIndexInformer::reportDiscarded);
			this.sources.close();
		}
	}

	private synchronized List<DefaultSharedIndexInformer<?>> snapshot() {
		return List.copyOf(this.informers.values());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.MutatedObjectException;
import dev.informer.ObjectTransform;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.DeltaFifo;
import dev.informer.cache.Indexer;
import dev.informer.client.ListerWatcher;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.ResourceVersions;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one {@link SharedIndexInformer}. Store, handlers and reflectors live as long as it
 * does; queue and threads as long as one run.
 * <p>
 * <b>Concurrency.</b> {@code lifecycle} guards which run there is; it is not held while a
 * stop waits. What readers and the threads of a run share has guards of its own.
 *
 * @param <T> the type of the objects
 */
final class DefaultSharedIndexInformer<T extends KubernetesObject> implements SharedIndexInformer<T> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final Object lifecycle = new Object();

	private final String name;

	private final ResourceType<T> resourceType;

	private final InformerOptions options;

	private final List<String> scopes;

	private final InformerEnvironment environment;

	private final Function<String, ListerWatcher<T>> sources;

	private final Indexer<T> indexer;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final StoreUpdater<T> updater;

	private final Lister<T> lister;

	private final SyncLatch latch;

	private final TransformingSink<T> sink;

	private final InformerState initialState;

	private volatile @Nullable ReflectorSet<T> reflectors;

	private volatile @Nullable Controller<T> run;

	/** The threads of all runs, apart from those that had ended at the last start. */
	private List<Thread> threads = List.of();

	private long started;

	private boolean closed;

	DefaultSharedIndexInformer(String name, ResourceType<T> resourceType, InformerOptions options,
			InformerEnvironment environment, Function<String, ListerWatcher<T>> sources) {
		this.name = name;
		this.resourceType = resourceType;
		this.options = options;
		this.scopes = options.namespaces().isEmpty() ? List.of("") : options.namespaces();
		this.environment = environment;
		this.sources = sources;
		this.indexer = new Indexer<>(this::indexFailed);
		this.processor = new SharedProcessor<>(name,
				(handler, task) -> environment.newThread(name, "handler-" + handler, task), environment.time(),
				new HandlerReports(this, environment));
		environment.gate().add(this.processor);
		this.mutations = new MutationDetector<>(options.mutationDetection(), environment.time(), this::mutated);
		this.updater = new StoreUpdater<>(this.indexer, this.processor, this.scopes, this.mutations, this::changed);
		this.lister = new IndexerLister<>(name, this.indexer,
				() -> options.allowUnsyncedReads() || this.updater.isComplete());
		this.latch = new SyncLatch(name, environment.time(), () -> environment.gate().passed(this));
		this.sink = new TransformingSink<>(this.indexer::get, this.updater::epoch, this::transformFailed);
		this.initialState = new InformerState(Phase.NOT_STARTED, environment.time().now(), null, null, null);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public ResourceType<T> resourceType() {
		return this.resourceType;
	}

	@Override
	public InformerOptions options() {
		return this.options;
	}

	@Override
	public Lister<T> lister() {
		return this.lister;
	}

	@Override
	public void addIndex(String name, Function<T, @Nullable String> function) {
		addMultiValueIndex(name, (object) -> {
			String value = function.apply(object);
			return (value != null) ? List.of(value) : List.of();
		});
	}

	@Override
	public void addMultiValueIndex(String name, IndexFunction<T> function) {
		this.indexer.addIndex(name, function);
	}

	@Override
	public void enableIndex(String name) {
		this.indexer.enableIndex(name);
	}

	@Override
	public void setTransform(ObjectTransform<T> transform) {
		synchronized (this.lifecycle) {
			if (this.reflectors != null) {
				throw new IllegalStateException("Informer '" + this.name
						+ "' was started already: what it has stored is not transformed any more. Set the transform first");
			}
			if (!this.sink.set(transform)) {
				throw new IllegalStateException("Informer '" + this.name
						+ "' has a transform already; give an informer with another one a name of its own");
			}
		}
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<T> handler,
			Consumer<HandlerOptions.Builder<T>> options) {
		HandlerOptions.Builder<T> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		synchronized (this.lifecycle) {
			if (this.closed) {
				throw new IllegalStateException("Informer '" + this.name + "' is closed: it takes no more handlers");
			}
		}
		HandlerOptions<T> wanted = builder.build();
		ResourceEventHandler<T> guarded = this.mutations.guard(wanted.name(), handler);
		HandlerRegistration registration = this.updater.addHandler(guarded, wanted);
		Controller<T> running = this.run;
		if (running != null) {
			running.handlersChanged();
		}
		return registration;
	}

	@Override
	public List<HandlerRegistration> handlers() {
		return this.processor.registrations();
	}

	@Override
	public void start() {
		synchronized (this.lifecycle) {
			if (this.closed) {
				throw new IllegalStateException("Informer '" + this.name + "' is closed and cannot be started again");
			}
			if (this.run != null) {
				return;
			}
			DeltaFifo<T> fifo = new DeltaFifo<>(this.environment.time(), this.scopes);
			ReflectorSet<T> set = reflectors();
			this.latch.failed(null);
			this.started = this.environment.time().nanoTime();
			AtomicBoolean synced = new AtomicBoolean();
			Controller<T> controller = new Controller<>(set.reflectors(), fifo, this.processor, this.mutations,
					this.updater, this::batchFailed, () -> applied(fifo, synced), this.environment.time(),
					this.threads.stream().filter(Thread::isAlive).toList());
			this.run = controller;
			this.processor.start();
			controller.start((role, task) -> this.environment.newThread(this.name, role, task), () -> {
				this.sink.redirect(fifo);
				set.reset();
			});
			this.threads = controller.threads();
		}
	}

	private ReflectorSet<T> reflectors() {
		ReflectorSet<T> set = this.reflectors;
		if (set == null) {
			set = new ReflectorSet<>(this, this.scopes, this.sources, this.sink, this.environment, this.latch);
			this.reflectors = set;
		}
		return set;
	}

	@Override
	public void relist() {
		ReflectorSet<T> set = this.reflectors;
		if (set != null) {
			set.reflectors().forEach((reflector) -> reflector.relist(RelistReason.REQUESTED));
		}
	}

	@Override
	public void resync() {
		Controller<T> running = this.run;
		if (running != null) {
			running.resync();
		}
	}

	@Override
	public void stop(Duration drain) {
		Shutdown shutdown = new Shutdown(this.environment.time());
		stop(shutdown);
		shutdown.await(drain);
	}

	@Override
	public void close() {
		boolean first = markClosed();
		stop(Duration.ZERO);
		if (first) {
			reportUntold();
		}
	}

	/**
	 * Neither holds back handlers nor is held back any more.
	 */
	void leaveGate() {
		this.environment.gate().remove(this, this.processor);
	}

	/**
	 * Says what handlers will not be told any more.
	 */
	void reportUntold() {
		this.processor.reportUndelivered();
	}

	/**
	 * Makes the end of the current run, if there is one, part of a shutdown.
	 */
	void stop(Shutdown shutdown) {
		synchronized (this.lifecycle) {
			Controller<T> running = this.run;
			this.run = null;
			if (running != null) {
				shutdown.begin(running, this.processor);
			}
		}
	}

	/**
	 * Refuses to be started from now on.
	 * @return whether it did not do so before
	 */
	boolean markClosed() {
		synchronized (this.lifecycle) {
			boolean first = !this.closed;
			this.closed = true;
			return first;
		}
	}

	@Override
	public boolean hasSynced() {
		return this.latch.isSynced();
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		return this.latch.await(timeout);
	}

	@Override
	public boolean awaitAtLeast(String resourceVersion, Duration timeout) throws InterruptedException {
		if (!ResourceVersions.hasOrder(resourceVersion)) {
			throw new IllegalArgumentException("Nobody can say when resource version '" + resourceVersion
					+ "' is reached: only decimal numbers without leading zeros have an order");
		}
		return this.latch.await(() -> hasReached(resourceVersion), timeout);
	}

	private boolean hasReached(String resourceVersion) {
		return this.scopes.stream().map(this.updater::distributedVersion).allMatch((reached) -> {
			if (!reached.isEmpty() && !ResourceVersions.hasOrder(reached)) {
				throw new IllegalStateException("Informer '" + this.name + "' is at resource version '" + reached
						+ "', which has no order: whether '" + resourceVersion + "' is reached cannot be said");
			}
			return !reached.isEmpty() && !ResourceVersions.isBefore(reached, resourceVersion);
		});
	}

	@Override
	public String lastSyncResourceVersion() {
		return ResourceVersions.lowest(this.scopes.stream().map(this.indexer::resourceVersion).toList());
	}

	@Override
	public InformerState state() {
		return ReflectorSet.worst(statesByNamespace());
	}

	@Override
	public Map<String, InformerState> statesByNamespace() {
		ReflectorSet<T> set = this.reflectors;
		if (set != null) {
			return set.states();
		}
		Map<String, InformerState> states = new LinkedHashMap<>();
		this.scopes.forEach((scope) -> states.put(scope, this.initialState));
		return states;
	}

	@Override
	public Optional<Instant> lastActivity() {
		ReflectorSet<T> set = this.reflectors;
		return (set != null) ? set.lastActivity() : Optional.empty();
	}

	@Override
	public int queueDepth() {
		Controller<T> running = this.run;
		return (running != null) ? running.queueDepth() : 0;
	}

	@Override
	public String toString() {
		return "informer '" + this.name + "' of " + this.resourceType;
	}

	private void applied(DeltaFifo<T> fifo, AtomicBoolean synced) {
		this.latch.changed();
		if (fifo.hasSynced() && synced.compareAndSet(false, true)) {
			this.processor.initialListDistributed();
			this.latch.synced();
			Duration time = Duration.ofNanos(this.environment.time().nanoTime() - this.started);
			logger.atInfo()
				.addKeyValue("informer", this.name)
				.log("Informer '{}' has synced {}: {} objects in {} ms", this.name, this.resourceType,
						this.indexer.size(), time.toMillis());
			this.environment.listener().onEvent(new InformerEvent.Synced(this, time));
		}
	}

	private void changed(ResourceEvent<T> event) {
		this.environment.listener().onEvent(new InformerEvent.CacheChanged(this, event.type()));
	}

	private void indexFailed(String index, String key, Throwable failure) {
		failed(Kind.INDEX_FUNCTION, "The function of index '" + index + "' has thrown for " + key
				+ ": the object is stored, but is not under this index", failure);
	}

	private void transformFailed(String key, Throwable failure) {
		failed(Kind.TRANSFORM, "The transform of informer '" + this.name + "' has failed for " + key + " of "
				+ this.resourceType.qualifiedName() + ", which stays as it was", failure);
	}

	private void mutated(MutatedObjectException finding) {
		failed(Kind.MUTATED_OBJECT, String.valueOf(finding.getMessage()), finding);
	}

	private void batchFailed(Throwable failure, boolean relisting) {
		failed(Kind.OTHER, "What was queued could not be applied to the store; "
				+ (relisting ? "the state is listed again" : "it is tried again"), failure);
	}

	private void failed(Kind kind, String message, Throwable cause) {
		logger.atError()
			.addKeyValue("informer", this.name)
			.setCause(cause)
			.log("Informer '{}': {}", this.name, message);
		InformerFailure failure = new InformerFailure(kind, message, this.environment.time().now(), cause);
		this.environment.listener().onEvent(new InformerEvent.Failed(this, null, failure));
	}

}

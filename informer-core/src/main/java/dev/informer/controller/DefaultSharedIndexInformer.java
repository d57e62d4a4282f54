/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InvalidOptionException;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Indexer;
import dev.informer.client.ListerWatcher;
import dev.informer.client.Moment;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.ResourceVersions;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Default {@link SharedIndexInformer}: wires the parts of an informer together and
 * delegates to them. {@link ReflectorSet}, {@link TransformingSink}, the queue of a run,
 * {@link ProcessLoop}, {@link StoreUpdater} and {@link SharedProcessor} are the way of a
 * change; {@link Controller} starts and stops the runs.
 * <p>
 * <b>Concurrency.</b> Thread-safe, because all parts are. It has no lock.
 */
final class DefaultSharedIndexInformer<T extends KubernetesObject> implements SharedIndexInformer<T> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	/** Time until another request of the same caller is logged at INFO. */
	private static final long RELIST_LOG_NANOS = TimeSource.nanos(Duration.ofMinutes(1));

	private final String name;

	private final ResourceType<T> resourceType;

	private final InformerOptions options;

	final @Nullable Assignment assignment;

	final InformerEnvironment environment;

	private final Consumer<SharedIndexInformer<?>> closing;

	final Indexer<T> indexer;

	final SharedProcessor<T> processor;

	final MutationDetector<T> mutations;

	final StoreUpdater<T> updater;

	private final Lister<T> lister;

	final SyncLatch latch;

	final FailureReporter failures;

	final TransformingSink<T> sink;

	final ReflectorSet<T> reflectors;

	final Controller<T> controller;

	/** Caller whose request for a relist was logged last; guarded by the monitor. */
	private @Nullable String relistedBy;

	private long relistLoggedAt;

	/**
	 * Create an informer. {@code sources} returns the {@link ListerWatcher} of a
	 * namespace; {@code closing} is called once, when the informer is closed by itself.
	 */
	DefaultSharedIndexInformer(String name, ResourceType<T> resourceType, InformerOptions options,
			InformerEnvironment environment, Function<String, ListerWatcher<T>> sources,
			@Nullable Assignment assignment, Consumer<SharedIndexInformer<?>> closing) {
		this.name = name;
		this.resourceType = resourceType;
		this.options = options;
		this.assignment = assignment;
		this.environment = environment;
		this.closing = closing;
		List<String> fixed = options.namespaces().isEmpty() ? List.of("") : options.namespaces();
		List<String> namespaces = (assignment != null) ? List.of() : fixed;
		this.failures = new FailureReporter(this, environment);
		this.indexer = new Indexer<>(this.failures::indexFailed);
		this.processor = new SharedProcessor<>(this, this.indexer, environment.settings().interceptor(),
				(handler, task) -> environment.newThread(name, "handler-" + handler, task), environment.time(),
				environment.listener());
		this.mutations = new MutationDetector<>(options.mutationDetection(), environment.time(),
				this.failures::objectMutated);
		this.updater = new StoreUpdater<>(this, this.indexer, this.processor, namespaces, this.mutations,
				environment.listener());
		this.lister = new IndexerLister<>(name, this.indexer,
				() -> options.allowUnsyncedReads() || this.updater.isComplete());
		this.latch = new SyncLatch(environment.syncLock(), name, this::settled);
		this.sink = new TransformingSink<>(this.indexer,
				(key, cause) -> this.failures.transformFailed(key, cause, this.indexer.staleObjects()));
		this.reflectors = new ReflectorSet<>(this, namespaces, sources);
		this.controller = new Controller<>(this);
	}

	private void settled() {
		this.environment.gate().passed(this.latch);
		this.processor.endWaits(this.latch::refusal);
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
	public void addMultiValueIndex(String name, IndexFunction<T> function) {
		this.indexer.addIndex(name, function);
	}

	@Override
	public void enableIndex(String name) {
		this.indexer.enableIndex(name);
	}

	@Override
	public Map<String, IndexFunction<T>> indices() {
		return this.indexer.indices();
	}

	@Override
	public void setTransform(ObjectTransform<T> transform) {
		this.controller.setTransform(transform);
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<T> handler,
			Consumer<HandlerOptions.Builder<T>> options) {
		HandlerOptions.Builder<T> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		HandlerOptions<T> built = builder.build();
		checkChanges(built.changes());
		HandlerRegistration registration = this.processor.add(this.mutations.guard(built.name(), handler), built);
		this.controller.wake();
		return registration;
	}

	private void checkChanges(Set<ChangedPart> changes) {
		if (this.resourceType.type() == PartialObjectMetadata.class
				&& (changes.contains(ChangedPart.SPEC) || changes.contains(ChangedPart.STATUS))) {
			throw new InvalidOptionException("changes",
					"must not contain spec or status: the objects of informer '" + this.name
							+ "' have only their metadata. An update in which labels, annotations and owners are "
							+ "equal is a change of another part");
		}
	}

	@Override
	public List<HandlerRegistration> handlers() {
		return this.processor.registrations();
	}

	@Override
	public void start() {
		this.controller.start();
	}

	@Override
	public void relist(String requestedBy) {
		boolean joined = this.reflectors.relist(RelistReason.REQUESTED);
		logger.atLevel(isLoggedAgain(requestedBy) ? Level.DEBUG : Level.INFO)
			.addKeyValue("informer", this.name)
			.log("Informer '{}': relist requested by {}{}", this.name, requestedBy,
					joined ? "; joining the one in progress" : "");
	}

	/**
	 * Return whether a request of the same caller was logged less than a minute ago.
	 */
	private synchronized boolean isLoggedAgain(String requestedBy) {
		long now = this.environment.time().nanoTime();
		boolean again = requestedBy.equals(this.relistedBy) && now - this.relistLoggedAt < RELIST_LOG_NANOS;
		if (!again) {
			this.relistedBy = requestedBy;
			this.relistLoggedAt = now;
		}
		return again;
	}

	@Override
	public void resync() {
		this.controller.resync();
	}

	@Override
	public void stop(Duration drain) {
		Controller.stop(List.of(this.controller), drain, this.environment.time());
	}

	@Override
	public void close() {
		boolean first = markClosed();
		if (first) {
			// first, so that nothing waits for this informer while it stops
			this.closing.accept(this);
		}
		stop(Duration.ZERO);
		if (first) {
			this.environment.gate().remove(this.processor);
			this.processor.reportDiscarded();
			this.environment.listener().onEvent(new InformerEvent.Removed(this));
		}
	}

	/**
	 * Refuse a start and more handlers from now on, end the waits for this informer, and
	 * return whether it was open before.
	 */
	boolean markClosed() {
		boolean first = this.controller.markClosed();
		if (first) {
			this.latch.close();
			if (this.assignment != null) {
				this.assignment.close();
			}
		}
		return first;
	}

	@Override
	public boolean hasSynced() {
		return this.latch.isSynced();
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		this.controller.requireStarted();
		return this.latch.await(this.latch::isSynced, timeout);
	}

	@Override
	public boolean awaitAtLeast(String resourceVersion, Duration timeout) throws InterruptedException {
		if (!ResourceVersions.hasOrder(resourceVersion)) {
			throw new IllegalArgumentException("Cannot wait for resource version '" + resourceVersion
					+ "': only decimal numbers without leading zeros are comparable.");
		}
		this.controller.requireStarted();
		// in this order: a reflector hands over a list before it follows the server again
		return this.latch.await(() -> this.reflectors.isVerified() && !this.controller.isReplacing()
				&& this.updater.hasReached(resourceVersion), timeout);
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.updater.resourceVersion();
	}

	@Override
	public InformerState state() {
		return this.controller.state();
	}

	@Override
	public Map<String, InformerState> statesByNamespace() {
		return this.controller.states();
	}

	@Override
	public Optional<SharedIndexInformer<PartialObjectMetadata>> namespaceInformer() {
		return (this.assignment instanceof NamespaceAssignment selected) ? Optional.of(selected.informer())
				: Optional.empty();
	}

	@Override
	public Set<String> omittedNamespaces() {
		ReflectorSet.Omission omission = this.reflectors.omission();
		return (omission != null) ? omission.namespaces() : Set.of();
	}

	@Override
	public Optional<Moment> lastActivity() {
		return this.reflectors.lastActivity();
	}

	@Override
	public Optional<String> encoding() {
		return this.reflectors.encoding();
	}

	@Override
	public int queueDepth() {
		return this.controller.queueDepth();
	}

	@Override
	public String toString() {
		return "informer '" + this.name + "' of " + this.resourceType;
	}

}

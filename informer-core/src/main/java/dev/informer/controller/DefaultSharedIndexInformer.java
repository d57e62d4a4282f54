/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.InvalidOptionException;
import dev.informer.Lister;
import dev.informer.NotSyncedException;
import dev.informer.ObjectTransform;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.cache.Indexer;
import dev.informer.cache.StaleObjects;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.Moment;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.processor.MutationDetector;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.Reflector;
import dev.informer.reflector.ReflectorFactory;
import dev.informer.reflector.ResourceVersions;
import dev.informer.support.Arguments;
import dev.informer.work.FollowedCache;
import dev.informer.work.InformerCauses;
import dev.informer.work.StateLock;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Default {@link SharedIndexInformer}: wires the parts of an informer together, and
 * starts and stops it. {@link ReflectorSet}, {@link TransformingSink}, the queue of a
 * {@link Run}, {@link StoreUpdater} and {@link SharedProcessor} are the way of a change.
 * A run, from a start to a stop, has its own queue and threads. The store, the handlers
 * and the reflectors outlive it.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The lock of the factory guards which run is the
 * current one and the flags of the runs. It is not held while a stop waits or while code
 * of the user runs: the supplier of the connection, the thread factory, listeners.
 */
final class DefaultSharedIndexInformer<T extends KubernetesObject> implements SharedIndexInformer<T>, FollowedCache {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	/** Time that the threads of a run have to end once handlers may no longer drain. */
	private static final long GRACE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	/** Time until another request of the same caller is logged at INFO. */
	private static final long RELIST_LOG_NANOS = TimeSource.nanos(Duration.ofMinutes(1));

	private static final Duration UNTIL_CANCELLED = Duration.ofDays(1);

	private final String name;

	private final ResourceType<T> resourceType;

	private final InformerOptions options;

	private final @Nullable Assignment assignment;

	private final SharedParts parts;

	private final TimeSource time;

	private final Indexer<T> indexer;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final StoreUpdater<T> updater;

	private final SyncLatch latch;

	private final InformerReporter reporter;

	private final ReflectorSet<T> reflectors;

	private final Function<String, ListerWatcher<T>> sources;

	/** Run of the last start; {@code null} before the first one. */
	private volatile @Nullable Run<T> last;

	/** State while there is no run. */
	private volatile InformerState idle;

	private boolean closed;

	/** Caller whose request for a relist was logged last; guarded by the monitor. */
	private @Nullable String relistedBy;

	private long relistLoggedAt;

	/**
	 * Create an informer. {@code sources} returns the {@link ListerWatcher} of a
	 * namespace.
	 */
	DefaultSharedIndexInformer(String name, ResourceType<T> resourceType, InformerOptions options, SharedParts parts,
			Function<String, ListerWatcher<T>> sources, @Nullable Assignment assignment) {
		this.name = name;
		this.resourceType = resourceType;
		this.options = options;
		this.assignment = assignment;
		this.parts = parts;
		this.time = parts.time();
		List<String> fixed = options.namespaces().isEmpty() ? List.of("") : options.namespaces();
		List<String> namespaces = (assignment != null) ? List.of() : fixed;
		this.sources = sources;
		this.idle = new InformerState(Phase.NOT_STARTED, this.time.moment(), null, null, null);
		this.latch = parts.latch(name, this::settled);
		this.reporter = parts.reporter(this, this.latch);
		this.indexer = new Indexer<>(
				(description, cause) -> this.reporter.failed(Kind.INDEX_FUNCTION, description, cause),
				this::requireReadable, this::requireAnswer);
		this.processor = parts.processor(this, this.indexer);
		this.mutations = new MutationDetector<>(options.mutationDetection(), this.time,
				(finding) -> this.reporter.failed(Kind.MUTATED_OBJECT, String.valueOf(finding.getMessage()), finding));
		this.updater = new StoreUpdater<>(this.indexer, this.processor, this.mutations, namespaces, this.reporter);
		this.reflectors = new ReflectorSet<>(namespaces, this.idle,
				new ReflectorFactory<>(this, sources, this.indexer, this.time),
				new TransformingSink<>(this.indexer, resourceType, this.reporter, this.time), this.reporter);
		if (assignment != null) {
			assignment.follow(this::wake);
		}
	}

	private void settled() {
		this.parts.settled(this.latch);
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
		return this.indexer;
	}

	private void requireReadable() {
		if (!this.options.allowUnsyncedReads() && !this.updater.isComplete()) {
			throw new NotSyncedException(this.name);
		}
	}

	/**
	 * Refuse to answer for a namespace that was not listed. What a {@link WatchedSet} or
	 * unsynced reads leave out is not awaited.
	 */
	private void requireAnswer(String namespace) {
		boolean selected = this.options.namespaceSelector() != null && !this.options.allowUnsyncedReads();
		if (selected && this.reflectors.find(namespace) != null) {
			throw new NotSyncedException(this.name, namespace);
		}
		if (selected || !(this.options.namespaces().isEmpty() || this.options.namespaces().contains(namespace))) {
			throw InformerCauses.notWatched(this, namespace);
		}
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
		Arguments.require("set the transform", "transform", transform);
		this.reflectors.setTransform(transform);
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<T> handler,
			Consumer<HandlerOptions.Builder<T>> options) {
		Arguments.require("add a handler", "handler", handler);
		Arguments.require("add a handler", "options", options);
		HandlerOptions.Builder<T> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		HandlerOptions<T> built = builder.build();
		checkChanges(built.changes());
		HandlerRegistration registration = this.processor.add(this.mutations.guard(built.name(), handler), built);
		wake();
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
	public void wake() {
		Run<T> current = current();
		if (current != null) {
			current.wake();
		}
	}

	/**
	 * Return the current run; {@code null} before a start and after a stop.
	 */
	private @Nullable Run<T> current() {
		Run<T> current = this.last;
		return (current != null && !current.isStopped()) ? current : null;
	}

	@Override
	public void start() {
		Run<T> next = this.parts.locked(this::nextRun);
		if (next == null) {
			return;
		}
		try {
			if (this.assignment != null) {
				this.assignment.start();
			}
			next.start();
			this.processor.startFirstThreads();
			next.launch();
		}
		catch (RuntimeException | Error ex) {
			Map<Run<?>, SharedProcessor<?>> ended = new LinkedHashMap<>();
			end(next, this.idle, ended);
			await(ended, Duration.ZERO, this.time);
			throw ex;
		}
	}

	private @Nullable Run<T> nextRun() {
		if (this.closed) {
			throw new IllegalStateException(
					"Informer '" + this.name + "' is closed and cannot be started. Create another one.");
		}
		if (current() != null) {
			return null;
		}
		Run<T> next = new Run<>(this.last, this.parts, this.reflectors, this.updater, this.reporter,
				this::assignmentUpdater);
		this.processor.requestStart();
		this.last = next;
		return next;
	}

	private @Nullable AssignmentUpdater<T> assignmentUpdater(ReflectorThreads<T> threads) {
		return (this.assignment != null) ? new AssignmentUpdater<>(this.assignment, this.options, this.reflectors,
				threads, this.reporter, this.time) : null;
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
		long now = this.time.nanoTime();
		boolean again = requestedBy.equals(this.relistedBy) && now - this.relistLoggedAt < RELIST_LOG_NANOS;
		if (!again) {
			this.relistedBy = requestedBy;
			this.relistLoggedAt = now;
		}
		return again;
	}

	@Override
	public void resync() {
		Run<T> current = current();
		if (current != null) {
			current.resync(handlers().stream().map(HandlerRegistration::name).collect(Collectors.toSet()));
		}
	}

	@Override
	public void stop(Duration drain) {
		stop(List.of(this), drain, this.time);
	}

	/**
	 * Stop the current runs of some informers, with one deadline for all of them.
	 * @param drain the time for which handlers may process pending events
	 */
	static void stop(Collection<DefaultSharedIndexInformer<?>> informers, Duration drain, TimeSource time) {
		Map<Run<?>, SharedProcessor<?>> ended = new LinkedHashMap<>();
		informers.forEach((each) -> each.stop(ended));
		await(ended, drain, time);
	}

	private void stop(Map<Run<?>, SharedProcessor<?>> ended) {
		Run<T> current = current();
		if (current != null) {
			end(current, stopped(), ended);
		}
	}

	/**
	 * Wait for the end of the threads of runs, and of those of the handlers.
	 */
	private static void await(Map<Run<?>, SharedProcessor<?>> ended, Duration drain, TimeSource time) {
		long deadline = time.nanoTime() + TimeSource.nanos(drain);
		try {
			// threads first: the batch in process is to reach the handlers before they
			// drain
			for (Run<?> run : ended.keySet()) {
				run.join(deadline + GRACE_NANOS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		SharedProcessor.awaitStop(ended.values(), deadline, time);
	}

	/**
	 * End a run, if it is the current one. The state applies from now on. Does not wait.
	 */
	private void end(Run<T> ending, InformerState state, Map<Run<?>, SharedProcessor<?>> ended) {
		boolean first = this.parts.locked(() -> {
			boolean current = !ending.isStopped();
			if (current) {
				this.idle = state;
				ending.requestStop();
				this.processor.requestStop();
			}
			return current;
		});
		if (!first) {
			return;
		}
		try {
			ending.stop();
		}
		finally {
			ended.put(ending, this.processor);
		}
		this.reporter.publishStates();
	}

	private InformerState stopped() {
		return new InformerState(Phase.STOPPED, this.time.moment(), null, null, null);
	}

	@Override
	public void close() {
		boolean first = markClosed();
		if (first) {
			// first, so that nothing waits for this informer while it stops
			this.parts.forget(this);
			if (this.assignment != null) {
				this.assignment.release();
			}
		}
		stop(Duration.ZERO);
		if (first) {
			this.parts.remove(this.processor);
			this.processor.reportDiscarded();
			this.reporter.publishRemoval();
		}
	}

	/**
	 * Refuse a start and more handlers from now on, end the waits for this informer, and
	 * return whether it was open before.
	 */
	boolean markClosed() {
		InformerState state = stopped();
		boolean first = this.parts.locked(() -> {
			boolean open = !this.closed;
			if (open) {
				this.closed = true;
				this.processor.close();
				this.idle = (this.idle.phase() == Phase.NOT_STARTED) ? state : this.idle;
			}
			return open;
		});
		if (first) {
			this.latch.close();
			if (this.assignment != null) {
				this.assignment.close();
			}
		}
		return first;
	}

	/**
	 * Report the events that handlers of a closed informer have not received.
	 */
	void reportDiscarded() {
		this.processor.reportDiscarded();
	}

	boolean isClosed() {
		return this.parts.locked(() -> this.closed);
	}

	/**
	 * Refuse to wait for an informer that nothing has started: the wait could only time
	 * out.
	 */
	void requireStarted() {
		if (state().phase() == Phase.NOT_STARTED) {
			throw new IllegalStateException("Cannot wait for informer '" + this.name
					+ "': it was not started. Start it, its factory or the application first.");
		}
	}

	@Override
	public boolean hasSynced() {
		return this.latch.isSynced();
	}

	/**
	 * Return whether the informer has synced in the current run.
	 */
	boolean hasSyncedInRun() {
		Run<T> current = current();
		return current != null && current.hasSynced();
	}

	/**
	 * Return whether the informer belongs to the factory with these parts.
	 */
	boolean shares(SharedParts others) {
		return this.parts == others;
	}

	/**
	 * Let a gate pause the handlers.
	 */
	void addTo(HandlerGate gate) {
		gate.add(this.processor);
	}

	/**
	 * Close a gate until some informers have synced.
	 */
	static void close(HandlerGate gate, Collection<DefaultSharedIndexInformer<?>> untilSynced) {
		gate.close(untilSynced.stream().map((each) -> each.latch).toList());
	}

	/**
	 * Wait until several informers have synced.
	 */
	static boolean awaitSynced(Collection<DefaultSharedIndexInformer<?>> informers, StateLock lock, Duration timeout)
			throws InterruptedException {
		return SyncLatch.awaitAll(lock, informers.stream().map((each) -> each.latch).toList(), timeout);
	}

	/**
	 * Add a callback for changes of the cache and failures. It must not wait.
	 */
	void follow(Runnable follower) {
		this.latch.follow(follower);
	}

	void unfollow(Runnable follower) {
		this.latch.unfollow(follower);
	}

	boolean isFollowed() {
		return this.latch.isFollowed();
	}

	/**
	 * Return the permanent failure; {@code null} without one.
	 */
	@Nullable InformerFailure failure() {
		return this.latch.failure();
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		requireStarted();
		return this.latch.await(this.latch::isSynced, timeout);
	}

	@Override
	public boolean awaitAtLeast(String resourceVersion, Duration timeout) throws InterruptedException {
		return awaitAtLeast(resourceVersion, null, () -> true, timeout);
	}

	@Override
	public boolean awaitAtLeast(T written, Duration timeout) throws InterruptedException {
		Arguments.require("wait for an object", "written", written);
		ObjectState state = ObjectState.of(written);
		return awaitAtLeast(String.valueOf(state.resourceVersion()), namespaceOf(state), () -> true, timeout);
	}

	@Override
	public boolean awaitDeleted(T deleted, Duration timeout) throws InterruptedException {
		Arguments.require("wait for a deletion", "deleted", deleted);
		ObjectState state = ObjectState.of(deleted);
		String key = state.key();
		if (key == null || state.uid() == null) {
			throw new IllegalArgumentException("Cannot wait for the deletion of " + state
					+ ": it has no name or no UID. Pass the object as it was read.");
		}
		return awaitAtLeast(String.valueOf(state.resourceVersion()), namespaceOf(state), () -> {
			T cached = this.indexer.snapshot().get().get(key);
			return cached == null || !ObjectKey.sameObject(cached, deleted);
		}, timeout);
	}

	/**
	 * Return the namespace of the store that an object belongs to.
	 */
	private String namespaceOf(ObjectState object) {
		String namespace = Objects.requireNonNullElse(object.namespace(), "");
		Set<String> fixed = this.reflectors.fixedNamespaces();
		if (this.assignment == null && !fixed.contains("") && !fixed.contains(namespace)) {
			throw new IllegalArgumentException("Cannot wait for " + object + ": informer '" + this.name
					+ "' watches only the namespaces " + fixed + ".");
		}
		return namespace;
	}

	/**
	 * Wait until all namespaces have reached a version, or those that contain a
	 * namespace.
	 */
	private boolean awaitAtLeast(String resourceVersion, @Nullable String namespace, BooleanSupplier contents,
			Duration timeout) throws InterruptedException {
		Arguments.require("wait for a version", "resourceVersion", resourceVersion);
		Arguments.require("wait for a version", "timeout", timeout);
		if (!ResourceVersions.hasOrder(resourceVersion)) {
			throw new IllegalArgumentException("Cannot wait for resource version '" + resourceVersion
					+ "': only decimal numbers without leading zeros are comparable.");
		}
		requireStarted();
		AtomicReference<@Nullable BooleanSupplier> poll = new AtomicReference<>();
		return this.latch.await(() -> {
			// in this order: a reflector hands over a list before it follows the server
			boolean reached = this.reflectors.isVerified() && !isReplacing()
					&& this.updater.hasReached(resourceVersion, namespace) && contents.getAsBoolean();
			BooleanSupplier polled = poll.get();
			boolean pollable = !reached && !this.options.watch() && !isReplacing();
			if (pollable && (polled == null || polled.getAsBoolean())) {
				poll.set(this.reflectors.poll(namespace));
			}
			return reached;
		}, timeout);
	}

	@Override
	public boolean isFollowing() {
		Run<T> current = current();
		return current != null && current.hasSynced() && !current.isReplacing()
				&& this.reflectors.isFollowing(null, this::isExcused);
	}

	/**
	 * Return whether a reflector is that of a selected namespace that was not listed, or
	 * in which permissions are missing.
	 */
	private boolean isExcused(Reflector<T> reflector) {
		return this.assignment != null && (this.updater.distributedVersion(reflector.namespace()).isEmpty()
				|| ReflectorSet.isRefused(reflector.state()));
	}

	@Override
	public boolean isReadable() {
		return this.updater.isComplete();
	}

	@Override
	public @Nullable KubernetesObject find(String key) {
		return isReadable() ? this.indexer.find(key) : null;
	}

	@Override
	public List<ObjectState> states(String namespace) {
		return this.indexer.keys(namespace)
			.stream()
			.flatMap((key) -> Optional.ofNullable(find(key)).stream())
			.map(ObjectState::of)
			.toList();
	}

	@Override
	public void requireListed(String namespace) {
		this.indexer.requireListed(namespace);
	}

	@Override
	public long epoch() {
		return this.updater.epoch();
	}

	@Override
	public boolean hasReached(String resourceVersion, @Nullable String namespace) {
		try {
			// in this order: a reflector hands over a list before it follows the server
			return ResourceVersions.hasOrder(resourceVersion) && this.reflectors.isFollowing(namespace, this::isExcused)
					&& !isReplacing() && this.updater.hasReached(resourceVersion, namespace);
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	@Override
	public String list(String namespace, Consumer<ObjectState> objects, Cancellation cancellation) throws IOException {
		if (!this.options.watch()) {
			awaitPoll(namespace, cancellation);
			states(namespace).forEach(objects);
			return this.indexer.resourceVersion(this.reflectors.fixedNamespaces().contains("") ? "" : namespace);
		}
		ListerWatcher<T> source = this.sources.apply(namespace);
		ObjectSelector selector = (this.options.watchedSet() != null) ? this.options.watchedSet().selector() : null;
		ListSink<T> sink = new MetadataSink<>(objects);
		ListPage page = source.list(new ListRequest("", this.options.pageSize(), null, true, selector), sink,
				cancellation);
		String version = page.resourceVersion();
		while (page.continueToken() != null) {
			page = source.list(new ListRequest(null, this.options.pageSize(), page.continueToken(), true, selector),
					sink, cancellation);
		}
		return version;
	}

	/**
	 * Wait until the cache has a list that begins now.
	 */
	private void awaitPoll(String namespace, Cancellation cancellation) throws IOException {
		BooleanSupplier handedOver = this.reflectors.poll(namespace);
		BooleanSupplier polled = () -> handedOver.getAsBoolean() && current() != null
				&& this.reflectors.isFollowing(namespace, this::isExcused) && !isReplacing();
		Closeable wakeUp = this.latch::changed;
		cancellation.register(wakeUp);
		try {
			this.latch.await(() -> cancellation.isCancelled() || polled.getAsBoolean(), UNTIL_CANCELLED);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			cancellation.unregister(wakeUp);
		}
		if (!polled.getAsBoolean()) {
			throw new IOException("informer '" + this.name + "' has not listed in time");
		}
	}

	/**
	 * Return whether a list waits for the store.
	 */
	private boolean isReplacing() {
		Run<T> current = current();
		return current != null && current.isReplacing();
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.updater.resourceVersion();
	}

	@Override
	public InformerState state() {
		Run<T> current = current();
		InformerState without = this.idle;
		List<InformerState> states = new ArrayList<>(states(current, without).values());
		if (this.assignment != null) {
			states.add((current != null) ? current.stateOfStore(this.assignment.state()) : without);
		}
		InformerState worst = ReflectorSet.worst(states);
		ReflectorSet.Omission omission = this.reflectors.omission();
		return (current != null && omission != null)
				? ReflectorSet.worst(List.of(worst, new InformerState(worst.phase(), worst.since(), omission.failure(),
						omission.since(), worst.nextAttempt())))
				: withUnreadable(worst);
	}

	/**
	 * Return a state with the failure to read any object. The informer follows the server
	 * nevertheless: whoever may write the only object must not be able to fail it.
	 */
	private InformerState withUnreadable(InformerState state) {
		boolean complete = state.phase() == Phase.WATCHING && state.failure() == null && hasSynced()
				&& queueDepth() == 0;
		StaleObjects.Cause cause = complete ? this.indexer.unreadable() : null;
		if (cause == null) {
			return state;
		}
		String message = "Cannot read any object of " + this.resourceType.qualifiedName() + ", such as one with: "
				+ cause.reason() + ". Correct the class, its adapters or the transform, or the objects.";
		return new InformerState(state.phase(), state.since(), new InformerFailure(Kind.UNDECODABLE_OBJECT, message,
				cause.time(), new IllegalArgumentException(cause.reason())), state.failingSince(), state.nextAttempt());
	}

	@Override
	public Map<String, InformerState> statesByNamespace() {
		return states(current(), this.idle);
	}

	private Map<String, InformerState> states(@Nullable Run<T> current, InformerState without) {
		if (current != null) {
			return current.states();
		}
		Map<String, InformerState> states = this.reflectors.states();
		states.replaceAll((namespace, state) -> without);
		return states;
	}

	@Override
	public Optional<SharedIndexInformer<PartialObjectMetadata>> namespaceInformer() {
		return (this.assignment != null) ? this.assignment.informer() : Optional.empty();
	}

	@Override
	public Set<String> omittedNamespaces() {
		ReflectorSet.Omission omission = this.reflectors.omission();
		return (omission != null) ? omission.namespaces() : Set.of();
	}

	@Override
	public Optional<Moment> lastActivity() {
		List<Optional<Moment>> activities = this.reflectors.lastActivities();
		if (this.assignment != null) {
			// a namespace without permissions has no activity, and hides none of others
			return Stream.concat(Stream.of(this.assignment.lastActivity()), activities.stream())
				.flatMap(Optional::stream)
				.min(Comparator.naturalOrder());
		}
		return activities.stream().allMatch(Optional::isPresent)
				? activities.stream().flatMap(Optional::stream).min(Comparator.naturalOrder()) : Optional.empty();
	}

	@Override
	public Optional<String> encoding() {
		return this.reflectors.encoding();
	}

	@Override
	public int queueDepth() {
		Run<T> current = current();
		return (current != null) ? current.queueDepth() : 0;
	}

	@Override
	public String toString() {
		return "informer '" + this.name + "' of " + this.resourceType;
	}

	/**
	 * Sink of the identities of items, which need not be decoded.
	 */
	private record MetadataSink<T extends KubernetesObject>(Consumer<ObjectState> objects) implements ListSink<T> {

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			this.objects.accept(state);
			return Found.unwanted();
		}

		@Override
		public void accept(T object) {
			this.objects.accept(ObjectState.of(object));
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			this.objects.accept(object.state());
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.Moment;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.work.FollowedCache;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import static org.mockito.Mockito.mock;

/**
 * An informer that does what a test says.
 *
 * @param <T> the type of the objects
 */
public final class TestInformer<T extends KubernetesObject> implements SharedIndexInformer<T>, FollowedCache {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final ResourceType<T> resourceType;

	private final InformerOptions options;

	private final List<TestHandler<T>> handlers = new CopyOnWriteArrayList<>();

	private final Lister<T> lister = mock();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private InformerState state = new InformerState(Phase.NOT_STARTED, TimeSource.SYSTEM.moment(), null, null, null);

	private volatile Map<String, InformerState> states = Map.of();

	private volatile Runnable onStart = () -> {
	};

	private volatile @Nullable Moment lastActivity;

	private volatile CountDownLatch handlersSynced = new CountDownLatch(0);

	private boolean synced;

	private boolean syncsOnStart;

	private @Nullable InformerFailure failsWith;

	private Phase failingPhase = Phase.BACKING_OFF;

	public TestInformer(ResourceType<T> resourceType, InformerOptions options, boolean syncsOnStart) {
		this.resourceType = resourceType;
		this.options = options;
		this.syncsOnStart = syncsOnStart;
	}

	public TestInformer<T> failing(Phase phase, InformerFailure failure) {
		this.syncsOnStart = false;
		this.failingPhase = phase;
		this.failsWith = failure;
		return this;
	}

	/**
	 * Set an action that runs whenever this informer is started.
	 */
	public void onStart(Runnable action) {
		this.onStart = action;
	}

	/**
	 * Let the handlers that are added from now on not have received the initial list.
	 * @return to be counted down when they have
	 */
	public CountDownLatch blockHandlers() {
		CountDownLatch received = new CountDownLatch(1);
		this.handlersSynced = received;
		return received;
	}

	/**
	 * Set the states of several namespaces.
	 */
	public TestInformer<T> withStates(InformerState... states) {
		Map<String, InformerState> byNamespace = new LinkedHashMap<>();
		for (InformerState each : states) {
			byNamespace.put("ns" + byNamespace.size(), each);
		}
		this.states = byNamespace;
		return this;
	}

	public TestInformer<T> withState(InformerState state, boolean synced) {
		this.lock.lock();
		try {
			this.state = state;
			this.synced = synced;
			this.lastActivity = synced ? TimeSource.SYSTEM.moment() : null;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		return this;
	}

	public void setLastActivity(Moment moment) {
		this.lastActivity = moment;
	}

	public void deliver(ResourceEvent<T> event) throws Exception {
		for (TestHandler<T> handler : this.handlers) {
			if (handler.options().on().contains(event.type())) {
				handler.handler().handle(event);
			}
		}
	}

	public List<String> calls() {
		return this.calls;
	}

	public HandlerOptions<T> handlerOptions(String name) {
		return this.handlers.stream()
			.map(TestHandler::options)
			.filter((each) -> name.equals(each.name()))
			.findFirst()
			.orElseThrow();
	}

	@Override
	public String name() {
		String name = this.options.name();
		return (name != null) ? name : this.resourceType.plural();
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
	public void enableIndex(String name) {
	}

	@Override
	public Map<String, IndexFunction<T>> indices() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean awaitAtLeast(String resourceVersion, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean awaitAtLeast(T written, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean awaitDeleted(T deleted, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void setTransform(ObjectTransform<T> transform) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void addMultiValueIndex(String name, IndexFunction<T> function) {
		throw new UnsupportedOperationException();
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<T> handler,
			Consumer<HandlerOptions.Builder<T>> options) {
		HandlerOptions.Builder<T> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		TestHandler<T> added = new TestHandler<>(handler, builder.build(), this.handlers, this.handlersSynced);
		this.handlers.add(added);
		return added;
	}

	@Override
	public List<HandlerRegistration> handlers() {
		return new ArrayList<>(this.handlers);
	}

	@Override
	public void start() {
		if (this.calls.contains("close")) {
			throw new IllegalStateException("Informer '" + name() + "' is closed");
		}
		this.calls.add("start");
		this.onStart.run();
		InformerFailure failure = this.failsWith;
		if (failure != null) {
			Moment now = TimeSource.SYSTEM.moment();
			withState(new InformerState(this.failingPhase, now, failure, now, null), false);
		}
		else if (this.syncsOnStart) {
			withState(new InformerState(Phase.WATCHING, TimeSource.SYSTEM.moment(), null, null, null), true);
		}
		else {
			withState(new InformerState(Phase.LISTING, TimeSource.SYSTEM.moment(), null, null, null), this.synced);
		}
	}

	@Override
	public void relist(String requestedBy) {
		this.calls.add("relist by " + requestedBy);
	}

	@Override
	public void resync() {
		this.calls.add("resync");
	}

	@Override
	public void stop(Duration drain) {
		this.calls.add("stop");
		withState(new InformerState(Phase.STOPPED, TimeSource.SYSTEM.moment(), null, null, null), this.synced);
	}

	@Override
	public void close() {
		this.calls.add("close");
	}

	@Override
	public boolean hasSynced() {
		this.lock.lock();
		try {
			return this.synced;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		this.lock.lockInterruptibly();
		try {
			while (!this.synced && deadline - System.nanoTime() > 0) {
				InformerFailure failure = this.state.failure();
				if (this.state.phase() == Phase.FAILED && failure != null) {
					throw new InformerFailedException(name(), failure);
				}
				this.changed.awaitNanos(deadline - System.nanoTime());
			}
			return this.synced;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String lastSyncResourceVersion() {
		return "1";
	}

	@Override
	public InformerState state() {
		this.lock.lock();
		try {
			return this.state;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public Map<String, InformerState> statesByNamespace() {
		if (!this.states.isEmpty()) {
			return this.states;
		}
		if (this.options.namespaceSelector() != null) {
			return Map.of();
		}
		return this.options.namespaces().isEmpty() ? Map.of("", state())
				: this.options.namespaces()
					.stream()
					.collect(Collectors.toMap((namespace) -> namespace, (namespace) -> state()));
	}

	@Override
	public Optional<Moment> lastActivity() {
		return Optional.ofNullable(this.lastActivity);
	}

	@Override
	public int queueDepth() {
		return 0;
	}

	@Override
	public boolean isFollowing() {
		return hasSynced();
	}

	@Override
	public long epoch() {
		return 0;
	}

	@Override
	public boolean isReadable() {
		return hasSynced();
	}

	@Override
	public @Nullable KubernetesObject find(String key) {
		return null;
	}

	@Override
	public List<ObjectState> states(String namespace) {
		return List.of();
	}

	@Override
	public void requireListed(String namespace) {
	}

	@Override
	public void wake() {
	}

	@Override
	public boolean hasReached(String resourceVersion, @Nullable String namespace) {
		return hasSynced();
	}

	@Override
	public String list(String namespace, Consumer<ObjectState> objects, Cancellation cancellation) {
		return lastSyncResourceVersion();
	}

	@Override
	public Optional<String> encoding() {
		return Optional.of("protobuf");
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.WatchedSet;
import dev.informer.cache.Indexer;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Processor of an informer that is never started: the test distributes the events.
 */
final class HandlerFixture implements AutoCloseable {

	/** Maximum time of an operation that is expected to succeed. */
	static final Duration LONG = Duration.ofSeconds(60);

	private final Queue<InformerEvent> published = new ConcurrentLinkedQueue<>();

	private final Queue<HandlerFailure<?>> failures = new ConcurrentLinkedQueue<>();

	private final List<List<String>> handlers = new CopyOnWriteArrayList<>();

	private final InformerFactory factory = InformerFactory.create(ApiClient::new, (settings) -> {
	});

	private final Indexer<V1Pod> cache = new Indexer<>((description, failure) -> {
	});

	private final SharedProcessor<V1Pod> processor;

	private final TimeSource time;

	private volatile long received;

	private volatile Runnable action = () -> {
	};

	HandlerFixture(TimeSource time) {
		this(time, HandlerFixture::newThread);
	}

	HandlerFixture(TimeSource time, BiFunction<String, Runnable, Thread> threadFactory) {
		this(time, threadFactory, null);
	}

	HandlerFixture(TimeSource time, WatchedSet objects) {
		this(time, HandlerFixture::newThread, objects);
	}

	private HandlerFixture(TimeSource time, BiFunction<String, Runnable, Thread> threadFactory,
			@Nullable WatchedSet objects) {
		this.time = time;
		this.processor = new SharedProcessor<>(
				this.factory.informer(V1Pod.class, (options) -> options.watchedSet(objects)), this.cache, null,
				threadFactory, time, this::onEvent);
	}

	static Thread newThread(String handler, Runnable task) {
		return new Thread(task, "informer-pods-handler-" + handler);
	}

	/**
	 * Forget what was published so far.
	 */
	void forget() {
		this.published.clear();
		this.failures.clear();
		this.processor.distribute(List.of(), this.received, Map::of, true);
	}

	/**
	 * Run an action with each event that is published.
	 */
	void onEach(Runnable action) {
		this.action = action;
	}

	private void onEvent(InformerEvent event) {
		this.published.add(event);
		if (event instanceof InformerEvent.HandlersChanged) {
			this.handlers.add(this.processor.registrations().stream().map(HandlerRegistration::name).toList());
		}
		this.action.run();
	}

	HandlerRegistration add(ResourceEventHandler<V1Pod> handler, Consumer<HandlerOptions.Builder<V1Pod>> options,
			List<ResourceEvent<V1Pod>> initialList) {
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		HandlerErrorHandler<? super V1Pod> errorHandler = builder.build().errorHandler();
		builder.errorHandler((failure) -> {
			this.failures.add(failure);
			if (errorHandler != null) {
				errorHandler.failed(failure);
			}
		});
		Map<String, V1Pod> objects = new LinkedHashMap<>();
		initialList.forEach((event) -> objects.put(ObjectKey.of(event.object()), event.object()));
		this.processor.distribute(List.of(), this.received, () -> objects, true);
		return this.processor.add(handler, builder.build());
	}

	SharedProcessor<V1Pod> processor() {
		return this.processor;
	}

	/**
	 * Return events with the identities of their objects.
	 */
	static <T extends KubernetesObject> List<KeyedEvent<T>> keyed(List<ResourceEvent<T>> events) {
		return events.stream()
			.map((event) -> new KeyedEvent<>(ObjectKey.of(event.object()), KeyedEvent.uid(event.object()), event))
			.toList();
	}

	@SafeVarargs
	final void distribute(ResourceEvent<V1Pod>... events) {
		for (ResourceEvent<V1Pod> event : events) {
			this.processor.distribute(keyed(List.of(event)), this.received, Map::of, true);
			this.processor.wakeHandlers();
		}
	}

	/**
	 * Return the number of entries of the queue of a handler.
	 */
	static int entries(HandlerRegistration handler) {
		return ((ProcessorListener<?>) handler).entries();
	}

	/**
	 * Put an object into the cache, without an event.
	 */
	void cache(V1Pod pod) {
		this.cache.apply(List.of(), Map.of(ObjectKey.of(pod), pod), Map.of());
	}

	/**
	 * Set the time at which the following events were received to the current time.
	 */
	void receive() {
		this.received = this.time.nanoTime();
	}

	void start() {
		this.processor.requestStart();
		this.processor.startFirstThreads();
	}

	void stop(Duration drain) {
		this.processor.requestStop();
		SharedProcessor.awaitStop(List.of(this.processor), this.time.nanoTime() + drain.toNanos(), this.time);
	}

	@Override
	public void close() {
		stop(Duration.ZERO);
		this.factory.close();
	}

	/**
	 * Return the failures that the error handlers were notified of.
	 */
	List<HandlerFailure<?>> failures() {
		return List.copyOf(this.failures);
	}

	/**
	 * Return the kinds of the failures that were published.
	 */
	List<InformerFailure.Kind> failureKinds() {
		return published(InformerEvent.Failed.class).stream().map((event) -> event.failure().kind()).toList();
	}

	/**
	 * Return the messages of the failures that were published.
	 */
	List<String> failureMessages() {
		return published(InformerEvent.Failed.class).stream().map((event) -> event.failure().message()).toList();
	}

	List<Integer> attempts() {
		return published(InformerEvent.HandlerInvoked.class).stream()
			.map(InformerEvent.HandlerInvoked::attempt)
			.toList();
	}

	List<Duration> lags() {
		return published(InformerEvent.EventDelivered.class).stream().map(InformerEvent.EventDelivered::lag).toList();
	}

	private <E extends InformerEvent> List<E> published(Class<E> type) {
		return this.published.stream().filter(type::isInstance).map(type::cast).toList();
	}

	/**
	 * Return the names of the handlers after each addition and removal.
	 */
	List<List<String>> handlers() {
		return this.handlers;
	}

}

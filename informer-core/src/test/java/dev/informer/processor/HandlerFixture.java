/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.HandlerFailure;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Handlers of an informer that is not there: the test says what happens to the store.
 */
final class HandlerFixture implements HandlerListener, AutoCloseable {

	/** Longer than anything takes. */
	static final Duration LONG = Duration.ofSeconds(20);

	private final List<HandlerFailure<?>> failures = new CopyOnWriteArrayList<>();

	private final List<Integer> attempts = new CopyOnWriteArrayList<>();

	private final List<Duration> lags = new CopyOnWriteArrayList<>();

	private final List<List<String>> handlers = new CopyOnWriteArrayList<>();

	private final List<String> failedFilters = new CopyOnWriteArrayList<>();

	private final SharedProcessor<V1Pod> processor;

	private final TimeSource time;

	private volatile long received;

	HandlerFixture(TimeSource time) {
		this.time = time;
		this.processor = new SharedProcessor<>("pods",
				(handler, task) -> new Thread(task, "informer-pods-handler-" + handler), time, this);
	}

	HandlerRegistration add(ResourceEventHandler<V1Pod> handler, Consumer<HandlerOptions.Builder<V1Pod>> options,
			List<ResourceEvent<V1Pod>> known) {
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		return this.processor.add(handler, builder.build(), known, true);
	}

	SharedProcessor<V1Pod> processor() {
		return this.processor;
	}

	@SafeVarargs
	final void tell(ResourceEvent<V1Pod>... events) {
		for (ResourceEvent<V1Pod> event : events) {
			this.processor.distribute(List.of(event), this.received);
		}
	}

	/**
	 * Set the time at which the following events were received to the current time.
	 */
	void receive() {
		this.received = this.time.nanoTime();
	}

	void stop(Duration drain) {
		this.processor.stop(this.time.nanoTime() + drain.toNanos());
	}

	@Override
	public void close() {
		stop(Duration.ZERO);
	}

	List<HandlerFailure<?>> failures() {
		return this.failures;
	}

	List<Integer> attempts() {
		return this.attempts;
	}

	/**
	 * The names of the handlers there were after each of them came or went.
	 */
	List<List<String>> handlers() {
		return this.handlers;
	}

	List<Duration> lags() {
		return this.lags;
	}

	@Override
	public void handlersChanged() {
		this.handlers.add(this.processor.registrations().stream().map(HandlerRegistration::name).toList());
	}

	@Override
	public void delivered(String handler, ResourceEvent<?> event, Duration lag) {
		this.lags.add(lag);
	}

	@Override
	public void handled(String handler, ResourceEvent<?> event, Duration time, int attempt,
			@Nullable Throwable failure) {
		this.attempts.add(attempt);
	}

	@Override
	public void failed(HandlerFailure<?> failure) {
		this.failures.add(failure);
	}

	@Override
	public void filterFailed(String handler, String key, Throwable cause) {
		this.failedFilters.add(handler + " " + key);
	}

	List<String> failedFilters() {
		return this.failedFilters;
	}

	static ConditionFactory await() {
		return Awaitility.await().atMost(LONG).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
	}

}

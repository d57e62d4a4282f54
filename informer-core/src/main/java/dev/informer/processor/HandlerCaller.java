/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a handler and reports how that went. Whatever anybody throws, errors included,
 * the thread goes on. Thread-safe as far as the handler is.
 *
 * @param <T> the type of the objects
 */
final class HandlerCaller<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(HandlerCaller.class);

	private final String name;

	private final ResourceEventHandler<T> handler;

	private final @Nullable HandlerErrorHandler<? super T> errorHandler;

	private final HandlerListener listener;

	private final TimeSource time;

	HandlerCaller(String name, ResourceEventHandler<T> handler, @Nullable HandlerErrorHandler<? super T> errorHandler,
			HandlerListener listener, TimeSource time) {
		this.name = name;
		this.handler = handler;
		this.errorHandler = errorHandler;
		this.listener = listener;
		this.time = time;
	}

	/**
	 * Calls the handler.
	 * @return what it has thrown
	 */
	@Nullable Throwable call(ResourceEvent<T> event, int attempt) {
		long began = this.time.nanoTime();
		Throwable thrown = null;
		try {
			this.handler.handle(event);
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		Throwable failure = thrown;
		Duration took = Duration.ofNanos(this.time.nanoTime() - began);
		guard(() -> this.listener.handled(this.name, event, took, attempt, failure));
		return failure;
	}

	/**
	 * Says how long it took until the handler knew of an event. A resync brings nothing
	 * that it could have waited for.
	 * @param received when the event came from the server
	 */
	void delivered(ResourceEvent<T> event, long received) {
		if (!event.resync()) {
			Duration lag = Duration.ofNanos(this.time.nanoTime() - received);
			guard(() -> this.listener.delivered(this.name, event, lag));
		}
	}

	/**
	 * Tells everybody who wants to know that the handler has thrown.
	 */
	void failed(ResourceEvent<T> event, int attempt, @Nullable Duration retryIn, Throwable cause) {
		HandlerFailure<T> failure = new HandlerFailure<>(this.name, event, attempt, retryIn, cause);
		guard(() -> this.listener.failed(failure));
		if (this.errorHandler != null) {
			guard(() -> this.errorHandler.failed(failure));
		}
	}

	/**
	 * Runs something of the user's.
	 */
	void guard(Runnable report) {
		try {
			report.run();
		}
		catch (Throwable ex) {
			logger.atError()
				.addKeyValue("handler", this.name)
				.setCause(ex)
				.log("What hears of handler '{}' has thrown", this.name);
		}
	}

}

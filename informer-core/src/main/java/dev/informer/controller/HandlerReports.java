/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.HandlerFailure;
import dev.informer.HandlerInterceptor;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.processor.HandlerListener;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Passes on how the calls of an informer's handlers went. The first failure and the
 * giving up are logged, and the first failure of a filter; the rest only where somebody
 * looks for it.
 */
final class HandlerReports implements HandlerListener {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final Set<String> failingFilters = ConcurrentHashMap.newKeySet();

	private final SharedIndexInformer<?> informer;

	private final InformerEnvironment environment;

	HandlerReports(SharedIndexInformer<?> informer, InformerEnvironment environment) {
		this.informer = informer;
		this.environment = environment;
	}

	@Override
	public void handlersChanged() {
		this.environment.listener().onEvent(new InformerEvent.HandlersChanged(this.informer));
	}

	@Override
	public <T extends KubernetesObject> ResourceEventHandler<T> around(String handler, ResourceEventHandler<T> target) {
		HandlerInterceptor interceptor = this.environment.settings().interceptor();
		return (interceptor != null)
				? (event) -> interceptor.intercept(this.informer, handler, event, () -> target.handle(event)) : target;
	}

	@Override
	public void handled(String handler, ResourceEvent<?> event, Duration time, int attempt,
			@Nullable Throwable failure) {
		this.environment.listener()
			.onEvent(new InformerEvent.HandlerInvoked(this.informer, handler, event, time, attempt, failure));
	}

	@Override
	public void delivered(String handler, ResourceEvent<?> event, Duration lag) {
		this.environment.listener().onEvent(new InformerEvent.EventDelivered(this.informer, handler, event, lag));
	}

	@Override
	public void failed(HandlerFailure<?> failure) {
		Duration retryIn = failure.retryIn();
		String next = (retryIn != null) ? "is told so again in " + retryIn.toMillis() + " ms"
				: "is not told so again, that was the last attempt";
		String message = "Handler '" + failure.handler() + "' has thrown for " + failure.event().type() + " of "
				+ ObjectKey.of(failure.event().object()) + " at attempt " + failure.attempt() + " and " + next;
		logger.atLevel(level(failure))
			.addKeyValue("informer", this.informer.name())
			.addKeyValue("handler", failure.handler())
			.setCause(failure.cause())
			.log("Informer '{}': {}", this.informer.name(), message);
		tell(failure.retriesExhausted() ? Kind.HANDLER_RETRIES_EXHAUSTED : Kind.HANDLER, message, failure.cause());
	}

	@Override
	public void filterFailed(String handler, String key, Throwable cause) {
		String message = "The filter of handler '" + handler + "' has thrown for " + key
				+ ": the handler is told as if the object matched";
		logger.atLevel(this.failingFilters.add(handler) ? Level.ERROR : Level.DEBUG)
			.addKeyValue("informer", this.informer.name())
			.addKeyValue("handler", handler)
			.setCause(cause)
			.log("Informer '{}': {}", this.informer.name(), message);
		tell(Kind.HANDLER_FILTER, message, cause);
	}

	private void tell(Kind kind, String message, Throwable cause) {
		InformerFailure failure = new InformerFailure(kind, message, this.environment.time().now(), cause);
		this.environment.listener().onEvent(new InformerEvent.Failed(this.informer, null, failure));
	}

	private static Level level(HandlerFailure<?> failure) {
		if (failure.retriesExhausted() || failure.cause() instanceof Error) {
			return Level.ERROR;
		}
		return (failure.attempt() == 1) ? Level.WARN : Level.DEBUG;
	}

}

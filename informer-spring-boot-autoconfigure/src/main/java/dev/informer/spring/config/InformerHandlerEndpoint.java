/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerOptions;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.config.InformerProperties.Handler;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.CollectionUtils;

/**
 * Endpoint of a handler method of a bean.
 */
final class InformerHandlerEndpoint extends MethodEndpoint<HandlerMethod> {

	private static final String PERIOD = DURATION + ", at least 1s, or 0 for none";

	private final String id;

	private final @Nullable String informer;

	private final Handler options;

	private final @Nullable Predicate<? super KubernetesObject> filter;

	private final @Nullable HandlerErrorHandler<? super KubernetesObject> errorHandler;

	/**
	 * Create an endpoint.
	 * @throws InvalidHandlerMethodException if an attribute is invalid, or the method
	 * cannot be invoked on the bean
	 */
	InformerHandlerEndpoint(ConfigurableListableBeanFactory beanFactory, String beanName, HandlerMethod method) {
		super(beanFactory, beanName, method);
		InformerHandler annotation = method.annotation();
		this.id = id(annotation.id());
		this.informer = text("informer", annotation.informer());
		this.filter = filter(annotation);
		this.errorHandler = errorHandler(annotation);
		this.options = options(annotation);
		check(() -> {
			HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
			applyTo(builder);
			builder.build();
		});
	}

	String id() {
		return this.id;
	}

	/**
	 * Return the name of the informer; {@code null} for the default one of the type.
	 */
	@Nullable String informer() {
		return this.informer;
	}

	/**
	 * Return the options of the annotation.
	 */
	Handler options() {
		return this.options;
	}

	private Handler options(InformerHandler annotation) {
		return new Handler(
				value("resyncPeriod", annotation.resyncPeriod(), PERIOD, InformerHandlerEndpoint::parsePeriod),
				(annotation.queue().length > 0) ? annotation.queue()[0] : null,
				(annotation.changes().length > 0) ? List.of(annotation.changes()) : null,
				concurrency(annotation.concurrency()), bool("autoStartup", annotation.autoStartup()),
				text("leader", annotation.leader()), bool("leaderOnly", annotation.leaderOnly()),
				annotation.sharded() ? true : null, retry(annotation.retry()));
	}

	/**
	 * Set the options of the annotation and of the method.
	 */
	void applyTo(HandlerOptions.Builder<?> builder) {
		this.options.applyTo(builder);
		builder.name(this.id)
			.on(method().on().toArray(ResourceEvent.Type[]::new))
			.filter(this.filter)
			.errorHandler(this.errorHandler);
	}

	<T extends KubernetesObject> ResourceEventHandler<T> handler() {
		return (event) -> invoke(method().arguments(event));
	}

	private static Duration parsePeriod(String text) {
		Duration period = parseDuration(text);
		if (!period.isZero() && period.compareTo(InformerSettings.MIN_RESYNC_PERIOD) < 0) {
			throw new IllegalArgumentException("Too short: " + text);
		}
		return period;
	}

	@SuppressWarnings("unchecked")
	private @Nullable Predicate<? super KubernetesObject> filter(InformerHandler annotation) {
		return (Predicate<? super KubernetesObject>) bean("filter", annotation.filter(), Predicate.class,
				method().type());
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private @Nullable HandlerErrorHandler<? super KubernetesObject> errorHandler(InformerHandler annotation) {
		HandlerErrorHandler<?> named = bean("errorHandler", annotation.errorHandler(), HandlerErrorHandler.class,
				method().type());
		List<HandlerErrorHandler> handlers = (named != null) ? List.of(named)
				: new GenericBeanLookup(beanFactory()).findMostSpecific(HandlerErrorHandler.class, method().type());
		return (handlers.size() <= 1) ? CollectionUtils.firstElement(handlers)
				: (failure) -> invokeAll(handlers, failure);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static void invokeAll(List<HandlerErrorHandler> handlers, HandlerFailure<?> failure) {
		try {
			handlers.get(0).failed(failure);
		}
		finally {
			// one that throws does not keep the others from being notified
			if (handlers.size() > 1) {
				invokeAll(handlers.subList(1, handlers.size()), failure);
			}
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.function.Supplier;

import dev.informer.HandlerInterceptor;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes observations of the calls of all handlers. The initial list is left out: it would
 * be one trace for each object that there is.
 */
public final class ObservedHandlers implements HandlerInterceptor {

	private static final InformerObservationConvention DEFAULT = new DefaultInformerObservationConvention();

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<@Nullable InformerObservationConvention> convention;

	/**
	 * Creates an instance.
	 * @param registry gives what the observations are made with, asked when a handler is
	 * called
	 * @param convention gives the names and keys; the default ones when that is
	 * {@code null}
	 */
	public ObservedHandlers(Supplier<ObservationRegistry> registry,
			Supplier<@Nullable InformerObservationConvention> convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void intercept(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Invocation call)
			throws Exception {
		if (event instanceof ResourceEvent.Added<?> added && added.initialList()) {
			call.proceed();
			return;
		}
		InformerObservationContext context = new InformerObservationContext(informer, handler, event);
		Observation observation = InformerObservation.HANDLER_CALL.observation(this.convention.get(), DEFAULT,
				() -> context, this.registry.get());
		observation.observeChecked(() -> {
			call.proceed();
			context.complete();
		});
	}

}

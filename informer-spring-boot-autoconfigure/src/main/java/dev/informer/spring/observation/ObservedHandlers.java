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
 * {@link HandlerInterceptor} that observes the invocations of all handlers. Events of the
 * initial list are not observed: each cached object would create a trace.
 */
public final class ObservedHandlers implements HandlerInterceptor {

	private static final InformerObservationConvention DEFAULT = new DefaultInformerObservationConvention();

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<@Nullable InformerObservationConvention> convention;

	/**
	 * Create an interceptor.
	 * @param registry the supplier of the observation registry, called when a handler is
	 * invoked
	 * @param convention the supplier of the convention; {@code null} for the default one
	 */
	public ObservedHandlers(Supplier<ObservationRegistry> registry,
			Supplier<@Nullable InformerObservationConvention> convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void intercept(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event,
			Invocation invocation) throws Exception {
		if (event instanceof ResourceEvent.Added<?> added && added.initialList()) {
			invocation.proceed();
			return;
		}
		InformerObservationContext context = new InformerObservationContext(informer, handler, event);
		Observation observation = InformerObservation.HANDLER_CALL.observation(this.convention.get(), DEFAULT,
				() -> context, this.registry.get());
		observation.observeChecked(() -> {
			invocation.proceed();
			context.complete();
		});
	}

}

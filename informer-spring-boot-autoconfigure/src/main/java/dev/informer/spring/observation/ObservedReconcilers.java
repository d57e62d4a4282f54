/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.function.Supplier;

import dev.informer.reconcilers.ReconcileCall;
import dev.informer.reconcilers.ReconcileInterceptor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * {@link ReconcileInterceptor} that observes all calls.
 */
public final class ObservedReconcilers implements ReconcileInterceptor {

	private static final ReconcileObservationConvention DEFAULT = new DefaultReconcileObservationConvention();

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<@Nullable ReconcileObservationConvention> convention;

	/**
	 * Create an interceptor.
	 * @param registry the supplier of the observation registry, called when a reconciler
	 * is called
	 * @param convention the supplier of the convention; {@code null} for the default one
	 */
	public ObservedReconcilers(Supplier<ObservationRegistry> registry,
			Supplier<@Nullable ReconcileObservationConvention> convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void intercept(ReconcileCall call) throws Exception {
		ReconcileObservationContext context = new ReconcileObservationContext(call);
		Observation observation = InformerObservation.RECONCILE.observation(this.convention.get(), DEFAULT,
				() -> context, this.registry.get());
		observation.observeChecked(() -> {
			call.proceed();
			context.complete();
		});
	}

}

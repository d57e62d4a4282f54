/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * {@link ObservationConvention} for calls of reconcilers. A bean of this type replaces
 * the {@link DefaultReconcileObservationConvention}.
 */
public interface ReconcileObservationConvention extends ObservationConvention<ReconcileObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReconcileObservationContext;
	}

}

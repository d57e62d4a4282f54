/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * {@link ObservationConvention} for writes. A bean of this type replaces the
 * {@link DefaultWriteObservationConvention}.
 */
public interface WriteObservationConvention extends ObservationConvention<WriteObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof WriteObservationContext;
	}

}

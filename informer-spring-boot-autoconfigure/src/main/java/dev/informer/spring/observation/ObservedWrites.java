/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.function.Supplier;

import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.WriteInterceptor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * {@link WriteInterceptor} that observes all writes.
 */
public final class ObservedWrites implements WriteInterceptor {

	private static final WriteObservationConvention DEFAULT = new DefaultWriteObservationConvention();

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<@Nullable WriteObservationConvention> convention;

	/**
	 * Create an interceptor.
	 * @param registry the supplier of the observation registry, called when an object is
	 * written
	 * @param convention the supplier of the convention; {@code null} for the default one
	 */
	public ObservedWrites(Supplier<ObservationRegistry> registry,
			Supplier<@Nullable WriteObservationConvention> convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void intercept(ObjectWrite write) throws ObjectWriteException {
		WriteObservationContext context = new WriteObservationContext(write);
		Observation observation = InformerObservation.WRITE.observation(this.convention.get(), DEFAULT, () -> context,
				this.registry.get());
		observation.observeChecked(() -> context.complete(write.proceed()));
	}

}

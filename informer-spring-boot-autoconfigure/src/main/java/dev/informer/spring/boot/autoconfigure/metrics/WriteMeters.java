/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWrite.Outcome;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.WriteInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Timer of writes that are not observed.
 */
class WriteMeters implements WriteInterceptor {

	static final String WRITES = InformerMeters.PREFIX + "writes";

	private final MeterRegistry registry;

	WriteMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void intercept(ObjectWrite write) throws ObjectWriteException {
		Timer.Sample sample = Timer.start(this.registry);
		Outcome outcome;
		try {
			outcome = write.proceed();
		}
		catch (ObjectWriteException | RuntimeException | Error ex) {
			record(sample, write, outcome(ex), ex.getClass().getSimpleName());
			throw ex;
		}
		record(sample, write, InformerMeters.name(outcome), HandlerMeters.NO_ERROR);
	}

	private void record(Timer.Sample sample, ObjectWrite write, String outcome, String error) {
		ResourceType<?> type = write.resourceType();
		sample.stop(Timer.builder(WRITES)
			.description(InformerMeterFilter.WRITES_DESCRIPTION)
			.tags("operation", InformerMeters.name(write.operation()), "resource", type.plural(), "group",
					type.group().isEmpty() ? "core" : type.group(), "outcome", outcome, "error", error)
			.register(this.registry));
	}

	private static String outcome(Throwable failure) {
		if (!(failure instanceof ObjectWriteException refused)) {
			return "error";
		}
		return switch (refused.getCode()) {
			case 403 -> "forbidden";
			case 409 -> refused.isNotOwned() ? "not_owned" : "conflict";
			case 429 -> "throttled";
			default -> "error";
		};
	}

}

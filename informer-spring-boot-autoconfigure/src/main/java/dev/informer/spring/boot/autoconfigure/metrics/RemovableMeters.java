/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one object, with its tags, which are removed with it. Thread-safe.
 *
 * @param <T> the type of the object
 */
class RemovableMeters<T> {

	final MeterRegistry registry;

	final T object;

	final Tags tags;

	private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

	private volatile boolean removed;

	RemovableMeters(MeterRegistry registry, T object, Tags tags) {
		this.registry = registry;
		this.object = object;
		this.tags = tags;
	}

	void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<T> value, String... more) {
		keep(Gauge.builder(InformerMeters.PREFIX + name, this.object, value)
			.description(description)
			.baseUnit(unit)
			.tags(this.tags.and(more))
			.register(this.registry));
	}

	void timeGauge(String name, String description, ToDoubleFunction<T> millis) {
		keep(TimeGauge.builder(InformerMeters.PREFIX + name, this.object, TimeUnit.MILLISECONDS, millis)
			.description(description)
			.tags(this.tags)
			.register(this.registry));
	}

	/**
	 * Register a counter, whose unit is the end of its name.
	 */
	Counter counter(String name, String description, String... more) {
		return keep(Counter.builder(InformerMeters.PREFIX + name)
			.baseUnit(name.substring(name.lastIndexOf('.') + 1))
			.description(description)
			.tags(this.tags.and(more))
			.register(this.registry));
	}

	Timer timer(String name, String description, String... more) {
		return keep(Timer.builder(InformerMeters.PREFIX + name)
			.description(description)
			.tags(this.tags.and(more))
			.register(this.registry));
	}

	/**
	 * Keep a meter until the object is removed, which may be at the same time.
	 */
	private <M extends Meter> M keep(M meter) {
		this.meters.add(meter);
		if (this.removed || isObsolete(meter)) {
			remove(meter);
		}
		return meter;
	}

	/**
	 * Return whether a meter is of a part of the object that has been removed.
	 */
	boolean isObsolete(Meter meter) {
		return false;
	}

	void removeObsolete() {
		this.meters.stream().filter(this::isObsolete).forEach(this::remove);
	}

	private void remove(Meter meter) {
		this.meters.remove(meter);
		this.registry.remove(meter);
	}

	void remove() {
		this.removed = true;
		this.meters.forEach(this::remove);
	}

}

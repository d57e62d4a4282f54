/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerRegistration;
import dev.informer.InformerFailure.Kind;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one handler. Thread-safe.
 */
class HandlerMeters {

	static final String CALLS = InformerMeters.PREFIX + "handler.calls";

	static final String LAG = InformerMeters.PREFIX + "delivery.lag";

	/**
	 * Meters that exist when invocations are observed.
	 */
	private static final List<String> OBSERVED = List.of(CALLS, CALLS + ".active");

	private static final String NO_ERROR = "none";

	private final ConcurrentMap<Invocation, Timer> invocations = new ConcurrentHashMap<>();

	private final ConcurrentMap<ResourceEvent.Type, Timer> lags = new ConcurrentHashMap<>();

	private final MeterRegistry registry;

	private final HandlerRegistration handler;

	private final Tags tags;

	private final Counter retries;

	private final ConcurrentMap<Kind, Counter> errors = new ConcurrentHashMap<>();

	private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

	private volatile boolean removed;

	HandlerMeters(MeterRegistry registry, HandlerRegistration handler, Tags informer) {
		this.registry = registry;
		this.handler = handler;
		this.tags = informer.and("handler", handler.name());
		gauge("pending", "Number of pending events of the handler", "events", HandlerRegistration::pending);
		gauge("paused", "Whether the handler is paused on purpose, or leader-only and not leader", null,
				(each) -> (each.isPaused() || isStandby(each)) ? 1 : 0);
		gauge("standby", "Whether the handler is leader-only and this replica is not leader", null,
				(each) -> isStandby(each) ? 1 : 0);
		gauge("active", "Number of running invocations of the handler", "invocations",
				(each) -> each.invocations().size());
		keep(TimeGauge
			.builder(InformerMeters.PREFIX + "handler.active.longest", handler, TimeUnit.MILLISECONDS,
					HandlerMeters::longestInvocation)
			.description("Time since the beginning of the longest running invocation of the handler")
			.tags(this.tags)
			.register(registry));
		this.retries = keep(Counter.builder(InformerMeters.PREFIX + "handler.retries")
			.description("Number of retried invocations of the handler")
			.baseUnit("retries")
			.tags(this.tags)
			.register(registry));
		// an increase is visible only if the series existed before
		this.errors.computeIfAbsent(Kind.HANDLER_RETRIES_EXHAUSTED, this::errorCounter);
	}

	private void gauge(String name, String description, @Nullable String unit,
			ToDoubleFunction<HandlerRegistration> value) {
		keep(Gauge.builder(InformerMeters.PREFIX + "handler." + name, this.handler, value)
			.description(description)
			.baseUnit(unit)
			.tags(this.tags)
			.register(this.registry));
	}

	/**
	 * Return whether the number of pending events may grow without a failure.
	 */
	private static boolean isStandby(HandlerRegistration handler) {
		return handler.diagnose().causes().stream().anyMatch((cause) -> cause.reason() == Reason.GATE_CLOSED);
	}

	private static double longestInvocation(HandlerRegistration handler) {
		return handler.invocations()
			.stream()
			.mapToDouble((invocation) -> TimeSource.millis(invocation.duration()))
			.max()
			.orElse(0);
	}

	boolean measures(HandlerRegistration registration) {
		return this.handler == registration;
	}

	void invoked(ResourceEvent.Type type, Duration time, @Nullable Throwable failure) {
		this.invocations.computeIfAbsent(new Invocation(type, error(failure)), this::invocationTimer).record(time);
	}

	/**
	 * Return the simple name of the exception class, as Micrometer does for observations.
	 */
	private static String error(@Nullable Throwable failure) {
		return (failure != null) ? failure.getClass().getSimpleName() : NO_ERROR;
	}

	void retried() {
		this.retries.increment();
	}

	void failed(Kind kind) {
		this.errors.computeIfAbsent(kind, this::errorCounter).increment();
	}

	void delivered(ResourceEvent.Type type, Duration lag) {
		this.lags.computeIfAbsent(type, this::lagTimer).record(lag);
	}

	/**
	 * Keep a meter until the handler is removed, which may be at the same time.
	 */
	private <M extends Meter> M keep(M meter) {
		this.meters.add(meter);
		if (this.removed) {
			this.registry.remove(meter);
		}
		return meter;
	}

	void remove() {
		this.removed = true;
		this.meters.forEach(this.registry::remove);
		OBSERVED.forEach((name) -> this.registry.find(name).tags(this.tags).meters().forEach(this.registry::remove));
	}

	private Timer invocationTimer(Invocation invocation) {
		return keep(Timer.builder(CALLS)
			.description(InformerMeterFilter.CALLS_DESCRIPTION)
			.tags(this.tags.and("event", InformerMeters.name(invocation.type()), "outcome",
					InformerMeters.outcome(invocation.error().equals(NO_ERROR)), "error", invocation.error()))
			.register(this.registry));
	}

	private Counter errorCounter(Kind kind) {
		return keep(InformerMeters.errors(this.registry, this.tags, InformerMeters.ALL_NAMESPACES, kind));
	}

	private Timer lagTimer(ResourceEvent.Type type) {
		return keep(Timer.builder(LAG)
			.description("Time from receiving a change to the return of the handler")
			.tags(this.tags.and("event", InformerMeters.name(type)))
			.register(this.registry));
	}

	private record Invocation(ResourceEvent.Type type, String error) {
	}

}

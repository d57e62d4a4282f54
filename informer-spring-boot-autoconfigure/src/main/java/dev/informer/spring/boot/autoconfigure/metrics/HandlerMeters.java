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

import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure.Kind;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of one handler. Thread-safe.
 */
class HandlerMeters extends RemovableMeters<HandlerRegistration> {

	private static final String CALLS_NAME = "handler.calls";

	private static final String LAG_NAME = "delivery.lag";

	static final String CALLS = InformerMeters.PREFIX + CALLS_NAME;

	static final String LAG = InformerMeters.PREFIX + LAG_NAME;

	/**
	 * Meters that exist when invocations are observed.
	 */
	private static final List<String> OBSERVED = List.of(CALLS, CALLS + ".active");

	static final String NO_ERROR = "none";

	/** Those of a handler. */
	static final Set<Kind> FAILURES = Set.of(Kind.HANDLER, Kind.HANDLER_FILTER, Kind.HANDLER_RETRIES_EXHAUSTED);

	private final ConcurrentMap<Invocation, Timer> invocations = new ConcurrentHashMap<>();

	private final ConcurrentMap<ResourceEvent.Type, Timer> lags = new ConcurrentHashMap<>();

	private final boolean observed;

	private final Counter retries;

	HandlerMeters(MeterRegistry registry, HandlerRegistration handler, Tags informer, boolean observed) {
		super(registry, handler, informer.and("handler", handler.name()));
		this.observed = observed;
		gauge("handler.pending", "Number of pending events of the handler", "events", HandlerRegistration::pending);
		gauge("handler.paused", "Whether the handler is paused on purpose, or leader-only and not leader", null,
				(each) -> (each.isPaused() || isStandby(each)) ? 1 : 0);
		gauge("handler.standby", "Whether the handler is leader-only and this replica is not leader", null,
				(each) -> isStandby(each) ? 1 : 0);
		gauge("handler.active", "Number of running invocations of the handler", "invocations",
				(each) -> each.invocations().size());
		timeGauge("handler.active.longest", "Time since the beginning of the longest running invocation of the handler",
				HandlerMeters::longestInvocation);
		this.retries = counter("handler.retries", "Number of retried invocations of the handler");
		// an increase is visible only if the series existed before
		FAILURES.forEach(this::errors);
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
		return this.object == registration;
	}

	void invoked(InformerEvent.HandlerInvoked invoked) {
		ResourceEvent<?> event = invoked.event();
		boolean initial = event instanceof ResourceEvent.Added<?> added && added.initialList();
		if (!this.observed || initial) {
			// the simple name, as Micrometer does for observations
			String error = (invoked.failure() != null) ? invoked.failure().getClass().getSimpleName() : NO_ERROR;
			this.invocations.computeIfAbsent(new Invocation(event.type(), error), this::invocationTimer)
				.record(invoked.duration());
		}
		if (invoked.attempt() > 1) {
			this.retries.increment();
		}
	}

	Counter errors(Kind kind) {
		return counter("errors", InformerMeters.ERRORS_DESCRIPTION, InformerMeters.NAMESPACE,
				InformerMeters.ALL_NAMESPACES, "kind", InformerMeters.name(kind));
	}

	void delivered(ResourceEvent.Type type, Duration lag) {
		this.lags.computeIfAbsent(type, this::lagTimer).record(lag);
	}

	@Override
	void remove() {
		super.remove();
		OBSERVED.forEach((name) -> this.registry.find(name).tags(this.tags).meters().forEach(this.registry::remove));
	}

	private Timer invocationTimer(Invocation invocation) {
		return timer(CALLS_NAME, InformerMeterFilter.CALLS_DESCRIPTION, "event", InformerMeters.name(invocation.type()),
				"outcome", InformerMeters.outcome(invocation.error().equals(NO_ERROR)), "error", invocation.error());
	}

	private Timer lagTimer(ResourceEvent.Type type) {
		return timer(LAG_NAME, "Time from receiving a change to the return of the handler", "event",
				InformerMeters.name(type));
	}

	private record Invocation(ResourceEvent.Type type, String error) {
	}

}

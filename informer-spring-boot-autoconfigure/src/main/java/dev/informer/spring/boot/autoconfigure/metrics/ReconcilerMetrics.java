/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ReconcileCall;
import dev.informer.reconcilers.ReconcileCall.Outcome;
import dev.informer.reconcilers.ReconcileInterceptor;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import dev.informer.reconcilers.Reconcilers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Meters of reconcilers. Those of one that is added while the application runs exist from
 * the next change of an informer or its first call on. Thread-safe.
 */
class ReconcilerMetrics implements ReconcileInterceptor, InformerListener, SmartInitializingSingleton {

	private static final String CALLS_NAME = "reconciler.calls";

	private static final String HELD_NAME = "reconciler.held";

	static final String CALLS = InformerMeters.PREFIX + CALLS_NAME;

	static final String HELD = InformerMeters.PREFIX + HELD_NAME;

	private static final Map<String, ToIntFunction<Counts>> STATES = Map.of("pending", Counts::pending, "active",
			Counts::active, "held", Counts::held, "limited", Counts::limited, "gated", Counts::gated, "retrying",
			Counts::retrying, "scheduled", Counts::scheduled, "failed", Counts::failed);

	private final MeterRegistry registry;

	private final ObjectProvider<Reconcilers> provider;

	private final boolean observed;

	private final Map<ReconcilerRegistration, RemovableMeters<ReconcilerRegistration>> meters = new ConcurrentHashMap<>();

	private volatile @Nullable Reconcilers reconcilers;

	/**
	 * Create the metrics. If calls are observed, observations record their timer.
	 */
	ReconcilerMetrics(MeterRegistry registry, ObjectProvider<Reconcilers> provider, boolean observed) {
		this.registry = registry;
		this.provider = provider;
		this.observed = observed;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.reconcilers = this.provider.getObject();
		update();
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.StateChanged || event instanceof InformerEvent.HandlersChanged) {
			update();
		}
	}

	private void update() {
		Reconcilers current = this.reconcilers;
		if (current != null) {
			current.registrations().forEach(this::meters);
		}
	}

	private RemovableMeters<ReconcilerRegistration> meters(ReconcilerRegistration registration) {
		return this.meters.computeIfAbsent(registration, this::newMeters);
	}

	private RemovableMeters<ReconcilerRegistration> newMeters(ReconcilerRegistration registration) {
		RemovableMeters<ReconcilerRegistration> meters = new RemovableMeters<>(this.registry, registration,
				Tags.of("reconciler", registration.name()));
		STATES.forEach((state, count) -> meters.gauge("reconciler.objects", "Number of objects of the reconciler",
				"objects", (each) -> count.applyAsInt(each.counts()), "state", state));
		meters.gauge("reconciler.looping",
				"Number of objects of which each call seems to cause the next one, for minutes", "objects",
				ReconcilerRegistration::looping);
		meters.gauge("reconciler.paused", "Whether the reconciler is paused on purpose", null,
				(each) -> each.isPaused() ? 1 : 0);
		meters.timeGauge("reconciler.active.longest",
				"Time since the beginning of the longest running call of the reconciler",
				(each) -> each.calls()
					.stream()
					.mapToDouble((call) -> TimeSource.millis(call.duration()))
					.max()
					.orElse(0));
		held(meters);
		return meters;
	}

	private static Timer held(RemovableMeters<?> meters) {
		return meters.timer(HELD_NAME, "Time for which calls were held until the caches had what was written");
	}

	@Override
	public void intercept(ReconcileCall call) throws Exception {
		RemovableMeters<ReconcilerRegistration> meters = meters(call.reconciler());
		if (!call.held().isZero()) {
			held(meters).record(call.held());
		}
		if (this.observed) {
			call.proceed();
			return;
		}
		Timer.Sample sample = Timer.start(this.registry);
		String outcome = "success";
		String error = HandlerMeters.NO_ERROR;
		try {
			call.proceed();
		}
		catch (Exception | Error ex) {
			Outcome failed = call.reconciler().options().outcome(ex);
			outcome = (failed == Outcome.FAILURE) ? "error" : InformerMeters.name(failed);
			error = ex.getClass().getSimpleName();
			throw ex;
		}
		finally {
			sample.stop(meters.timer(CALLS_NAME, InformerMeterFilter.RECONCILES_DESCRIPTION, "cleanup",
					String.valueOf(call.cleanup()), "outcome", outcome, "error", error));
		}
	}

}

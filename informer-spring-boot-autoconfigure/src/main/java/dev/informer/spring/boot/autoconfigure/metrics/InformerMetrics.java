/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of informers. Meters exist for the informers of the registry and their
 * handlers. The meters of removed informers and handlers are removed; late events of them
 * are ignored.
 */
class InformerMetrics implements InformerListener {

	private final MeterRegistry meterRegistry;

	private final InformerRegistry informerRegistry;

	private final boolean observed;

	private final ConcurrentMap<SharedIndexInformer<?>, InformerMeters> meters = new ConcurrentHashMap<>();

	/**
	 * Create the metrics. If invocations of handlers are observed, observations record
	 * their timer.
	 */
	InformerMetrics(MeterRegistry meterRegistry, InformerRegistry informerRegistry, boolean observed) {
		this.meterRegistry = meterRegistry;
		this.informerRegistry = informerRegistry;
		this.observed = observed;
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.StateChanged || event instanceof InformerEvent.Removed) {
			update();
			return;
		}
		InformerMeters meters = meters(event.informer());
		if (meters != null) {
			meters.record(event);
		}
	}

	private @Nullable InformerMeters meters(SharedIndexInformer<?> informer) {
		InformerMeters known = this.meters.get(informer);
		if (known == null) {
			update();
			known = this.meters.get(informer);
		}
		return known;
	}

	private synchronized void update() {
		Set<SharedIndexInformer<?>> informers = new HashSet<>(this.informerRegistry.informers());
		this.meters.entrySet().removeIf((entry) -> {
			boolean removed = !informers.contains(entry.getKey());
			if (removed) {
				entry.getValue().remove();
			}
			return removed;
		});
		informers.forEach(
				(informer) -> this.meters
					.computeIfAbsent(informer,
							(key) -> new InformerMeters(this.meterRegistry, key, this.informerRegistry.isRequired(key),
									this.observed))
					.updateHandlers());
	}

}

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
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.ResourceEvent;
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
			record(event, meters);
		}
	}

	private void record(InformerEvent event, InformerMeters meters) {
		if (event instanceof InformerEvent.HandlerInvoked invoked) {
			meters.handler(invoked.handler()).ifPresent((handler) -> record(invoked, handler));
		}
		else if (event instanceof InformerEvent.EventDelivered delivered) {
			meters.handler(delivered.handler())
				.ifPresent((handler) -> handler.delivered(delivered.event().type(), delivered.lag()));
		}
		else if (event instanceof InformerEvent.CacheChanged changed) {
			meters.changed(changed.type());
		}
		else if (event instanceof InformerEvent.Listed listed) {
			meters.listed(namespace(listed.namespace()), listed.mode(), listed.duration(), listed.success());
		}
		else if (event instanceof InformerEvent.WatchEnded ended) {
			meters.watchEnded(namespace(ended.namespace()), ended.reason());
		}
		else if (event instanceof InformerEvent.Relisting relisting) {
			meters.relisting(namespace(relisting.namespace()), relisting.reason());
		}
		else if (event instanceof InformerEvent.Failed failed) {
			record(failed, meters);
		}
		else if (event instanceof InformerEvent.NamespacesChanged changed) {
			meters.namespacesChanged(changed.namespaces());
		}
		else if (event instanceof InformerEvent.Synced synced) {
			meters.synced(synced.duration());
		}
		else if (event instanceof InformerEvent.HandlersChanged) {
			meters.updateHandlers();
		}
	}

	private void record(InformerEvent.HandlerInvoked invoked, HandlerMeters handler) {
		if (!this.observed || isInitial(invoked.event())) {
			handler.invoked(invoked.event().type(), invoked.duration(), invoked.failure());
		}
		if (invoked.attempt() > 1) {
			handler.retried();
		}
	}

	private static void record(InformerEvent.Failed failed, InformerMeters meters) {
		InformerFailure.Kind kind = failed.failure().kind();
		if (failed.handler() == null) {
			meters.failed(namespace(failed.namespace()), kind);
		}
		else {
			meters.handler(failed.handler()).ifPresent((handler) -> handler.failed(kind));
		}
	}

	private static boolean isInitial(ResourceEvent<?> event) {
		return event instanceof ResourceEvent.Added<?> added && added.initialList();
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
		informers.forEach((informer) -> this.meters
			.computeIfAbsent(informer,
					(key) -> new InformerMeters(this.meterRegistry, key, this.informerRegistry.isRequired(key)))
			.updateHandlers());
	}

	private static String namespace(@Nullable String namespace) {
		return (namespace == null || namespace.isEmpty()) ? InformerMeters.ALL_NAMESPACES : namespace;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Measures informers. There are meters for the informers that the registry knows and for
 * the handlers that these have; those of others are removed, and what is still heard of
 * them is not measured.
 */
class InformerMetrics implements InformerListener {

	private final MeterRegistry meterRegistry;

	private final InformerRegistry informerRegistry;

	private final boolean observed;

	private final ConcurrentMap<SharedIndexInformer<?>, InformerMeters> meters = new ConcurrentHashMap<>();

	/**
	 * Creates an instance.
	 * @param meterRegistry takes the meters
	 * @param informerRegistry has the informers
	 * @param observed whether there are observations of the calls of handlers, so that
	 * their timer is not needed
	 */
	InformerMetrics(MeterRegistry meterRegistry, InformerRegistry informerRegistry, boolean observed) {
		this.meterRegistry = meterRegistry;
		this.informerRegistry = informerRegistry;
		this.observed = observed;
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.StateChanged) {
			update();
		}
		else if (event instanceof InformerEvent.Listed listed) {
			with(listed.informer(), (meters) -> meters.listed(namespace(listed.namespace()), listed.mode(),
					listed.duration(), listed.success()));
		}
		else if (event instanceof InformerEvent.WatchEnded ended) {
			with(ended.informer(), (meters) -> meters.watchEnded(namespace(ended.namespace()), ended.reason()));
		}
		else if (event instanceof InformerEvent.Relisting relisting) {
			with(relisting.informer(),
					(meters) -> meters.relisting(namespace(relisting.namespace()), relisting.reason()));
		}
		else if (event instanceof InformerEvent.Failed failed) {
			with(failed.informer(), (meters) -> meters.failed(namespace(failed.namespace()), failed.failure().kind()));
		}
		else if (event instanceof InformerEvent.Synced synced) {
			with(synced.informer(), (meters) -> meters.synced(synced.duration()));
		}
		else if (event instanceof InformerEvent.CacheChanged changed) {
			with(changed.informer(), (meters) -> meters.changed(changed.type()));
		}
		else if (event instanceof InformerEvent.Removed) {
			update();
		}
		else if (event instanceof InformerEvent.HandlersChanged changed) {
			with(changed.informer(), InformerMeters::updateHandlers);
		}
		else if (event instanceof InformerEvent.HandlerInvoked invoked) {
			with(invoked.informer(), (meters) -> meters.withHandler(invoked.handler(), (calls) -> {
				if (!this.observed || isInitial(invoked.event())) {
					calls.called(invoked.event().type(), invoked.duration(), invoked.failure());
				}
				if (invoked.attempt() > 1) {
					calls.retried();
				}
			}));
		}
		else if (event instanceof InformerEvent.EventDelivered delivered) {
			with(delivered.informer(), (meters) -> meters.withHandler(delivered.handler(),
					(calls) -> calls.delivered(delivered.event().type(), delivered.lag())));
		}
	}

	private static boolean isInitial(ResourceEvent<?> event) {
		return event instanceof ResourceEvent.Added<?> added && added.initialList();
	}

	private void with(SharedIndexInformer<?> informer, Consumer<InformerMeters> action) {
		InformerMeters known = this.meters.get(informer);
		if (known == null) {
			update();
			known = this.meters.get(informer);
		}
		if (known != null) {
			action.accept(known);
		}
	}

	private synchronized void update() {
		Set<SharedIndexInformer<?>> informers = new HashSet<>(this.informerRegistry.informers());
		this.meters.entrySet().removeIf((entry) -> {
			boolean gone = !informers.contains(entry.getKey());
			if (gone) {
				entry.getValue().remove();
			}
			return gone;
		});
		informers.forEach((informer) -> this.meters
			.computeIfAbsent(informer, (key) -> new InformerMeters(this.meterRegistry, key))
			.updateHandlers());
	}

	private static String namespace(@Nullable String namespace) {
		return (namespace == null || namespace.isEmpty()) ? InformerMeters.ALL_NAMESPACES : namespace;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
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
	public void stateChanged(SharedIndexInformer<?> informer, String namespace, InformerState state) {
		update();
	}

	@Override
	public void listed(SharedIndexInformer<?> informer, String namespace, ListMode mode, Duration time,
			boolean success) {
		with(informer, (meters) -> meters.listed(namespace(namespace), mode, time, success));
	}

	@Override
	public void watchEnded(SharedIndexInformer<?> informer, String namespace, WatchEnd reason) {
		with(informer, (meters) -> meters.watchEnded(namespace(namespace), reason));
	}

	@Override
	public void relisting(SharedIndexInformer<?> informer, String namespace, RelistReason reason) {
		with(informer, (meters) -> meters.relisting(namespace(namespace), reason));
	}

	@Override
	public void failed(SharedIndexInformer<?> informer, @Nullable String namespace, InformerFailure failure) {
		with(informer, (meters) -> meters.failed(namespace(namespace), failure.kind()));
	}

	@Override
	public void synced(SharedIndexInformer<?> informer, Duration time) {
		with(informer, (meters) -> meters.synced(time));
	}

	@Override
	public void changed(SharedIndexInformer<?> informer, ResourceEvent.Type type) {
		with(informer, (meters) -> meters.changed(type));
	}

	@Override
	public void removed(SharedIndexInformer<?> informer) {
		update();
	}

	@Override
	public void handlersChanged(SharedIndexInformer<?> informer) {
		with(informer, InformerMeters::updateHandlers);
	}

	@Override
	public void handled(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration time,
			int attempt, @Nullable Throwable failure) {
		with(informer, (meters) -> meters.withHandler(handler, (calls) -> {
			if (!this.observed || isInitial(event)) {
				calls.called(event.type(), time, failure);
			}
			if (attempt > 1) {
				calls.retried();
			}
		}));
	}

	private static boolean isInitial(ResourceEvent<?> event) {
		return event instanceof ResourceEvent.Added<?> added && added.initialList();
	}

	@Override
	public void delivered(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration lag) {
		with(informer, (meters) -> meters.withHandler(handler, (calls) -> calls.delivered(event.type(), lag)));
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

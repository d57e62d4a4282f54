/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.informer.InformerState;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Indexer;

/**
 * View of an informer as an informer of the official client.
 *
 * @see OfficialInformers#informer(SharedIndexInformer)
 */
final class OfficialInformer<T extends KubernetesObject>
		implements io.kubernetes.client.informer.SharedIndexInformer<T> {

	private final SharedIndexInformer<T> informer;

	private final Indexer<T> indexer;

	/** Whether {@link #run()} has started the informer. */
	private volatile boolean started;

	OfficialInformer(SharedIndexInformer<T> informer) {
		this.informer = informer;
		this.indexer = new OfficialIndexer<>(informer);
	}

	@Override
	public void addEventHandler(ResourceEventHandler<T> handler) {
		addEventHandlerWithResyncPeriod(handler, 0);
	}

	@Override
	public void addEventHandlerWithResyncPeriod(ResourceEventHandler<T> handler, long resyncPeriodMillis) {
		this.informer.addHandler((event) -> deliver(event, handler),
				// the official client disables resyncs for negative periods as well
				(options) -> options.resyncPeriod(Duration.ofMillis(Math.max(0, resyncPeriodMillis))));
	}

	private static <T extends KubernetesObject> void deliver(ResourceEvent<T> event, ResourceEventHandler<T> handler) {
		if (event instanceof ResourceEvent.Updated<T> updated) {
			handler.onUpdate(updated.previous(), updated.object());
		}
		else if (event instanceof ResourceEvent.Deleted<T> deleted) {
			handler.onDelete(deleted.object(), deleted.finalStateUnknown());
		}
		else {
			handler.onAdd(event.object());
		}
	}

	@Override
	public void run() {
		InformerState.Phase phase = this.informer.state().phase();
		if (phase == InformerState.Phase.NOT_STARTED || phase == InformerState.Phase.STOPPED) {
			this.informer.start();
			this.started = true;
		}
	}

	@Override
	public void stop() {
		if (this.started) {
			this.started = false;
			// as the official client, which interrupts its handlers
			this.informer.stop(Duration.ZERO);
		}
	}

	@Override
	public boolean hasSynced() {
		return this.informer.hasSynced();
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.informer.lastSyncResourceVersion();
	}

	@Override
	public void setTransform(TransformFunc transform) {
		Class<T> type = this.informer.resourceType().type();
		this.informer.setTransform((object) -> type.cast(transform.transform(object)));
	}

	@Override
	public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
		this.indexer.addIndexers(indexers);
	}

	@Override
	public Indexer<T> getIndexer() {
		return this.indexer;
	}

	@Override
	public String toString() {
		return "view of " + this.informer;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.informer.benchmarks.client.Figure;

/**
 * Bars on syncing pods and handling their updates. One comparison supplies the figures of
 * all selected bars.
 */
enum SyncBar {

	SYNC("synced after, as a multiple of the floor", Limit.atMost(2), List.of("floor", "informer"),
			(runs) -> runs.ratio("informer", "floor", Figure.SYNC_SECONDS)),

	CPU("CPU of the sync, as a multiple of the floor", Limit.atMost(2.2), List.of("floor", "informer"),
			(runs) -> runs.ratio("informer", "floor", Figure.SYNC_CPU_SECONDS)),

	PEAK("peak RSS during sync, MB above the live heap after it", Limit.atMost(150), List.of("informer"),
			(runs) -> runs.median("informer", Figure.SYNC_PEAK_MEGABYTES)
					- runs.median("informer", Figure.LIST_LIVE_MEGABYTES)),

	HEAP("live heap per pod, everything counted, managedFields skipped, KB", Limit.atMost(7), List.of("informer"),
			(runs) -> runs.kilobytesPerPod("informer", Figure.LIST_LIVE_MEGABYTES)),

	HEAP_AFTER_UPDATES("the same after updates of all of them, KB", Limit.atMost(7), List.of("informer"),
			(runs) -> runs.kilobytesPerPod("informer", Figure.UPDATES_LIVE_MEGABYTES)),

	MANAGED_FIELDS("live heap per pod, managedFields kept, KB", Limit.atMost(11), List.of("informer+managed-fields"),
			(runs) -> runs.kilobytesPerPod("informer+managed-fields", Figure.LIST_LIVE_MEGABYTES)),

	METADATA("metadata-only, per pod, key, map and index entries included, KB", Limit.atMost(1.5),
			List.of("informer+metadata-only"),
			(runs) -> runs.kilobytesPerPod("informer+metadata-only", Figure.LIST_LIVE_MEGABYTES)),

	UPDATES("updates handled per second, as a share of the tokenizer's", Limit.atLeast(0.5),
			List.of("floor", "informer"), (runs) -> runs.updatesPerSecond("informer") / runs.updatesPerSecond("floor")),

	UPDATES_RIVALS("updates handled per second, as a multiple of the best of the rivals", Limit.atLeast(3),
			List.of("informer", "client-java", "fabric8"), (runs) -> runs.updatesPerSecond("informer")
					/ Math.max(runs.updatesPerSecond("client-java"), runs.updatesPerSecond("fabric8")));

	private final String text;

	private final Limit limit;

	private final List<String> contenders;

	private final ToDoubleFunction<Comparison> figure;

	SyncBar(String text, Limit limit, List<String> contenders, ToDoubleFunction<Comparison> figure) {
		this.text = text;
		this.limit = limit;
		this.contenders = contenders;
		this.figure = figure;
	}

	/**
	 * Return the names of the clients that have to take part.
	 */
	List<String> contenders() {
		return this.contenders;
	}

	BarResult check(Comparison comparison) {
		return BarResult.of(this.text, this.limit, this.figure.applyAsDouble(comparison));
	}

}

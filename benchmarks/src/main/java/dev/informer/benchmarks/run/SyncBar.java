/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

import dev.informer.benchmarks.client.Figure;

/**
 * Bars on syncing pods and handling their updates, for the informer with protobuf and
 * with JSON. One comparison supplies the figures of all selected bars.
 */
enum SyncBar {

	SYNC("synced after, as a multiple of the floor", Limit.atMost(1), Limit.atMost(2), List.of("floor"),
			(runs, client) -> runs.ratio(client, "floor", Figure.SYNC_SECONDS)),

	CPU("CPU of the sync, as a multiple of the floor", Limit.atMost(1), Limit.atMost(2.2), List.of("floor"),
			(runs, client) -> runs.ratio(client, "floor", Figure.SYNC_CPU_SECONDS)),

	UPDATES("updates handled per second, as a share of the tokenizer's", Limit.atLeast(1), Limit.atLeast(0.5),
			List.of("floor"), (runs, client) -> runs.updatesPerSecond(client) / runs.updatesPerSecond("floor")),

	UPDATES_RIVALS("updates handled per second, as a multiple of the best of client-java and fabric8", Limit.atLeast(8),
			Limit.atLeast(3), List.of("client-java", "fabric8"), SyncBar::ofBestRival),

	PEAK("peak RSS during sync, MB above the live heap after it", Limit.atMost(200), Limit.atMost(150), List.of(),
			(runs, client) -> runs.median(client, Figure.SYNC_PEAK_MEGABYTES)
					- runs.median(client, Figure.LIST_LIVE_MEGABYTES)),

	HEAP("live heap per pod, everything counted, managedFields skipped, KB", Limit.atMost(4.5), Limit.atMost(7),
			List.of(), (runs, client) -> runs.kilobytesPerPod(client, Figure.LIST_LIVE_MEGABYTES)),

	HEAP_AFTER_UPDATES("the same after updates of all of them, KB", Limit.atMost(4.5), Limit.atMost(7), List.of(),
			(runs, client) -> runs.kilobytesPerPod(client, Figure.UPDATES_LIVE_MEGABYTES)),

	HEAP_STREAMING("the same after updates in streaming mode, KB", Limit.atMost(4.5), Limit.atMost(7), "streaming-list",
			(runs, client) -> runs.kilobytesPerPod(client, Figure.UPDATES_LIVE_MEGABYTES)),

	MANAGED_FIELDS("live heap per pod, managedFields kept, KB", Limit.atMost(11), Limit.atMost(11), "managed-fields",
			(runs, client) -> runs.kilobytesPerPod(client, Figure.LIST_LIVE_MEGABYTES)),

	METADATA("metadata-only, per pod, key, map and index entries included, KB", Limit.atMost(1.5), Limit.atMost(1.5),
			"metadata-only", (runs, client) -> runs.kilobytesPerPod(client, Figure.LIST_LIVE_MEGABYTES)),

	SERVER_CPU("CPU of the API server during the sync, as a multiple of that with JSON", Limit.atMost(0.7),
			Limit.atMost(1), List.of("informer-json"),
			(runs, client) -> runs.ratio(client, "informer-json", Figure.SERVER_CPU_SECONDS)),

	SERVER_SYNC("synced with it after, as a multiple of JSON", Limit.atMost(0.7), Limit.atMost(1),
			List.of("informer-json"), (runs, client) -> runs.ratio(client, "informer-json", Figure.SYNC_SECONDS));

	private final String text;

	private final Limit protobuf;

	private final Limit json;

	private final List<String> references;

	private final String argument;

	private final ToDoubleBiFunction<Comparison, String> figure;

	SyncBar(String text, Limit protobuf, Limit json, List<String> references,
			ToDoubleBiFunction<Comparison, String> figure) {
		this(text, protobuf, json, references, "", figure);
	}

	SyncBar(String text, Limit protobuf, Limit json, String argument, ToDoubleBiFunction<Comparison, String> figure) {
		this(text, protobuf, json, List.of(), "+" + argument, figure);
	}

	SyncBar(String text, Limit protobuf, Limit json, List<String> references, String argument,
			ToDoubleBiFunction<Comparison, String> figure) {
		this.text = text;
		this.protobuf = protobuf;
		this.json = json;
		this.references = references;
		this.argument = argument;
		this.figure = figure;
	}

	private static double ofBestRival(Comparison runs, String client) {
		return runs.updatesPerSecond(client)
				/ Math.max(runs.updatesPerSecond("client-java"), runs.updatesPerSecond("fabric8"));
	}

	/**
	 * Return the bars on runs with the replay server.
	 */
	static List<SyncBar> replayed() {
		return Stream.of(values()).filter((bar) -> !ofRealServer().contains(bar)).toList();
	}

	/**
	 * Return the bars on runs with a real API server.
	 */
	static List<SyncBar> ofRealServer() {
		return List.of(SERVER_SYNC, SERVER_CPU);
	}

	/**
	 * Return the names of the clients that have to take part.
	 * @param client the client to check
	 */
	List<String> contenders(String client) {
		return Stream.concat(this.references.stream(), Stream.of(client + this.argument)).toList();
	}

	/**
	 * Check a client.
	 * @param client the client without arguments
	 */
	BarResult check(Comparison comparison, String client) {
		return BarResult.of(this.text + (client.equals("informer") ? "" : " (" + client + ")"), limit(client),
				figure(comparison, client));
	}

	String text() {
		return this.text;
	}

	/**
	 * Return the limit of a client of this project.
	 */
	Limit limit(String client) {
		return client.equals("informer") ? this.protobuf : this.json;
	}

	/**
	 * Return the figure of any client.
	 * @return the figure; not a number if the client or a reference took no part
	 */
	double figure(Comparison comparison, String client) {
		return this.figure.applyAsDouble(comparison, client + this.argument);
	}

}

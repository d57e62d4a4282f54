/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

/**
 * Figure that is measured of a client.
 */
public enum Figure {

	/** Seconds until the client has synced and its handler has received every object. */
	SYNC_SECONDS,

	/** Processor time until the sync, in seconds. */
	SYNC_CPU_SECONDS,

	/** Peak memory until the sync, in megabytes. */
	SYNC_PEAK_MEGABYTES,

	/** Live heap after the sync, in megabytes. */
	LIST_LIVE_MEGABYTES,

	/** Processor time of the server until the sync, in seconds. */
	SERVER_CPU_SECONDS,

	/** Seconds until every handler has received every object. */
	HANDLED_SECONDS,

	/** Live heap that all objects add, in megabytes. */
	ADDED_MEGABYTES,

	/**
	 * Median of the milliseconds from the server's stamp of an event to the invocation of
	 * the handler.
	 */
	LATENCY_P50,

	/** The same, of 99 % of the events. */
	LATENCY_P99,

	/** The same, of 99.9 % of the events. */
	LATENCY_P999,

	/** The longest time in milliseconds. */
	LATENCY_MAX,

	/** Seconds until all updates were handled. */
	UPDATES_SECONDS,

	/** Processor time of the updates, in seconds. */
	UPDATES_CPU_SECONDS,

	/** Live heap after the updates, in megabytes. */
	UPDATES_LIVE_MEGABYTES,

	/** Peak memory of the whole run, in megabytes. */
	PEAK_MEGABYTES,

	/** Seconds of a warm list of objects that are already in the store. */
	RELIST_SECONDS,

	/** Processor time of that list, in seconds. */
	RELIST_CPU_SECONDS,

	/** Number of objects of the store that the list replaced. */
	RELIST_REPLACED,

	/**
	 * Live heap after updates that the stuck handler has not processed, in megabytes.
	 */
	PENDING_UPDATES_MEGABYTES,

	/** Live heap after creations and deletions that were not delivered, in megabytes. */
	PENDING_PASSING_MEGABYTES,

	/** Peak number of platform threads. */
	PEAK_THREADS,

	/** Number of platform threads after the start. */
	THREADS,

	/** Number of threads of an idle JVM. */
	OWN_THREADS,

	/** Number of objects read by key per second. */
	KEY_READS,

	/** Number of lists read by the value of an index per second. */
	INDEX_READS,

	/** Number of reads of both kinds per second, nine of ten by key. */
	MIXED_READS,

	/** Number of writes per second during the reads. */
	WRITES

}

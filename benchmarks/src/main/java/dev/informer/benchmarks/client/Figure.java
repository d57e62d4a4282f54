/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

/**
 * What is measured of a client.
 */
public enum Figure {

	/** Seconds until it has synced and its handler has received every object. */
	SYNC_SECONDS,

	/** Processor time up to then, in seconds. */
	SYNC_CPU_SECONDS,

	/** The most memory up to then, in megabytes. */
	SYNC_PEAK_MEGABYTES,

	/** The live heap then, in megabytes. */
	LIST_LIVE_MEGABYTES,

	/** Seconds until all updates were handled. */
	UPDATES_SECONDS,

	/** Processor time of the updates, in seconds. */
	UPDATES_CPU_SECONDS,

	/** The live heap after them, in megabytes. */
	UPDATES_LIVE_MEGABYTES,

	/** The most memory of all, in megabytes. */
	PEAK_MEGABYTES,

	/** Seconds of a warm list of what is known already. */
	RELIST_SECONDS,

	/** Processor time of it, in seconds. */
	RELIST_CPU_SECONDS,

	/** How many objects of the store it has replaced. */
	RELIST_REPLACED,

	/**
	 * The live heap after events that the stuck handler has not processed, in megabytes.
	 */
	UNTOLD_UPDATES_MEGABYTES,

	/** The live heap after objects have come and gone, untold, in megabytes. */
	UNTOLD_PASSING_MEGABYTES,

	/** The most platform threads at a time. */
	PEAK_THREADS,

	/** The platform threads after the start. */
	THREADS,

	/** The threads of a JVM that does nothing. */
	OWN_THREADS,

	/** Objects read by key per second. */
	KEY_READS,

	/** Lists read by the value of an index per second. */
	INDEX_READS,

	/** Reads of both kinds per second, nine of ten by key. */
	MIXED_READS,

	/** The writes per second while that was measured. */
	WRITES

}

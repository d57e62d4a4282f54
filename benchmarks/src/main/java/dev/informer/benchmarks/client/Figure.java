package dev.informer.benchmarks.client;

/**
 * What is measured of a client.
 */
public enum Figure {

	/** Seconds until it has synced and its handler was told of everything. */
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
	PEAK_MEGABYTES

}

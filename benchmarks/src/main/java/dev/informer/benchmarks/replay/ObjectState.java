/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * Which state of which object is to be written: everything that it has follows from this.
 *
 * @param index the number of the object
 * @param revision how often it was updated
 * @param resourceVersion its resource version
 */
record ObjectState(int index, long revision, long resourceVersion) {

	private static final int REPLICAS = 50;

	private static final int WORKLOADS_PER_NAMESPACE = 8;

	private static final int OBJECTS_PER_NODE = 40;

	/**
	 * The number of the deployment or stateful set.
	 */
	int workload() {
		return this.index / REPLICAS;
	}

	/**
	 * Its number among those of the same workload.
	 */
	int replica() {
		return this.index % REPLICAS;
	}

	int namespace() {
		return workload() / WORKLOADS_PER_NAMESPACE;
	}

	/**
	 * The node, of about as many as a cluster with objects up to this one needs: pods of
	 * a workload are on different ones.
	 */
	int node() {
		int nodes = Math.max(1, this.index / OBJECTS_PER_NODE);
		return (int) Long.remainderUnsigned(random(1), nodes);
	}

	/**
	 * A number that only this object has.
	 * @param purpose what it is for
	 */
	long random(int purpose) {
		return mix(this.index * 64L + purpose);
	}

	/**
	 * A number that all objects of the workload have.
	 * @param purpose what it is for
	 */
	long randomOfWorkload(int purpose) {
		return mix(-1 - (workload() * 64L + purpose));
	}

	/** The finaliser of SplitMix64. */
	static long mix(long seed) {
		long mixed = seed * 0x9E3779B97F4A7C15L;
		mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

}

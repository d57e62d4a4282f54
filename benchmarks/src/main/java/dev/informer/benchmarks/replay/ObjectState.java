/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * State of an object, from which all its fields follow.
 *
 * @param index the number of the object
 * @param revision the number of its updates
 * @param resourceVersion its resource version
 */
record ObjectState(int index, long revision, long resourceVersion) {

	private static final int REPLICAS = 50;

	private static final int WORKLOADS_PER_NAMESPACE = 8;

	private static final int OBJECTS_PER_NODE = 40;

	/**
	 * Return the number of the deployment or stateful set.
	 */
	int workload() {
		return this.index / REPLICAS;
	}

	/**
	 * Return its number among the objects of the same workload.
	 */
	int replica() {
		return this.index % REPLICAS;
	}

	int namespace() {
		return workload() / WORKLOADS_PER_NAMESPACE;
	}

	/**
	 * Return the node. The number of nodes is about that of a cluster with objects up to
	 * this one; pods of a workload are on different nodes.
	 */
	int node() {
		int nodes = Math.max(1, this.index / OBJECTS_PER_NODE);
		return (int) Long.remainderUnsigned(random(1), nodes);
	}

	/**
	 * Return a number that is unique to this object.
	 * @param purpose the purpose of the number
	 */
	long random(int purpose) {
		return mix(this.index * 64L + purpose);
	}

	/**
	 * Return a number that all objects of the workload share.
	 * @param purpose the purpose of the number
	 */
	long randomOfWorkload(int purpose) {
		return mix(-1 - (workload() * 64L + purpose));
	}

	/** Return a number mixed by the finaliser of SplitMix64. */
	static long mix(long seed) {
		long mixed = seed * 0x9E3779B97F4A7C15L;
		mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

}

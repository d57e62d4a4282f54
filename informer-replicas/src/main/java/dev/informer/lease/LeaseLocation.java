/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;
import java.util.Map;

/**
 * Lease of this process, and which ones it watches.
 *
 * @param purpose what the Lease is for, as the name of the informer that watches it
 * @param labels the labels of all watched Leases; empty to watch the own one only
 * @param durations the durations of its holder
 */
public record LeaseLocation(String purpose, String namespace, String name, Map<String, String> labels,
		LeaseDurations durations) {

	/**
	 * Copy the labels.
	 */
	public LeaseLocation {
		labels = Map.copyOf(labels);
	}

	/**
	 * Return the time after which a request is given up.
	 */
	Duration timeout() {
		return this.durations.requestTimeout();
	}

	/**
	 * Return the path of the Leases of the namespace.
	 */
	String collection() {
		return "/apis/coordination.k8s.io/v1/namespaces/" + this.namespace + "/leases";
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * Settings of the replay server.
 *
 * @param make what the pods look like
 * @param pods the number of pods
 * @param small the number of small objects of each of the other resources
 * @param updates the number of updates of small objects before others are created and
 * deleted
 * @param services the number of services of each namespace, and in all namespaces
 * @param namespaces the number of namespaces with services
 * @param encoded the number of events whose objects are encoded in protobuf in advance,
 * as well as the initial objects; -1 to encode nothing in advance
 * @param metadataOnly whether metadata alone is encoded in advance, not the objects
 * @param gzip whether lists are compressed for clients that accept it
 * @param bandwidth the bits per second of a connection; 0 for no limit
 */
record ReplaySettings(PodMake make, int pods, int small, long updates, int services, int namespaces, long encoded,
		boolean metadataOnly, boolean gzip, long bandwidth) {

	static ReplaySettings of(ReplayRequest request) {
		return new ReplaySettings(PodMake.of(request.parameter("make")), (int) request.number("pods", 0),
				(int) request.number("small", 0), request.number("updates", Long.MAX_VALUE),
				(int) request.number("services", 0), (int) request.number("namespaces", 0),
				request.number("encoded", -1), request.isSet("metadata-only"), request.isSet("gzip"),
				request.number("bandwidth", 0));
	}

}

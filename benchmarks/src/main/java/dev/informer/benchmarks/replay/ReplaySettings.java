/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * What a server plays.
 *
 * @param pods how many pods there are
 * @param small how many small objects each of the other resources has
 * @param updates how many updates of small objects there are before others come and go
 * @param gzip whether lists are compressed for clients that accept it
 * @param bandwidth how many bits per second a connection lets pass; 0 for all
 */
record ReplaySettings(int pods, int small, long updates, boolean gzip, long bandwidth) {

	static ReplaySettings of(ReplayRequest request) {
		return new ReplaySettings((int) request.number("pods", 0), (int) request.number("small", 0),
				request.number("updates", Long.MAX_VALUE), request.isSet("gzip"), request.number("bandwidth", 0));
	}

}

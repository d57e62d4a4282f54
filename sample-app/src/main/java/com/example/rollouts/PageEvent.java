/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

/**
 * Event sent to a browser.
 *
 * @param name the name of the server-sent event
 * @param data the data of the event, sent as JSON
 */
record PageEvent(String name, Object data) {

	static PageEvent snapshot(Snapshot snapshot) {
		return new PageEvent("snapshot", snapshot);
	}

	static PageEvent pod(PodSummary pod, boolean gone) {
		return new PageEvent(gone ? "pod-gone" : "pod", pod);
	}

	static PageEvent rollout(Rollout rollout, boolean gone) {
		return new PageEvent(gone ? "rollout-gone" : "rollout", rollout);
	}

	/**
	 * Return an event that keeps the connection alive.
	 */
	static PageEvent keepAlive() {
		return new PageEvent("keep-alive", "");
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

/**
 * What a browser that shows the page is told.
 *
 * @param name the name of the server-sent event
 * @param data what is sent with it, as JSON
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
	 * Nothing has happened, but the connection is alive.
	 */
	static PageEvent alive() {
		return new PageEvent("alive", "");
	}

}

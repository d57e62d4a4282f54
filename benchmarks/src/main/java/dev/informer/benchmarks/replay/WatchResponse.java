/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Answers a WATCH: the events from a version on, as fast as they are taken, each as a
 * separate piece.
 */
final class WatchResponse {

	private static final byte[] EXPIRED = Bytes.of("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\","
			+ "\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"too old resource version\","
			+ "\"reason\":\"Expired\",\"code\":410}}\n");

	private static final int WAIT_MILLIS = 500;

	private final ReplayedKind kind;

	private final ChangeLog history;

	private final Liveness liveness;

	/**
	 * Creates a response.
	 * @param kind how the objects look
	 * @param history what happens to them
	 * @param liveness asked now and then whether the client is still there
	 */
	WatchResponse(ReplayedKind kind, ChangeLog history, Liveness liveness) {
		this.kind = kind;
		this.history = history;
		this.liveness = liveness;
	}

	/**
	 * Writes events until the watch expires or the client has gone.
	 * @param target where each write is a piece
	 */
	void write(ReplayRequest request, OutputStream target) throws IOException, InterruptedException {
		JsonOutput out = new JsonOutput(target);
		long next = ChangeLog.sequence(request.number("resourceVersion", 0));
		if (request.isSet("sendInitialEvents")) {
			next = writeInitialEvents(out);
		}
		target.flush();
		long expired = this.history.beginWatch();
		try {
			while (this.liveness.isThere()) {
				if (this.history.await(next, expired, WAIT_MILLIS)) {
					out.text(EXPIRED);
					out.flush();
					return;
				}
				for (long reached = this.history.reached(); next < reached; next++) {
					ChangeLog.Event event = this.history.event(next);
					this.kind.writeEvent(event.type(), event.object(), out);
					out.flush();
				}
				target.flush();
			}
		}
		finally {
			this.history.endWatch();
		}
	}

	private long writeInitialEvents(JsonOutput out) throws IOException {
		long reached = this.history.reached();
		long version = this.history.version();
		for (int index = 0; index < this.history.objects(); index++) {
			this.kind.writeEvent(EventType.ADDED, this.history.state(index), out);
			out.flush();
		}
		this.kind.writeBookmark(version, out);
		out.flush();
		return reached;
	}

	/**
	 * Says whether the client is still there.
	 */
	interface Liveness {

		boolean isThere() throws IOException;

	}

}

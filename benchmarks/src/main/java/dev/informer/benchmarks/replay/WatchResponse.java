/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Response to a WATCH: the events from a version, as fast as the client takes them or at
 * their pace, each as a separate piece.
 */
final class WatchResponse {

	private static final int WAIT_MILLIS = 500;

	private final ReplayedKind kind;

	private final ChangeLog history;

	private final Liveness liveness;

	/**
	 * Create a response.
	 * @param kind the representation of the objects
	 * @param history their changes
	 * @param liveness the regular check that the client is connected
	 */
	WatchResponse(ReplayedKind kind, ChangeLog history, Liveness liveness) {
		this.kind = kind;
		this.history = history;
		this.liveness = liveness;
	}

	/**
	 * Write events until the watch expires or the client closes its connection.
	 * @param target the stream, in which each write is a piece
	 */
	void write(ReplayRequest request, OutputStream target) throws IOException, InterruptedException {
		BodyOutput out = new BodyOutput(target);
		long next = ChangeLog.sequence(request.number("resourceVersion", 0));
		if (request.isSet("sendInitialEvents")) {
			next = writeInitialEvents(out);
		}
		target.flush();
		long expired = this.history.beginWatch();
		try {
			while (this.liveness.isThere()) {
				if (this.history.await(next, expired, WAIT_MILLIS)) {
					this.kind.writeExpired(out);
					out.flush();
					return;
				}
				// in this order: the pace of events is set before they are published
				long reached = this.history.reached();
				EventPace pace = this.history.pace();
				for (; next < reached; next++) {
					if (pace != null) {
						target.flush();
						pace.await(next);
					}
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

	private long writeInitialEvents(BodyOutput out) throws IOException {
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
	 * Check that the client is connected.
	 */
	interface Liveness {

		boolean isThere() throws IOException;

	}

}

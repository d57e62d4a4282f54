/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Complete bodies of the server's responses.
 */
public final class ReplayedBodies {

	private ReplayedBodies() {
	}

	/**
	 * Return a list of pods.
	 * @param count the number of pods
	 * @return the body in UTF-8
	 */
	public static byte[] listOfPods(int count) {
		ChangeLog history = new ChangeLog(count, Long.MAX_VALUE);
		return body((out) -> JsonKind.pods(PodMake.WEB)
			.writeList(new ReplayedPage(history, history.version(), 0, count), out));
	}

	/**
	 * Return an update of each pod.
	 * @param count the number of pods
	 * @return the body in UTF-8
	 */
	public static byte[] updatesOfPods(int count) {
		ChangeLog history = new ChangeLog(count, Long.MAX_VALUE);
		JsonKind kind = JsonKind.pods(PodMake.WEB);
		return body((out) -> {
			for (int update = 0; update < count; update++) {
				ChangeLog.Event event = history.event(update);
				kind.writeEvent(event.type(), event.object(), out);
			}
			out.flush();
		});
	}

	private static byte[] body(BodyWriter writer) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try {
			writer.write(new BodyOutput(bytes));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private interface BodyWriter {

		void write(BodyOutput out) throws IOException;

	}

}

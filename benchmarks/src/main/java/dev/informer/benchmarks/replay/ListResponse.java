/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;

/**
 * Response to a LIST as the API server sends it: whole if the request accepts any
 * version, in pages if it sets a limit.
 */
final class ListResponse {

	private static final byte[] CONTINUE = Bytes.of("\",\"continue\":\"");

	private static final byte[] REMAINING = Bytes.of("\",\"remainingItemCount\":");

	private static final byte[] ITEMS_BEHIND_TEXT = Bytes.of("\"},\"items\":[");

	private static final byte[] ITEMS = Bytes.of("},\"items\":[");

	private static final byte[] COMMA = Bytes.of(",");

	private static final byte[] END = Bytes.of("]}\n");

	private final ReplayedKind kind;

	private final ChangeLog history;

	ListResponse(ReplayedKind kind, ChangeLog history) {
		this.kind = kind;
		this.history = history;
	}

	void write(ReplayRequest request, JsonOutput out) throws IOException {
		int first = (int) request.number("continue", 0);
		long limit = request.number("limit", 0);
		boolean whole = limit == 0 || request.parameter("resourceVersion").equals("0");
		int end = whole ? this.history.objects() : (int) Math.min(this.history.objects(), first + limit);
		int remaining = this.history.objects() - end;
		this.kind.writeListStart(out);
		out.number(this.history.version());
		if (remaining > 0) {
			out.text(CONTINUE);
			out.number(end);
			out.text(REMAINING);
			out.number(remaining);
		}
		out.text((remaining > 0) ? ITEMS : ITEMS_BEHIND_TEXT);
		for (int index = first; index < end; index++) {
			if (index > first) {
				out.text(COMMA);
			}
			this.kind.writeItem(this.history.state(index), out);
		}
		out.text(END);
		out.flush();
	}

}

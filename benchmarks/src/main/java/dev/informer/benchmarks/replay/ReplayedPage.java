/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * Part of a list: whole if the request accepts any version, as the API server answers it,
 * a page if it sets a limit.
 *
 * @param history the changes of the resource
 * @param version the resource version of the list
 * @param first the number of the first object
 * @param end the number after that of the last object
 */
record ReplayedPage(ChangeLog history, long version, int first, int end) {

	static ReplayedPage of(ReplayRequest request, ChangeLog history) {
		int first = (int) request.number("continue", 0);
		long limit = request.number("limit", 0);
		boolean whole = limit == 0 || request.parameter("resourceVersion").equals("0");
		int end = whole ? history.objects() : (int) Math.min(history.objects(), first + limit);
		return new ReplayedPage(history, history.version(), first, end);
	}

	int remaining() {
		return this.history.objects() - this.end;
	}

}

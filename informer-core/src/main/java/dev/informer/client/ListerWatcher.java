/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

/**
 * Lists and watches one resource in one namespace, or in all of them. Implementations are
 * safe for use by several threads, and every call of theirs that blocks returns at once
 * when the calling thread's {@link Cancellation} is cancelled.
 *
 * @param <T> the type of the objects
 */
public interface ListerWatcher<T> {

	/**
	 * Reads one page of the list. Items are handed to the sink while the response is
	 * being read; when this method throws, what the sink was given is to be thrown away.
	 * @param request what to ask for
	 * @param sink takes the items in the order of the list
	 * @param scope cancels the request
	 * @return the metadata of the page
	 * @throws ServerStatusException when the server answers with anything but success
	 * @throws IOException when the server cannot be reached, or the answer breaks off or
	 * is not what a list looks like
	 */
	ListPage list(ListRequest request, ListSink<T> sink, Cancellation scope) throws IOException;

	/**
	 * Opens a watch.
	 * @param request what to ask for
	 * @param scope cancels the request and the stream that was opened
	 * @return the stream of events, which the caller closes
	 * @throws ServerStatusException when the server answers with anything but success
	 * @throws IOException when the server cannot be reached
	 */
	WatchStream<T> watch(WatchRequest request, Cancellation scope) throws IOException;

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.util.Optional;

/**
 * Lister and watcher of one resource in one namespace or in all of them. Implementations
 * are thread-safe, and their blocking calls end immediately when the {@link Cancellation}
 * that was passed to them is cancelled.
 *
 * @param <T> the type of the objects
 */
public interface ListerWatcher<T> {

	/**
	 * Read one page of the list. Items are passed to the sink while the response is being
	 * read. If this method throws, the caller must discard the items of this page.
	 * @param request the parameters of the request
	 * @param sink the consumer of the items, in the order of the list
	 * @param cancellation the cancellation of the request
	 * @return the metadata of the page
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws IOException if the server is unreachable, or the response is truncated or
	 * not a list
	 */
	ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException;

	/**
	 * Open a watch.
	 * @param request the parameters of the request
	 * @param known finds objects that need not be decoded, and earlier states of others
	 * @param cancellation the cancellation of the request and of the returned stream
	 * @return the stream of events; the caller must close it
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws IOException if the server is unreachable
	 */
	WatchStream<T> watch(WatchRequest request, ObjectLookup<T> known, Cancellation cancellation) throws IOException;

	/**
	 * Return the encoding of the last response.
	 * @return {@code json} or {@code protobuf}; empty before the first response
	 */
	default Optional<String> encoding() {
		return Optional.empty();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;

/**
 * Decodes the bodies of lists, watches and failures. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface WireFormat<T> {

	/**
	 * What a list is asked for in.
	 * @return the {@code Accept} header of a LIST
	 */
	default String listMediaType() {
		return "application/json";
	}

	/**
	 * What the objects of a watch are asked for in.
	 * @return the {@code Accept} header of a WATCH
	 */
	default String watchMediaType() {
		return "application/json";
	}

	/**
	 * Reads the body of a list, handing over each item as soon as it is complete.
	 * @param body the body, which is not closed
	 * @param sink takes the items
	 * @return the metadata of the page
	 * @throws MalformedResponseException when the body is not a list
	 * @throws IOException when the body breaks off
	 */
	ListPage readList(InputStream body, ListSink<T> sink) throws IOException;

	/**
	 * Reads the body of a watch.
	 * @param body the body, which the stream closes
	 * @return the events
	 * @throws IOException when nothing can be read
	 */
	WatchEventReader<T> readWatch(InputStream body) throws IOException;

	/**
	 * Reads the body of a failed request.
	 * @param code the HTTP status code
	 * @param body the body, which is not closed
	 * @return what the server said; when the body is no {@code Status}, the code and the
	 * beginning of the text
	 * @throws IOException when the body breaks off
	 */
	ServerStatus readStatus(int code, InputStream body) throws IOException;

}

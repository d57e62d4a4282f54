/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;

import org.jspecify.annotations.Nullable;

/**
 * Format of the bodies of lists, watches and failures. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface WireFormat<T> {

	/**
	 * Return the media type of a list.
	 * @return the {@code Accept} header of a LIST
	 */
	default String listMediaType() {
		return "application/json";
	}

	/**
	 * Return the media type of the objects of a watch.
	 * @return the {@code Accept} header of a WATCH
	 */
	default String watchMediaType() {
		return "application/json";
	}

	/**
	 * Return the name of the encoding that this format decodes.
	 * @return {@code json} or {@code protobuf}
	 */
	String encoding();

	/**
	 * Return the format that decodes a response.
	 * @param contentType the content type of the response; {@code null} if it has none
	 * @return the format
	 */
	default WireFormat<T> forContentType(@Nullable String contentType) {
		return this;
	}

	/**
	 * Record that the server refused a request.
	 * @param mediaType the media type of the request
	 * @param status the failure
	 * @return whether the media type was the reason, and another one is returned from now
	 * on
	 */
	default boolean refused(String mediaType, ServerStatus status) {
		return false;
	}

	/**
	 * Read the body of a list. Each item is passed to the sink as soon as it is complete.
	 * @param body the body, which is not closed
	 * @param sink the consumer of the items
	 * @return the metadata of the page
	 * @throws MalformedResponseException if the body is not a list
	 * @throws IOException if the body is truncated
	 */
	ListPage readList(InputStream body, ListSink<T> sink) throws IOException;

	/**
	 * Open the body of a watch.
	 * @param body the body, which the returned reader closes
	 * @return the reader of the events
	 * @throws IOException if the body cannot be read
	 */
	default WatchEventReader<T> readWatch(InputStream body) throws IOException {
		return readWatch(body, (state) -> null);
	}

	/**
	 * Open the body of a watch in which not every object is wanted.
	 * @param body the body, which the returned reader closes
	 * @param lookup finds the objects that are not wanted
	 * @return the reader of the events
	 * @throws IOException if the body cannot be read
	 */
	WatchEventReader<T> readWatch(InputStream body, ObjectLookup<T> lookup) throws IOException;

	/**
	 * Read the body of a failed request.
	 * @param code the HTTP status code
	 * @param body the body, which is not closed
	 * @return the failure; if the body is not a {@code Status}, the code and the
	 * beginning of the text
	 * @throws IOException if the body is truncated
	 */
	ServerStatus readStatus(int code, InputStream body) throws IOException;

}

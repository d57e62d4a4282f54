/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the object of a bookmark. It is not decoded into the model, which it need not
 * fit: the containers of a bookmark's pod are {@code null}.
 */
final class BookmarkReader {

	private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private @Nullable String resourceVersion;

	private boolean initialEventsEnd;

	/**
	 * Read the value whose first token is the current one.
	 */
	<T> WatchEvent<T> read(TokenReader reader) throws IOException {
		if (reader.isObject()) {
			String name;
			while ((name = reader.nextProperty()) != null) {
				if (name.equals("metadata") && reader.isObject()) {
					readMetadata(reader);
				}
				else {
					reader.skip();
				}
			}
		}
		if (this.resourceVersion == null || this.resourceVersion.isEmpty()) {
			throw new MalformedResponseException("expected a BOOKMARK event with a resource version, got one without");
		}
		return new WatchEvent.Bookmark<>(this.resourceVersion, this.initialEventsEnd);
	}

	private void readMetadata(TokenReader reader) throws IOException {
		String name;
		while ((name = reader.nextProperty()) != null) {
			if (name.equals("resourceVersion")) {
				this.resourceVersion = reader.stringOrSkip();
			}
			else if (name.equals("annotations") && reader.isObject()) {
				readAnnotations(reader);
			}
			else {
				reader.skip();
			}
		}
	}

	private void readAnnotations(TokenReader reader) throws IOException {
		String name;
		while ((name = reader.nextProperty()) != null) {
			String value = reader.stringOrSkip();
			if (name.equals(INITIAL_EVENTS_END)) {
				this.initialEventsEnd = "true".equals(value);
			}
		}
	}

}

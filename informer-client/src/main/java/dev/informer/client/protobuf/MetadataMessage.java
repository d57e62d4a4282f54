/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import dev.informer.client.ObjectState;
import dev.informer.client.model.WatchReader;
import org.jspecify.annotations.Nullable;

/**
 * The metadata by which an object is identified, read without the rest of it.
 *
 * @param initialEventsEnd whether the annotation {@code k8s.io/initial-events-end} is
 * exactly {@code "true"}
 */
record MetadataMessage(ObjectState state, boolean initialEventsEnd) {

	/**
	 * Read the metadata of an object. Each built-in type has them in its first field.
	 * @throws MalformedMessageException if they cannot be read
	 */
	static MetadataMessage read(MessageReader reader, byte[] buffer, int offset, int length) {
		reader.reset(buffer, offset, length);
		while (reader.hasNext()) {
			int tag = reader.tag();
			if (MessageReader.number(tag) == 1) {
				MessageReader.require(tag, MessageReader.BYTES);
				reader.enter();
				return read(reader);
			}
			reader.skip(tag);
		}
		return new MetadataMessage(ObjectState.NONE, false);
	}

	private static MetadataMessage read(MessageReader reader) {
		String name = null;
		String namespace = null;
		String uid = null;
		String version = null;
		boolean initialEventsEnd = false;
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> name = text(reader, tag);
				case 3 -> namespace = text(reader, tag);
				case 5 -> uid = text(reader, tag);
				case 6 -> version = text(reader, tag);
				case 12 -> initialEventsEnd |= isInitialEventsEnd(reader);
				default -> reader.skip(tag);
			}
		}
		return new MetadataMessage(new ObjectState(namespace, name, uid, version), initialEventsEnd);
	}

	private static @Nullable String text(MessageReader reader, int tag) {
		MessageReader.require(tag, MessageReader.BYTES);
		String text = reader.string();
		return text.isEmpty() ? null : text;
	}

	private static boolean isInitialEventsEnd(MessageReader reader) {
		int outer = reader.enter();
		boolean named = false;
		boolean isTrue = false;
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> named = reader.isText(WatchReader.INITIAL_EVENTS_END);
				case 2 -> isTrue = reader.isText("true");
				default -> reader.skip(tag);
			}
		}
		reader.leave(outer);
		return named && isTrue;
	}

}

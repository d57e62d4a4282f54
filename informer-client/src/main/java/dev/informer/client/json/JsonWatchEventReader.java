/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.Map;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.model.UndecodableObjectException;
import dev.informer.client.model.WatchReader;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reader of the events of a watch. Returns an event as soon as its closing brace has been
 * read, without waiting for further input.
 */
final class JsonWatchEventReader<T> extends WatchReader<T> {

	private static final RootDecoder<byte[]> COPY = (reader, known) -> JsonInput.copy(reader.parser());

	private final TokenReader reader;

	private final RootDecoder<T> objects;

	private final @Nullable String requiredKind;

	/** The reader of the object: that of the body, or that of a copy. */
	private TokenReader object;

	private boolean started;

	/**
	 * Create a reader. The kind is that of the class if it has only one.
	 */
	JsonWatchEventReader(TokenReader reader, RootDecoder<T> objects, @Nullable String requiredKind,
			ObjectLookup<T> lookup) {
		super(reader.body(), lookup);
		this.reader = reader;
		this.object = reader;
		this.objects = objects;
		this.requiredKind = requiredKind;
	}

	@Override
	protected @Nullable WatchEvent<T> read() throws IOException {
		if (!readStart()) {
			return null;
		}
		String type = null;
		byte[] copy = null;
		UndecodableObject undecodable = null;
		WatchEvent<T> event = null;
		String name;
		while ((name = this.reader.nextProperty()) != null) {
			if (name.equals("type")) {
				type = this.reader.stringOrSkip();
			}
			else if (!name.equals("object")) {
				this.reader.skip();
			}
			else if (type != null) {
				this.object = this.reader;
				event = read(type);
			}
			else {
				try {
					copy = this.reader.decode(COPY, (state) -> null);
				}
				catch (UndecodableObjectException ex) {
					undecodable = ex.object();
				}
			}
		}
		if (event != null) {
			return event;
		}
		if (type != null && copy != null) {
			this.object = JsonInput.open(copy);
			return read(type);
		}
		if (type != null && undecodable != null) {
			return new WatchEvent.Undecodable<>(changeType(type), undecodable);
		}
		throw noEvent("an object without type and object");
	}

	/**
	 * Advance to the first token of the next event, and return whether the stream
	 * contains another one.
	 */
	private boolean readStart() throws IOException {
		JsonToken token;
		try {
			token = this.reader.nextToken();
		}
		catch (MalformedResponseException ex) {
			throw this.started ? ex : noEvent(this.reader.body().describe());
		}
		if (token == null) {
			return false;
		}
		if (token != JsonToken.START_OBJECT) {
			throw noEvent(this.started ? "another value" : this.reader.body().describe());
		}
		this.started = true;
		return true;
	}

	@Override
	protected @Nullable T readObject() throws IOException, UndecodableObjectException {
		T decoded = this.object.decode(this.objects, this);
		if (this.requiredKind != null && decoded instanceof KubernetesObject typed
				&& !this.requiredKind.equals(typed.getKind())) {
			throw otherKind(ObjectState.of(typed), this.requiredKind, String.valueOf(typed.getKind()));
		}
		return decoded;
	}

	@Override
	protected long objectSize() {
		return this.object.objectSize();
	}

	@Override
	protected ServerStatus readStatus() throws IOException {
		if (!this.object.isObject()) {
			throw new MalformedResponseException("expected an ERROR event with a Status, got one without");
		}
		StatusReader status = new StatusReader();
		status.readObject(this.object);
		return status.status(0);
	}

	@Override
	protected WatchEvent<T> readBookmark() throws IOException {
		return (this.object.tree() instanceof Map<?, ?> bookmark
				&& bookmark.get("metadata") instanceof Map<?, ?> metadata) ? bookmark(metadata) : bookmark(null, false);
	}

	private static <T> WatchEvent<T> bookmark(Map<?, ?> metadata) throws MalformedResponseException {
		boolean initialEventsEnd = metadata.get("annotations") instanceof Map<?, ?> annotations
				&& "true".equals(annotations.get(INITIAL_EVENTS_END));
		return bookmark((metadata.get("resourceVersion") instanceof String version) ? version : null, initialEventsEnd);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.ChangeLookup;
import dev.informer.client.model.UndecodableObjectException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reader of the events of a watch. Returns an event as soon as its closing brace has been
 * read, without waiting for further input.
 */
final class JsonWatchEventReader<T> implements WatchEventReader<T> {

	private static final RootDecoder<byte[]> COPY = (reader, known) -> JsonInput.copy(reader.parser());

	private final TokenReader reader;

	private final RootDecoder<T> objects;

	private final @Nullable String requiredKind;

	private final ChangeLookup<T> lookup;

	private boolean started;

	private @Nullable IOException failure;

	/**
	 * Create a reader. The kind is that of the class if it has only one.
	 */
	JsonWatchEventReader(TokenReader reader, RootDecoder<T> objects, @Nullable String requiredKind,
			ObjectLookup<T> lookup) {
		this.reader = reader;
		this.objects = objects;
		this.requiredKind = requiredKind;
		this.lookup = new ChangeLookup<>(lookup);
	}

	@Override
	public @Nullable WatchEvent<T> next() throws IOException {
		if (this.failure != null) {
			throw new IOException("the watch has already failed", this.failure);
		}
		if (this.reader.body().isClosed()) {
			throw new IOException("the stream was closed");
		}
		try {
			WatchEvent<T> event = read();
			if (event == null) {
				this.reader.close();
			}
			return event;
		}
		catch (IOException ex) {
			this.failure = ex;
			this.reader.close();
			throw ex;
		}
	}

	private @Nullable WatchEvent<T> read() throws IOException {
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
				event = read(type, this.reader);
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
			return read(type, JsonInput.open(copy));
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

	private static MalformedResponseException noEvent(String found) {
		return new MalformedResponseException("expected a watch event, got " + found);
	}

	private WatchEvent<T> read(String type, TokenReader object) throws IOException {
		return switch (type) {
			case "BOOKMARK" -> new BookmarkReader().read(object);
			case "ERROR" -> readFailure(object);
			default -> readChange(changeType(type), object);
		};
	}

	private static ChangeType changeType(String type) throws MalformedResponseException {
		return switch (type) {
			case "ADDED" -> ChangeType.ADDED;
			case "MODIFIED" -> ChangeType.MODIFIED;
			case "DELETED" -> ChangeType.DELETED;
			default -> throw noEvent("one of type \"" + BodyText.printable(type) + "\"");
		};
	}

	private WatchEvent<T> readChange(ChangeType type, TokenReader object) throws IOException {
		try {
			T decoded = object.decode(this.objects, this.lookup);
			if (this.requiredKind != null && decoded instanceof KubernetesObject typed
					&& !this.requiredKind.equals(typed.getKind())) {
				return new WatchEvent.Undecodable<>(type, ofOtherKind(typed));
			}
			return this.lookup.event(type, decoded);
		}
		catch (UndecodableObjectException ex) {
			return new WatchEvent.Undecodable<>(type, ex.object());
		}
	}

	/**
	 * Most properties of an object of another kind were skipped as unknown, and the rest
	 * would replace an object of the same name, which is therefore not reported.
	 */
	private UndecodableObject ofOtherKind(KubernetesObject object) {
		ObjectState state = ObjectState.of(object);
		return new UndecodableObject(new ObjectState(null, null, state.uid(), state.resourceVersion()),
				"kind: expected " + this.requiredKind + ", got "
						+ BodyText.printable(String.valueOf(object.getKind())));
	}

	private WatchEvent<T> readFailure(TokenReader object) throws IOException {
		if (!object.isObject()) {
			throw new MalformedResponseException("expected an ERROR event with a Status, got one without");
		}
		StatusReader status = new StatusReader();
		status.readObject(object);
		return new WatchEvent.Failure<>(status.status(0));
	}

	@Override
	public void close() {
		try {
			this.reader.body().close();
		}
		catch (IOException ex) {
			// ignored: the stream has ended
		}
	}

}

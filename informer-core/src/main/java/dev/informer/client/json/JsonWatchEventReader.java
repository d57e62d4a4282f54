/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.KnownObjects;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/**
 * Reader of the events of a watch. Returns an event as soon as its closing brace has been
 * read, without waiting for further input.
 *
 * @param <T> the type of the objects
 */
final class JsonWatchEventReader<T> implements WatchEventReader<T> {

	private final TokenReader reader;

	private final RootDecoder<T> objects;

	private boolean started;

	private @Nullable IOException failure;

	JsonWatchEventReader(TokenReader reader, RootDecoder<T> objects) {
		this.reader = reader;
		this.objects = objects;
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
				copy = copy();
			}
		}
		if (event == null && type != null && copy != null) {
			event = read(type, JsonInput.open(copy));
		}
		if (event == null) {
			throw noEvent("an object without type and object");
		}
		return event;
	}

	/**
	 * Advance to the first token of the next event.
	 * @return whether the stream contains another event
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

	private byte[] copy() throws IOException {
		try {
			return JsonInput.copy(this.reader.parser());
		}
		catch (JacksonException ex) {
			throw this.reader.translate(ex);
		}
	}

	private WatchEvent<T> read(String type, TokenReader object) throws IOException {
		return switch (type) {
			case "ADDED" -> readChange(ChangeType.ADDED, object);
			case "MODIFIED" -> readChange(ChangeType.MODIFIED, object);
			case "DELETED" -> readChange(ChangeType.DELETED, object);
			case "BOOKMARK" -> new BookmarkReader().read(object);
			case "ERROR" -> readFailure(object);
			default -> throw noEvent("one of type \"" + BodyText.printable(type) + "\"");
		};
	}

	private WatchEvent<T> readChange(ChangeType type, TokenReader object) throws IOException {
		try {
			return new WatchEvent.Change<>(type, this.objects.decode(object, KnownObjects.none()));
		}
		catch (UndecodableObjectException ex) {
			return new WatchEvent.Undecodable<>(type, ex.object());
		}
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

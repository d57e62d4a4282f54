/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the events of a watch, without its wire format. As a lookup it remembers the
 * state of the last object that is not wanted: its resource version counts.
 */
public abstract class WatchReader<T> implements WatchEventReader<T>, ObjectLookup<T> {

	/** Annotation of the bookmark behind the initial events. */
	public static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private final Closeable body;

	private final ObjectLookup<T> lookup;

	private @Nullable ObjectState unwanted;

	private @Nullable IOException failure;

	private volatile boolean closed;

	/**
	 * Create a reader. The lookup finds the objects that are not wanted.
	 */
	protected WatchReader(Closeable body, ObjectLookup<T> lookup) {
		this.body = body;
		this.lookup = lookup;
	}

	@Override
	public final @Nullable WatchEvent<T> next() throws IOException {
		if (this.failure != null) {
			throw new IOException("the watch has already failed", this.failure);
		}
		if (this.closed) {
			throw new IOException("the stream was closed");
		}
		try {
			return read();
		}
		catch (IOException ex) {
			this.failure = ex;
			close();
			throw ex;
		}
	}

	/**
	 * Read the next event; {@code null} at the end of the stream.
	 */
	protected abstract @Nullable WatchEvent<T> read() throws IOException;

	/**
	 * Read the object of an event of a type.
	 */
	protected final WatchEvent<T> read(String type) throws IOException {
		return switch (type) {
			case "BOOKMARK" -> readBookmark();
			case "ERROR" -> new WatchEvent.Failure<>(readStatus());
			default -> readChange(changeType(type));
		};
	}

	private WatchEvent<T> readChange(ChangeType type) throws IOException {
		try {
			T object = readObject();
			Meter<T> meter = this.lookup.meter();
			if (meter != null && object != null && type != ChangeType.DELETED) {
				meter.received(object, objectSize());
			}
			return (object != null) ? new WatchEvent.Change<>(type, object)
					: new WatchEvent.Unwanted<>(type, Objects.requireNonNull(this.unwanted));
		}
		catch (UndecodableObjectException ex) {
			return new WatchEvent.Undecodable<>(type, ex.object());
		}
	}

	/**
	 * Read the object of a bookmark. It is not decoded into the model, which it need not
	 * fit: the containers of a bookmark's pod are {@code null}.
	 */
	protected abstract WatchEvent<T> readBookmark() throws IOException;

	/**
	 * Read the reason of an ERROR event.
	 */
	protected abstract ServerStatus readStatus() throws IOException;

	/**
	 * Read an object, with this reader as the lookup; {@code null} if it is not wanted.
	 */
	protected abstract @Nullable T readObject() throws IOException, UndecodableObjectException;

	/**
	 * Return the number of bytes of the last object that was read.
	 */
	protected abstract long objectSize();

	@Override
	public final @Nullable Found<T> find(ObjectState state) {
		Found<T> found = this.lookup.find(state);
		if (found != null) {
			this.unwanted = state;
		}
		return found;
	}

	@Override
	public final boolean shares() {
		return this.lookup.shares();
	}

	@Override
	public final @Nullable T earlier(ObjectState state) {
		return this.lookup.earlier(state);
	}

	/**
	 * Return the change that an event is.
	 */
	protected static ChangeType changeType(String type) throws MalformedResponseException {
		return switch (type) {
			case "ADDED" -> ChangeType.ADDED;
			case "MODIFIED" -> ChangeType.MODIFIED;
			case "DELETED" -> ChangeType.DELETED;
			default -> throw noEvent("one of type \"" + BodyText.printable(type) + "\"");
		};
	}

	/**
	 * Return a bookmark, which must have a resource version.
	 */
	protected static <T> WatchEvent<T> bookmark(@Nullable String resourceVersion, boolean initialEventsEnd)
			throws MalformedResponseException {
		if (resourceVersion == null || resourceVersion.isEmpty()) {
			throw new MalformedResponseException("expected a BOOKMARK event with a resource version, got one without");
		}
		return new WatchEvent.Bookmark<>(resourceVersion, initialEventsEnd);
	}

	/**
	 * Return the failure for something else in place of an event.
	 */
	protected static MalformedResponseException noEvent(String found) {
		return new MalformedResponseException("expected a watch event, got " + found);
	}

	/**
	 * Return the failure for an object of another kind. Most of its properties would be
	 * skipped as unknown, and the rest would replace an object of the same name, which is
	 * therefore not reported.
	 */
	protected static UndecodableObjectException otherKind(ObjectState state, String expected, String actual) {
		return new UndecodableObjectException(new ObjectState(null, null, state.uid(), state.resourceVersion()),
				"kind: expected " + expected + ", got " + BodyText.printable(actual));
	}

	@Override
	public final void close() {
		this.closed = true;
		try {
			this.body.close();
		}
		catch (IOException ex) {
			// ignored: the stream has ended
		}
	}

}

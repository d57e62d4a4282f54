/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.IOException;
import java.io.InputStream;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.ChangeLookup;
import dev.informer.client.model.UndecodableObjectException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the frames of a watch: a length of four bytes and a {@code WatchEvent}.
 */
final class ProtobufWatchEventReader<T> implements WatchEventReader<T> {

	private final InputStream body;

	private final MessageInput input;

	private final MessageReader reader = new MessageReader();

	private final ProtobufObjects<T> objects;

	private final ChangeLookup<T> lookup;

	private @Nullable IOException failure;

	private volatile boolean closed;

	ProtobufWatchEventReader(InputStream body, ProtobufObjects<T> objects, ObjectLookup<T> lookup) {
		this.body = body;
		this.lookup = new ChangeLookup<>(lookup);
		this.input = new MessageInput(body);
		this.objects = objects;
	}

	@Override
	public @Nullable WatchEvent<T> next() throws IOException {
		if (this.failure != null) {
			throw new IOException("the watch has already failed", this.failure);
		}
		if (this.closed) {
			throw new IOException("the stream was closed");
		}
		try {
			return read();
		}
		catch (MalformedMessageException ex) {
			throw failed(new MalformedResponseException(
					"expected a watch event, got invalid protobuf: " + ex.getMessage(), ex));
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	private IOException failed(IOException ex) {
		this.failure = ex;
		close();
		return ex;
	}

	private @Nullable WatchEvent<T> read() throws IOException {
		if (!this.input.hasNext()) {
			close();
			return null;
		}
		int length = this.input.int32();
		if (length < 0 || length > MessageInput.MAX_OBJECT) {
			// Skipping it could take all later events for a part of it.
			throw new MalformedMessageException("the length of a frame is out of range");
		}
		this.input.require(length);
		int start = this.input.position();
		this.input.advance(length);
		byte[] buffer = this.input.buffer();
		this.reader.reset(buffer, start, length);
		String type = "";
		int offset = start;
		int size = 0;
		while (this.reader.hasNext()) {
			int tag = this.reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> type = this.reader.string();
				case 2 -> {
					int outer = this.reader.enter();
					while (this.reader.hasNext()) {
						int inner = this.reader.tag();
						if (MessageReader.number(inner) == 1) {
							size = this.reader.length();
							offset = this.reader.position();
							this.reader.advance(size);
						}
						else {
							this.reader.skip(inner);
						}
					}
					this.reader.leave(outer);
				}
				default -> this.reader.skip(tag);
			}
		}
		return event(type, offset, size);
	}

	private WatchEvent<T> event(String type, int offset, int size) throws IOException {
		return switch (type) {
			case "ADDED" -> change(ChangeType.ADDED, offset, size);
			case "MODIFIED" -> change(ChangeType.MODIFIED, offset, size);
			case "DELETED" -> change(ChangeType.DELETED, offset, size);
			case "BOOKMARK" -> bookmark(envelope(offset, size));
			case "ERROR" -> new WatchEvent.Failure<>(StatusMessage.read(this.reader, envelope(offset, size), 0));
			default -> throw new MalformedResponseException(
					"expected a watch event, got one of type \"" + BodyText.printable(type) + "\"");
		};
	}

	private Envelope envelope(int offset, int size) {
		return Envelope.read(this.reader, this.input.buffer(), offset, size);
	}

	private WatchEvent<T> change(ChangeType type, int offset, int size) throws IOException {
		try {
			Envelope object = envelope(offset, size);
			if (!object.kind().equals(this.objects.kind())) {
				throw otherKind(object);
			}
			return this.lookup.event(type, this.objects.decode(this.reader, this.input.buffer(), object.offset(),
					object.length(), this.lookup));
		}
		catch (UndecodableObjectException ex) {
			return new WatchEvent.Undecodable<>(type, ex.object());
		}
		catch (MalformedMessageException ex) {
			return new WatchEvent.Undecodable<>(type,
					new UndecodableObject(ObjectState.NONE, String.valueOf(ex.getMessage())));
		}
	}

	private UndecodableObjectException otherKind(Envelope object) throws IOException {
		if (this.objects.kind().equals(PartialObjectMetadata.KIND)) {
			throw BodyText.notMetadata(object.kind());
		}
		ObjectState state = metadata(object).state();
		return new UndecodableObjectException(new ObjectState(null, null, state.uid(), state.resourceVersion()),
				"kind: expected " + this.objects.kind() + ", got " + BodyText.printable(object.kind()));
	}

	private MetadataMessage metadata(Envelope object) {
		return MetadataMessage.read(this.reader, this.input.buffer(), object.offset(), object.length());
	}

	private WatchEvent<T> bookmark(Envelope object) throws IOException {
		MetadataMessage metadata = metadata(object);
		String version = metadata.state().resourceVersion();
		if (version == null) {
			throw new MalformedResponseException("expected a BOOKMARK event with a resource version, got one without");
		}
		return new WatchEvent.Bookmark<>(version, metadata.initialEventsEnd());
	}

	@Override
	public void close() {
		this.closed = true;
		try {
			this.body.close();
		}
		catch (IOException ex) {
			// ignored: the stream has ended
		}
	}

}

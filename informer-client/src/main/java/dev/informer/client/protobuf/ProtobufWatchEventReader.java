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
import dev.informer.client.ServerStatus;
import dev.informer.client.WatchEvent;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.UndecodableObjectException;
import dev.informer.client.model.WatchReader;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the frames of a watch: a length of four bytes and a {@code WatchEvent}.
 */
final class ProtobufWatchEventReader<T> extends WatchReader<T> {

	private final MessageInput input;

	private final MessageReader reader = new MessageReader();

	private final ProtobufObjects<T> objects;

	/** The place of the object in the buffer, with its envelope. */
	private int offset;

	private int size;

	ProtobufWatchEventReader(InputStream body, ProtobufObjects<T> objects, ObjectLookup<T> lookup) {
		super(body, lookup);
		this.input = new MessageInput(body);
		this.objects = objects;
	}

	@Override
	protected @Nullable WatchEvent<T> read() throws IOException {
		try {
			return this.input.hasNext() ? readFrame() : null;
		}
		catch (MalformedMessageException ex) {
			throw new MalformedResponseException("expected a watch event, got invalid protobuf: " + ex.getMessage(),
					ex);
		}
	}

	private WatchEvent<T> readFrame() throws IOException {
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
		this.offset = start;
		this.size = 0;
		while (this.reader.hasNext()) {
			int tag = this.reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> type = this.reader.string();
				case 2 -> {
					int outer = this.reader.enter();
					while (this.reader.hasNext()) {
						int inner = this.reader.tag();
						if (MessageReader.number(inner) == 1) {
							this.size = this.reader.length();
							this.offset = this.reader.position();
							this.reader.advance(this.size);
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
		return read(type);
	}

	private Envelope envelope() {
		return Envelope.read(this.reader, this.input.buffer(), this.offset, this.size);
	}

	@Override
	protected @Nullable T readObject() throws IOException, UndecodableObjectException {
		try {
			Envelope object = envelope();
			if (!object.kind().equals(this.objects.kind())) {
				if (this.objects.kind().equals(PartialObjectMetadata.KIND)) {
					throw BodyText.notMetadata(object.kind());
				}
				throw otherKind(metadata(object).state(), this.objects.kind(), object.kind());
			}
			return this.objects.decode(this.reader, this.input.buffer(), object.offset(), object.length(), this);
		}
		catch (MalformedMessageException ex) {
			throw new UndecodableObjectException(ObjectState.NONE, String.valueOf(ex.getMessage()));
		}
	}

	@Override
	protected long objectSize() {
		return this.size;
	}

	private MetadataMessage metadata(Envelope object) {
		return MetadataMessage.read(this.reader, this.input.buffer(), object.offset(), object.length());
	}

	@Override
	protected ServerStatus readStatus() throws IOException {
		return StatusMessage.read(this.reader, envelope(), 0);
	}

	@Override
	protected WatchEvent<T> readBookmark() throws IOException {
		MetadataMessage metadata = metadata(envelope());
		return bookmark(metadata.state().resourceVersion(), metadata.initialEventsEnd());
	}

}

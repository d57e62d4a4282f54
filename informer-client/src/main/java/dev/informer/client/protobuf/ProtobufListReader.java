/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.IOException;
import java.io.InputStream;

import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup.Meter;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.UndecodableObjectException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a list, which decodes each item as soon as it has arrived.
 */
final class ProtobufListReader<T> {

	private static final int MAX_HEADER = 1 << 20;

	private final MessageInput input;

	private final MessageReader reader = new MessageReader();

	private final ProtobufObjects<T> objects;

	private final ListSink<T> sink;

	private String kind = "";

	private String resourceVersion = "";

	private @Nullable String continueToken;

	private boolean listRead;

	ProtobufListReader(InputStream body, ProtobufObjects<T> objects, ListSink<T> sink) {
		this.input = new MessageInput(body);
		this.objects = objects;
		this.sink = sink;
	}

	ListPage read() throws IOException {
		try {
			readEnvelope();
		}
		catch (MalformedMessageException ex) {
			throw new MalformedResponseException("expected a list, got invalid protobuf: " + ex.getMessage(), ex);
		}
		if (!this.listRead) {
			throw new MalformedResponseException("expected a list, got an envelope without content");
		}
		return new ListPage(this.resourceVersion, this.continueToken);
	}

	private void readEnvelope() throws IOException {
		this.input.require(Envelope.PREFIX.length);
		if (!Envelope.isAt(this.input.buffer(), this.input.position(), Envelope.PREFIX.length)) {
			throw new MalformedMessageException("the prefix k8s is missing");
		}
		this.input.advance(Envelope.PREFIX.length);
		while (this.input.hasNext()) {
			int tag = tag();
			MessageReader.require(tag, MessageReader.BYTES);
			long length = this.input.varint();
			switch (MessageReader.number(tag)) {
				case 1 -> readKind(header(length));
				case 2 -> readList(length);
				default -> this.input.skip(length);
			}
		}
	}

	private int tag() throws IOException {
		long tag = this.input.varint();
		if (tag >>> 3 == 0 || tag > Integer.MAX_VALUE) {
			throw new MalformedMessageException("invalid field number");
		}
		return (int) tag;
	}

	private int header(long length) throws IOException {
		if (length < 0 || length > MAX_HEADER) {
			throw new MalformedMessageException("a length is out of range");
		}
		this.input.require((int) length);
		this.reader.reset(this.input.buffer(), this.input.position(), (int) length);
		this.input.advance((int) length);
		return (int) length;
	}

	private void readKind(int length) throws IOException {
		while (this.reader.hasNext()) {
			int tag = this.reader.tag();
			if (MessageReader.number(tag) == 2) {
				this.kind = this.reader.string();
			}
			else {
				this.reader.skip(tag);
			}
		}
	}

	private void readList(long length) throws IOException {
		if (this.kind.equals("Status")) {
			int size = header(length);
			throw new ServerStatusException(
					StatusMessage.read(this.reader, new Envelope("v1", this.kind, this.reader.position(), size), 0));
		}
		checkKind();
		long rest = length;
		while (rest > 0) {
			int tag = tag();
			MessageReader.require(tag, MessageReader.BYTES);
			long size = this.input.varint();
			rest -= size(tag) + size(size) + size;
			if (size < 0 || rest < 0) {
				throw new MalformedMessageException("a length exceeds the list");
			}
			switch (MessageReader.number(tag)) {
				case 1 -> readMetadata(header(size));
				case 2 -> readItem(size);
				default -> this.input.skip(size);
			}
		}
		this.listRead = true;
	}

	private void checkKind() throws IOException {
		if (this.objects.kind().equals(PartialObjectMetadata.KIND) && !this.kind.equals(this.objects.kind() + "List")) {
			throw BodyText.notMetadata(this.kind);
		}
		if (!this.kind.endsWith("List")) {
			throw new MalformedResponseException("expected a list, got "
					+ (this.kind.isEmpty() ? "an object without kind" : "a " + BodyText.printable(this.kind)));
		}
	}

	private static int size(long varint) {
		return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(varint) + 6) / 7);
	}

	private void readMetadata(int length) {
		while (this.reader.hasNext()) {
			int tag = this.reader.tag();
			switch (MessageReader.number(tag)) {
				case 2 -> this.resourceVersion = this.reader.string();
				case 3 -> {
					String token = this.reader.string();
					this.continueToken = token.isEmpty() ? null : token;
				}
				default -> this.reader.skip(tag);
			}
		}
	}

	private void readItem(long length) throws IOException {
		if (length > MessageInput.MAX_OBJECT) {
			skipItem(length);
			return;
		}
		this.input.require((int) length);
		int position = this.input.position();
		this.input.advance((int) length);
		T item;
		try {
			item = this.objects.decode(this.reader, this.input.buffer(), position, (int) length, this.sink);
		}
		catch (UndecodableObjectException ex) {
			this.sink.acceptUndecodable(ex.object());
			return;
		}
		if (item != null) {
			Meter<T> meter = this.sink.meter();
			if (meter != null) {
				meter.received(item, length);
			}
			this.sink.accept(item);
		}
	}

	/**
	 * Skip an item that does not fit into memory. Its metadata are usually in its
	 * beginning.
	 */
	private void skipItem(long length) throws IOException {
		this.input.require(MessageInput.SIZE);
		ObjectState state = ObjectState.NONE;
		try {
			state = MetadataMessage.read(this.reader, this.input.buffer(), this.input.position(), MessageInput.SIZE)
				.state();
		}
		catch (MalformedMessageException ex) {
			// nothing is known about the item
		}
		this.input.skip(length);
		this.sink.acceptUndecodable(
				new UndecodableObject(state, "expected at most " + MessageInput.MAX_OBJECT + " bytes, got " + length));
	}

}

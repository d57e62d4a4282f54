/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.EOFException;
import java.io.IOException;
import java.util.Map;

import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup.Meter;
import dev.informer.client.ServerStatusException;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.UndecodableObjectException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one page of a list. Accepts the properties in any order: those of lists of
 * custom resources are sorted by name, so that {@code items} precedes {@code kind} and
 * {@code metadata}.
 */
final class JsonListReader<T> {

	private final TokenReader reader;

	private final RootDecoder<T> objects;

	private final ListSink<T> sink;

	private final @Nullable String listKindEnd;

	private final StatusReader status = new StatusReader();

	private boolean itemsRead;

	private String resourceVersion = "";

	private @Nullable String continueToken;

	/**
	 * Create a reader.
	 * @param listKindEnd the required end of the kind of the list; {@code null} for any
	 * kind, because the {@code listKind} of a CustomResourceDefinition is arbitrary
	 */
	JsonListReader(TokenReader reader, RootDecoder<T> objects, ListSink<T> sink, @Nullable String listKindEnd) {
		this.reader = reader;
		this.objects = objects;
		this.sink = sink;
		this.listKindEnd = listKindEnd;
	}

	ListPage read() throws IOException {
		readStart();
		String name;
		while ((name = this.reader.nextProperty()) != null) {
			switch (name) {
				case "metadata" -> readMetadata();
				case "items" -> readItems();
				default -> this.status.read(name, this.reader);
			}
		}
		checkKind();
		if (this.status.kind().isEmpty()) {
			throw new MalformedResponseException("expected a list, got an object without kind");
		}
		if (!this.itemsRead) {
			throw new MalformedResponseException("expected a list, got one without items");
		}
		return new ListPage(this.resourceVersion, this.continueToken);
	}

	private void readStart() throws IOException {
		try {
			this.reader.nextToken();
		}
		catch (MalformedResponseException | EOFException ex) {
			throw new MalformedResponseException("expected a list, got " + this.reader.body().describe(), ex);
		}
		if (!this.reader.isObject()) {
			throw new MalformedResponseException("expected a list, got " + this.reader.body().describe());
		}
	}

	private void checkKind() throws IOException {
		String kind = this.status.kind();
		if (kind.equals("Status")) {
			throw new ServerStatusException(this.status.status(0));
		}
		if (this.listKindEnd != null && !kind.isEmpty() && !kind.endsWith(this.listKindEnd)) {
			throw kind.endsWith("List") ? BodyText.notMetadata(kind)
					: new MalformedResponseException("expected a list, got a " + BodyText.printable(kind));
		}
	}

	private void readMetadata() throws IOException {
		if (this.reader.tree() instanceof Map<?, ?> metadata) {
			this.resourceVersion = (metadata.get("resourceVersion") instanceof String version) ? version : "";
			this.continueToken = (metadata.get("continue") instanceof String token && !token.isEmpty()) ? token : null;
		}
	}

	private void readItems() throws IOException {
		if (!this.status.kind().equals("Status")) {
			checkKind();
		}
		this.itemsRead = true;
		if (this.reader.isNull()) {
			return;
		}
		if (!this.reader.isArray()) {
			throw new MalformedResponseException("expected a list, got one whose items are not an array");
		}
		while (this.reader.nextElement()) {
			readItem();
		}
	}

	private void readItem() throws IOException {
		T item;
		try {
			item = this.reader.decode(this.objects, this.sink);
		}
		catch (UndecodableObjectException ex) {
			this.sink.acceptUndecodable(ex.object());
			return;
		}
		if (item != null) {
			Meter<T> meter = this.sink.meter();
			if (meter != null) {
				meter.received(item, this.reader.objectSize());
			}
			this.sink.accept(item);
		}
	}

}

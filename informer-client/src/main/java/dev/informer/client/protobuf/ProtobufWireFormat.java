/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.ObjectLookup;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ServerStatus;
import dev.informer.client.WatchEventReader;
import dev.informer.client.WireFormat;
import dev.informer.client.json.JsonWireFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Protobuf format of the official client's models, or of metadata alone. Objects are
 * equal to those that {@link JsonWireFormat} decodes. Requests accept JSON as well, which
 * the server may answer at any time, and which alone is requested once the server has
 * refused protobuf. Thread-safe.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding">Protobuf
 * encoding</a>
 */
public final class ProtobufWireFormat<T> implements WireFormat<T> {

	private static final Logger logger = LoggerFactory.getLogger(ProtobufWireFormat.class);

	private static final String JSON = "application/json";

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final int MAX_STATUS_LENGTH = 1 << 20;

	private final JsonWireFormat<T> json;

	private final ProtobufObjects<T> objects;

	private final AtomicBoolean refused = new AtomicBoolean();

	private ProtobufWireFormat(JsonWireFormat<T> json, ProtobufObjects<T> objects) {
		this.json = json;
		this.objects = objects;
	}

	/**
	 * Return a format that requests protobuf where it is available.
	 * @return the format; that of JSON unless the class is the official client's model of
	 * a built-in kind, or {@link PartialObjectMetadata}
	 */
	public static <T> WireFormat<T> of(Class<T> type, String apiVersion, String kind, JsonWireFormat<T> json,
			boolean keepManagedFields, SharedMessages shared) {
		boolean metadataOnly = type == PartialObjectMetadata.class;
		ProtobufObjects<T> objects = ProtobufObjects.of(type,
				metadataOnly ? PartialObjectMetadata.API_VERSION : apiVersion,
				metadataOnly ? PartialObjectMetadata.KIND : kind, keepManagedFields, shared);
		return (objects != null) ? new ProtobufWireFormat<>(json, objects) : json;
	}

	@Override
	public String encoding() {
		return "protobuf";
	}

	@Override
	public String listMediaType() {
		return preferring(this.json.listMediaType());
	}

	@Override
	public String watchMediaType() {
		return preferring(this.json.watchMediaType());
	}

	private String preferring(String mediaType) {
		return this.refused.get() ? mediaType : mediaType.replace(JSON, PROTOBUF) + "," + mediaType;
	}

	@Override
	public boolean refused(String mediaType, ServerStatus status) {
		if (!mediaType.contains(PROTOBUF) || (status.code() != 406 && status.code() != 415)) {
			return false;
		}
		if (this.refused.compareAndSet(false, true)) {
			logger.atInfo()
				.addKeyValue("kind", this.objects.kind())
				.log("Server refused protobuf for {} ({}); requesting JSON from now on", this.objects.kind(), status);
		}
		return true;
	}

	@Override
	public WireFormat<T> forContentType(@Nullable String contentType) {
		return (contentType != null && contentType.startsWith(PROTOBUF)) ? this : this.json;
	}

	/**
	 * {@inheritDoc}
	 * @throws dev.informer.client.ServerStatusException if the body is a {@code Status}
	 */
	@Override
	public ListPage readList(InputStream body, ListSink<T> sink) throws IOException {
		return new ProtobufListReader<>(body, this.objects, sink).read();
	}

	@Override
	public WatchEventReader<T> readWatch(InputStream body, ObjectLookup<T> lookup) {
		return new ProtobufWatchEventReader<>(body, this.objects, lookup);
	}

	@Override
	public ServerStatus readStatus(int code, InputStream body) throws IOException {
		byte[] bytes = body.readNBytes(MAX_STATUS_LENGTH);
		if (!Envelope.isAt(bytes, 0, bytes.length)) {
			return this.json.readStatus(code, new ByteArrayInputStream(bytes));
		}
		try {
			return StatusMessage.read(new MessageReader(), bytes, code);
		}
		catch (MalformedMessageException ex) {
			return new ServerStatus(code, "", "", List.of(), null);
		}
	}

}

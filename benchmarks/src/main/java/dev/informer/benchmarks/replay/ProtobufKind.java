/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.informer.test.ProtobufEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Representation of the objects of a built-in type in protobuf. Encoding takes much
 * longer than sending, so the messages are made before the clients start. They are equal
 * to the objects in JSON, from which they are made. Thread-safe.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding">Protobuf
 * encoding</a>
 */
final class ProtobufKind implements ReplayedKind {

	static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

	private static final byte[] OPEN = Bytes.of("{");

	/** Tag of the first field with a length, in a list also of the metadata. */
	private static final int FIRST = 1 << 3 | 2;

	/**
	 * Tag of the second field with a length: content, items, or the object of an event.
	 */
	private static final int SECOND = 2 << 3 | 2;

	/** Empty content encoding and type, with which envelopes end. */
	private static final byte[] ENVELOPE_END = { 3 << 3 | 2, 0, 4 << 3 | 2, 0 };

	private static final byte[] NOTHING = {};

	private final JsonKind kind;

	private final byte[] listStart;

	private final byte[] objectStart;

	private final byte[] expired;

	private volatile Map<ObjectState, byte[]> messages = Map.of();

	/**
	 * Create a representation without messages, which encodes every object when it is
	 * sent.
	 * @param kind the same objects in JSON
	 */
	ProtobufKind(JsonKind kind) {
		this.kind = kind;
		this.listStart = envelopeStart(kind.apiVersion(), kind.kind() + "List");
		this.objectStart = envelopeStart(kind.apiVersion(), kind.kind());
		this.expired = ProtobufEncoder.envelope("v1", "Status",
				ProtobufEncoder.get().message("v1", "Status", JsonMapper.shared().readTree(ReplayedStatus.EXPIRED)));
	}

	private static byte[] envelopeStart(String apiVersion, String kind) {
		byte[] empty = ProtobufEncoder.envelope(apiVersion, kind, NOTHING);
		// followed by the empty content: its tag and its length
		return Arrays.copyOf(empty, empty.length - 2 - ENVELOPE_END.length);
	}

	/**
	 * Encode objects, and forget all others.
	 * @param history the changes of the resource
	 * @param events the number of events whose objects are encoded as well
	 */
	void prepare(ChangeLog history, long events) {
		Map<ObjectState, byte[]> before = this.messages;
		Stream<ObjectState> initial = IntStream.range(0, history.objects()).mapToObj(history::initialState);
		Stream<ObjectState> later = LongStream.range(0, events)
			.mapToObj((sequence) -> history.event(sequence).object());
		List<ObjectState> states = Stream.concat(initial, later).toList();
		this.messages = states.parallelStream().collect(Collectors.toConcurrentMap(Function.identity(), (state) -> {
			byte[] message = before.get(state);
			return (message != null) ? message : encode(state);
		}, (first, second) -> first, () -> new ConcurrentHashMap<>(states.size() * 2)));
	}

	private byte[] message(ObjectState object) {
		byte[] message = this.messages.get(object);
		return (message != null) ? message : encode(object);
	}

	private byte[] encode(ObjectState object) {
		ByteArrayOutputStream json = new ByteArrayOutputStream();
		try {
			BodyOutput out = new BodyOutput(json);
			this.kind.writeItem(object, out);
			out.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return encode(JsonMapper.shared().readTree(json.toByteArray()));
	}

	private byte[] encode(JsonNode object) {
		return ProtobufEncoder.get().message(this.kind.apiVersion(), this.kind.kind(), object);
	}

	@Override
	public String listType() {
		return MEDIA_TYPE;
	}

	@Override
	public String watchType() {
		return MEDIA_TYPE + ";stream=watch";
	}

	@Override
	public void writeList(ReplayedPage page, BodyOutput out) throws IOException {
		byte[] metadata = metadata(page);
		List<byte[]> items = IntStream.range(page.first(), page.end())
			.mapToObj((index) -> message(page.history().state(index)))
			.toList();
		int length = fieldLength(metadata.length) + items.stream().mapToInt((item) -> fieldLength(item.length)).sum();
		out.text(this.listStart);
		start(SECOND, length, out);
		field(FIRST, metadata, out);
		for (byte[] item : items) {
			field(SECOND, item, out);
		}
		out.text(ENVELOPE_END);
		out.flush();
	}

	private static byte[] metadata(ReplayedPage page) {
		ObjectNode metadata = JsonMapper.shared()
			.createObjectNode()
			.put("resourceVersion", Long.toString(page.version()));
		if (page.remaining() > 0) {
			metadata.put("continue", Integer.toString(page.end())).put("remainingItemCount", (long) page.remaining());
		}
		return ProtobufEncoder.get().message("v1", "ListMeta", metadata);
	}

	@Override
	public void writeEvent(EventType type, ObjectState object, BodyOutput out) throws IOException {
		writeEvent(type.text(), message(object), out);
	}

	@Override
	public void writeBookmark(long resourceVersion, BodyOutput out) throws IOException {
		ObjectNode object = JsonMapper.shared().createObjectNode();
		object.putObject("metadata")
			.put("resourceVersion", Long.toString(resourceVersion))
			.putObject("annotations")
			.put("k8s.io/initial-events-end", "true");
		writeEvent(Bytes.of("BOOKMARK"), encode(object), out);
	}

	/**
	 * Write the length of an event, its type, and the extension with the envelope of its
	 * object.
	 */
	private void writeEvent(byte[] type, byte[] message, BodyOutput out) throws IOException {
		int envelope = this.objectStart.length + fieldLength(message.length) + ENVELOPE_END.length;
		out.int32(fieldLength(type.length) + fieldLength(fieldLength(envelope)));
		field(FIRST, type, out);
		start(SECOND, fieldLength(envelope), out);
		start(FIRST, envelope, out);
		out.text(this.objectStart);
		field(SECOND, message, out);
		out.text(ENVELOPE_END);
	}

	@Override
	public void writeExpired(BodyOutput out) throws IOException {
		byte[] type = Bytes.of("ERROR");
		out.int32(fieldLength(type.length) + fieldLength(fieldLength(this.expired.length)));
		field(FIRST, type, out);
		start(SECOND, fieldLength(this.expired.length), out);
		field(FIRST, this.expired, out);
	}

	private static void field(int tag, byte[] content, BodyOutput out) throws IOException {
		start(tag, content.length, out);
		out.text(content);
	}

	private static void start(int tag, int length, BodyOutput out) throws IOException {
		out.varint(tag);
		out.varint(length);
	}

	private static int fieldLength(int content) {
		return 1 + BodyOutput.varintLength(content) + content;
	}

}

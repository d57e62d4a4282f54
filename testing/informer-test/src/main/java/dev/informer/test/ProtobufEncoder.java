/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Encoder of objects of the built-in types in the protobuf encoding of Kubernetes, from
 * their JSON. Like the API server, it writes the zeros of fields that are no pointers in
 * Go.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding">Protobuf
 * encoding</a>
 */
public final class ProtobufEncoder {

	private static final byte[] PREFIX = { 'k', '8', 's', 0 };

	/** The definitions of informer-client, without which nothing is encoded. */
	private static final String RESOURCE = "/dev/informer/client/protobuf/kubernetes-messages.txt";

	/** The types of responses that are not objects; {@code $} is the first index. */
	private static final List<String> RESPONSES = List.of(
			"1:m$1?:metadata 2:s?:status 3:s?:message 4:s?:reason 5:m$2:details 6:n?:code",
			"1:s?:selfLink 2:s?:resourceVersion 3:s?:continue 4:l:remainingItemCount",
			"1:s?:name 2:s?:group 3:s?:kind 4:*m$3?:causes 5:n?:retryAfterSeconds 6:s?:uid",
			"1:s?:reason 2:s?:message 3:s?:field");

	private static final int VARINT = 0;

	private static final int FIXED64 = 1;

	private static final int BYTES = 2;

	private final Map<String, Integer> kinds = new HashMap<>();

	private final List<List<Field>> messages = new ArrayList<>();

	private ProtobufEncoder() {
		InputStream resource = ProtobufEncoder.class.getResourceAsStream(RESOURCE);
		if (resource == null) {
			return;
		}
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
			String line;
			while (!(line = lines.readLine()).isEmpty()) {
				int space = line.lastIndexOf(' ');
				this.kinds.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
			}
			while ((line = lines.readLine()) != null) {
				this.messages.add(fields(line));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		int first = this.messages.size();
		this.kinds.put("v1 Status", first);
		this.kinds.put("v1 ListMeta", first + 1);
		for (String response : RESPONSES) {
			for (int i = 1; i < RESPONSES.size(); i++) {
				response = response.replace("$" + i, Integer.toString(first + i));
			}
			this.messages.add(fields(response));
		}
	}

	private static List<Field> fields(String line) {
		return line.isEmpty() ? List.of() : Stream.of(line.split(" ")).map(Field::parse).toList();
	}

	/**
	 * Return the encoder, reading the definitions at the first call.
	 * @return the encoder
	 */
	public static ProtobufEncoder get() {
		return Holder.ENCODER;
	}

	/**
	 * Return whether a kind has an encoding.
	 * @param apiVersion the API version
	 * @param kind the kind
	 * @return whether it is a built-in one
	 */
	public boolean encodes(String apiVersion, String kind) {
		return this.kinds.containsKey(apiVersion + " " + kind);
	}

	/**
	 * Encode an object without its envelope.
	 * @param apiVersion the API version
	 * @param kind the kind
	 * @param object the object
	 * @return the message
	 * @throws IllegalArgumentException if the kind is not a built-in one
	 * @throws RuntimeException if the object does not fit its kind
	 */
	public byte[] message(String apiVersion, String kind, JsonNode object) {
		Integer message = this.kinds.get(apiVersion + " " + kind);
		if (message == null) {
			throw new IllegalArgumentException("No encoding of " + apiVersion + " " + kind);
		}
		Output out = new Output();
		write(this.messages.get(message), object, out);
		return out.toByteArray();
	}

	/**
	 * Put a message into an envelope.
	 * @param apiVersion the API version
	 * @param kind the kind
	 * @param message the message
	 * @return the envelope with its prefix
	 */
	public static byte[] envelope(String apiVersion, String kind, byte[] message) {
		Output type = new Output();
		type.bytes(1, apiVersion.getBytes(StandardCharsets.UTF_8));
		type.bytes(2, kind.getBytes(StandardCharsets.UTF_8));
		Output out = new Output();
		out.writeBytes(PREFIX);
		out.bytes(1, type.toByteArray());
		out.bytes(2, message);
		out.bytes(3, new byte[0]);
		out.bytes(4, new byte[0]);
		return out.toByteArray();
	}

	/**
	 * Return a field that contains bytes.
	 * @param number the number of the field
	 * @param content the bytes
	 * @return the encoded field
	 */
	public static byte[] bytes(int number, byte[] content) {
		Output out = new Output();
		out.bytes(number, content);
		return out.toByteArray();
	}

	private void write(List<Field> fields, JsonNode object, Output out) {
		for (Field field : fields) {
			if (field.name().isEmpty()) {
				Output inlined = new Output();
				write(this.messages.get(Integer.parseInt(field.type().substring(1))), object, inlined);
				out.bytes(field.number(), inlined.toByteArray());
				continue;
			}
			JsonNode value = object.get(field.name());
			if (value != null && !value.isNull()) {
				write(field, value, out);
			}
			else if (field.omitsZero()) {
				writeZero(field, out);
			}
		}
	}

	private void write(Field field, JsonNode value, Output out) {
		String elements = field.type().substring(1);
		switch (field.type().charAt(0)) {
			case '*' -> require(value.isArray(), value)
				.forEach((element) -> writeValue(field.number(), elements, element, out));
			case '%' -> require(value.isObject(), value).properties().forEach((entry) -> {
				Output pair = new Output();
				pair.bytes(1, entry.getKey().getBytes(StandardCharsets.UTF_8));
				writeValue(2, elements, entry.getValue(), pair);
				out.bytes(field.number(), pair.toByteArray());
			});
			default -> writeValue(field.number(), field.type(), value, out);
		}
	}

	private void writeZero(Field field, Output out) {
		switch (field.type().charAt(0)) {
			case 's' -> out.bytes(field.number(), new byte[0]);
			case 'b', 'n', 'l' -> out.number(field.number(), 0);
			case 'm' -> {
				Output empty = new Output();
				write(this.messages.get(Integer.parseInt(field.type().substring(1))),
						JsonNodeFactory.instance.objectNode(), empty);
				out.bytes(field.number(), empty.toByteArray());
			}
			case 't', 'u' -> out.bytes(field.number(), new byte[0]);
			default -> {
				// absent lists, maps, bytes and pointers are not written
			}
		}
	}

	private void writeValue(int number, String type, JsonNode value, Output out) {
		switch (type.charAt(0)) {
			case 's' -> out.bytes(number, require(value.isString(), value).asString().getBytes(StandardCharsets.UTF_8));
			case 'b' -> out.number(number, require(value.isBoolean(), value).asBoolean() ? 1 : 0);
			case 'n', 'l' -> out.number(number, require(value.isIntegralNumber(), value).asLong());
			case 'd' -> out.fixed(number, Double.doubleToLongBits(require(value.isNumber(), value).asDouble()));
			case 'y' -> out.bytes(number, Base64.getDecoder().decode(require(value.isString(), value).asString()));
			case 'q' -> wrapped(number, value.asString().getBytes(StandardCharsets.UTF_8), out);
			case 'j' -> wrapped(number, value.toString().getBytes(StandardCharsets.UTF_8), out);
			case 't', 'u' -> writeTime(number, value.asString(), out);
			case 'o' -> writeIntOrString(number, value, out);
			case 'w' -> {
				Output list = new Output();
				value.forEach((element) -> writeValue(1, type.substring(1), element, list));
				out.bytes(number, list.toByteArray());
			}
			default -> {
				Output message = new Output();
				write(this.messages.get(Integer.parseInt(type.substring(1))), require(value.isObject(), value),
						message);
				out.bytes(number, message.toByteArray());
			}
		}
	}

	private static JsonNode require(boolean fits, JsonNode value) {
		if (!fits) {
			throw new IllegalArgumentException("Unexpected " + value.getNodeType());
		}
		return value;
	}

	private static void wrapped(int number, byte[] content, Output out) {
		Output message = new Output();
		message.bytes(1, content);
		out.bytes(number, message.toByteArray());
	}

	private static void writeTime(int number, String text, Output out) {
		Instant time = OffsetDateTime.parse(text).toInstant();
		Output message = new Output();
		message.number(1, time.getEpochSecond());
		message.number(2, time.getNano());
		out.bytes(number, message.toByteArray());
	}

	private static void writeIntOrString(int number, JsonNode value, Output out) {
		Output message = new Output();
		message.number(1, value.isString() ? 1 : 0);
		message.number(2, value.isString() ? 0 : value.asInt());
		message.bytes(3, value.isString() ? value.asString().getBytes(StandardCharsets.UTF_8) : new byte[0]);
		out.bytes(number, message.toByteArray());
	}

	private static final class Holder {

		private static final ProtobufEncoder ENCODER = new ProtobufEncoder();

	}

	private record Field(int number, String type, boolean omitsZero, String name) {

		static Field parse(String text) {
			String[] parts = text.split(":", -1);
			boolean omitsZero = parts[1].endsWith("?");
			return new Field(Integer.parseInt(parts[0]),
					omitsZero ? parts[1].substring(0, parts[1].length() - 1) : parts[1], omitsZero, parts[2]);
		}

	}

	/**
	 * Message that is being written.
	 */
	private static final class Output extends ByteArrayOutputStream {

		void varint(long value) {
			long rest = value;
			while ((rest & ~0x7fL) != 0) {
				write((int) (rest & 0x7f) | 0x80);
				rest >>>= 7;
			}
			write((int) rest);
		}

		void number(int field, long value) {
			varint((long) field << 3 | VARINT);
			varint(value);
		}

		void fixed(int field, long value) {
			varint((long) field << 3 | FIXED64);
			for (int i = 0; i < Long.BYTES; i++) {
				write((int) (value >>> i * Byte.SIZE));
			}
		}

		void bytes(int field, byte[] value) {
			varint((long) field << 3 | BYTES);
			varint(value.length);
			writeBytes(value);
		}

	}

}

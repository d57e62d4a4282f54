/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Fields of the protobuf messages of the built-in types, as the Kubernetes API defines
 * them. The resource is generated from the Go types by {@code .ci/protobuf}.
 */
final class MessageTables {

	private static final String RESOURCE = "/dev/informer/client/protobuf/kubernetes-messages.txt";

	/** By API version and kind the index of the message. */
	private final Map<String, Integer> kinds = new HashMap<>();

	private final List<String> messages = new ArrayList<>();

	private MessageTables(BufferedReader lines) throws IOException {
		String line;
		while (!(line = lines.readLine()).isEmpty()) {
			int space = line.lastIndexOf(' ');
			this.kinds.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
		}
		while ((line = lines.readLine()) != null) {
			this.messages.add(line);
		}
	}

	/**
	 * Return the tables, reading them at the first call.
	 */
	static MessageTables get() {
		return Holder.TABLES;
	}

	/**
	 * Return the index of the message of a kind; {@code null} if the kind is not a
	 * built-in one.
	 */
	@Nullable Integer message(String apiVersion, String kind) {
		return this.kinds.get(apiVersion + " " + kind);
	}

	/**
	 * Return the fields of a message.
	 */
	List<MessageField> fields(int message) {
		List<MessageField> fields = new ArrayList<>();
		String line = this.messages.get(message);
		for (int from = 0; from < line.length();) {
			int to = line.indexOf(' ', from);
			to = (to < 0) ? line.length() : to;
			fields.add(MessageField.parse(line.substring(from, to)));
			from = to + 1;
		}
		return fields;
	}

	private static final class Holder {

		private static final MessageTables TABLES = load();

		private static MessageTables load() {
			InputStream resource = MessageTables.class.getResourceAsStream(RESOURCE);
			if (resource == null) {
				throw new IllegalStateException("Resource " + RESOURCE + " is missing");
			}
			try (BufferedReader lines = new BufferedReader(
					new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
				return new MessageTables(lines);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	/**
	 * Field of a message.
	 *
	 * @param type the type of the value: {@code '*'} for a list and {@code '%'} for a map
	 * before that of the elements, and after {@code 'm'} and {@code 'i'} the index of a
	 * message
	 * @param omitsZero whether JSON leaves out a zero
	 * @param name the name of the property in JSON; empty for an inlined message
	 */
	record MessageField(int number, String type, boolean omitsZero, String name) {

		static MessageField parse(String text) {
			int first = text.indexOf(':');
			int second = text.indexOf(':', first + 1);
			boolean omitsZero = text.charAt(second - 1) == '?';
			return new MessageField(Integer.parseInt(text.substring(0, first)),
					text.substring(first + 1, omitsZero ? second - 1 : second), omitsZero, text.substring(second + 1));
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a client does.
 *
 * @param server where the server is
 * @param client which client it is
 * @param objects how many pods there are
 * @param updates how many updates it has to handle
 * @param managedFields whether it keeps {@code managedFields}, if it can do without
 * @param metadataOnly whether it wants the metadata alone, if it can ask for that
 * @param streamingList whether it reads the state as a streaming list, if it can
 * @param warmUp whether its first request is over when the clock starts
 * @param profile whether it says what has used the processor and the heap
 * @param certificate the certificate of a server with TLS; {@code null} for one without
 * @param token the token for a server with TLS
 */
public record ClientSettings(URI server, ClientType client, int objects, int updates, boolean managedFields,
		boolean metadataOnly, boolean streamingList, boolean warmUp, boolean profile, @Nullable Path certificate,
		String token) {

	/**
	 * Reads settings.
	 * @param arguments {@code name=value}, or {@code name} for what is true
	 * @return the settings
	 * @throws IllegalArgumentException when one is missing
	 */
	public static ClientSettings of(String... arguments) {
		Map<String, String> values = new HashMap<>();
		for (String argument : arguments) {
			int equals = argument.indexOf('=');
			values.put((equals < 0) ? argument : argument.substring(0, equals),
					(equals < 0) ? "true" : argument.substring(equals + 1));
		}
		return new ClientSettings(URI.create(required(values, "server")),
				ClientType.valueOf(required(values, "client").toUpperCase(Locale.ROOT).replace('-', '_')),
				Integer.parseInt(values.getOrDefault("objects", "0")),
				Integer.parseInt(values.getOrDefault("updates", "0")), values.containsKey("managed-fields"),
				values.containsKey("metadata-only"), values.containsKey("streaming-list"),
				values.containsKey("warm-up"), values.containsKey("profile"),
				values.containsKey("certificate") ? Path.of(required(values, "certificate")) : null,
				values.getOrDefault("token", ""));
	}

	private static String required(Map<String, String> values, String name) {
		String value = values.get(name);
		if (value == null) {
			throw new IllegalArgumentException("Say " + name + "=...; there are only " + values.keySet());
		}
		return value;
	}

}

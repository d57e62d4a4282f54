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

import dev.informer.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a benchmark client.
 *
 * @param server the address of the server
 * @param client the type of the client
 * @param objects the number of pods
 * @param updates the number of updates that it has to handle
 * @param managedFields whether it keeps {@code managedFields}, if they are optional for
 * it
 * @param metadataOnly whether it requests the metadata alone, if it supports that
 * @param streamingList whether it reads the state as a streaming list, if it supports
 * that
 * @param warmUp whether its first request has completed when the clock starts
 * @param profile whether it prints the use of the processor and the heap
 * @param certificate the certificate of a server with TLS; {@code null} for one without
 * @param token the token for a server with TLS
 * @param serverPid the process whose processor time is measured as well; 0 for none
 * @param handlers the number of handlers, of which one counts the events
 * @param namespaces the number of namespaces to follow; 0 for all of them
 * @param indices the number of indices
 * @param rate the number of events per second
 */
public record ClientSettings(URI server, ClientType client, int objects, int updates, boolean managedFields,
		boolean metadataOnly, boolean streamingList, boolean warmUp, boolean profile, @Nullable Path certificate,
		String token, long serverPid, int handlers, int namespaces, int indices, int rate) {

	/**
	 * Read settings.
	 * @param arguments {@code name=value}, or {@code name} for a flag that is set
	 * @return the settings
	 * @throws IllegalArgumentException if a required setting is missing
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
				values.getOrDefault("token", ""), Long.parseLong(values.getOrDefault("server-pid", "0")),
				Integer.parseInt(values.getOrDefault("handlers", "1")),
				Integer.parseInt(values.getOrDefault("namespaces", "0")),
				Integer.parseInt(values.getOrDefault("indices", "0")),
				Integer.parseInt(values.getOrDefault("rate", "0")));
	}

	/**
	 * Return the encoding that this project's informers are configured for.
	 */
	Encoding encoding() {
		return (this.client == ClientType.INFORMER_JSON) ? Encoding.JSON : Encoding.AUTO;
	}

	/**
	 * Check that the server answered in the encoding of the client, and that the cache of
	 * the client is complete.
	 * @param encoding the encoding of the responses
	 * @param cached the number of cached objects
	 */
	void verify(String encoding, int cached) {
		if (!encoding.equals(this.client.encoding())) {
			throw new IllegalStateException("Server answered in " + encoding + " instead of " + this.client.encoding());
		}
		if (cached != this.objects) {
			throw new IllegalStateException(cached + " instead of " + this.objects + " objects in the cache");
		}
	}

	private static String required(Map<String, String> values, String name) {
		String value = values.get(name);
		if (value == null) {
			throw new IllegalArgumentException(
					"Missing setting '" + name + "'. Add " + name + "=...; present: " + values.keySet());
		}
		return value;
	}

}

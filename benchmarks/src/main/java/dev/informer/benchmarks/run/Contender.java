/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.informer.benchmarks.client.ClientType;

/**
 * Client that takes part in a comparison.
 *
 * @param name its name in the table
 * @param client its name without arguments
 * @param arguments its further arguments
 * @param classes compiled classes of another state of this project, instead of those that
 * this program was built with
 */
record Contender(String name, String client, List<String> arguments, List<Path> classes) {

	/** Client with a separate program. */
	static final String CLIENT_GO = "client-go";

	/**
	 * Read a contender from the command line.
	 * @param text {@code client[+argument...][@classes]}, such as
	 * {@code informer+streaming-list@/tmp/informer-core/target/classes}; classes are a
	 * class path
	 * @throws IllegalArgumentException if there is no such client
	 */
	static Contender of(String text) {
		int at = text.indexOf('@');
		String[] parts = ((at < 0) ? text : text.substring(0, at)).split("\\+");
		Contender contender = new Contender(text, parts[0], List.of(parts).subList(1, parts.length),
				(at < 0) ? List.of() : List.of(Path.of(text.substring(at + 1))));
		contender.encoding();
		return contender;
	}

	boolean isInformer() {
		return this.client.startsWith("informer");
	}

	/**
	 * Return this contender with compiled classes of another state of this project.
	 */
	Contender withClasses(List<Path> classes) {
		return isInformer() ? new Contender(this.name, this.client, this.arguments, classes) : this;
	}

	/**
	 * Return the encoding in which it receives its objects.
	 */
	String encoding() {
		return this.client.equals(CLIENT_GO) ? "protobuf"
				: ClientType.valueOf(this.client.toUpperCase(Locale.ROOT).replace('-', '_')).encoding();
	}

	/**
	 * Return the settings of a server for this client, which encodes in advance what the
	 * client will receive.
	 * @param events the number of events
	 */
	String serverSettings(int events) {
		if (!encoding().equals("protobuf")) {
			return "";
		}
		return "&encoded=" + events + "&metadata-only=" + this.arguments.contains("metadata-only");
	}

	/**
	 * Return the arguments of its process.
	 */
	List<String> processArguments(String... common) {
		List<String> all = new ArrayList<>(List.of(common));
		all.add("client=" + this.client);
		all.addAll(this.arguments);
		return all;
	}

}

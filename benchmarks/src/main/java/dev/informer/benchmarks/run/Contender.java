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
 * @param type its type
 * @param arguments its further arguments
 * @param classes compiled classes of another state of this project, instead of those that
 * this program was built with
 */
record Contender(String name, ClientType type, List<String> arguments, List<Path> classes) {

	/**
	 * Read a contender from the command line.
	 * @param text {@code client[+argument...][@classes]}, such as
	 * {@code informer+streaming-list@/tmp/informer-core/target/classes}
	 */
	static Contender of(String text) {
		int at = text.indexOf('@');
		String[] parts = ((at < 0) ? text : text.substring(0, at)).split("\\+");
		ClientType type = ClientType.valueOf(parts[0].toUpperCase(Locale.ROOT).replace('-', '_'));
		return new Contender(text, type, List.of(parts).subList(1, parts.length),
				(at < 0) ? List.of() : List.of(Path.of(text.substring(at + 1))));
	}

	/**
	 * Return the arguments of its process.
	 */
	List<String> processArguments(String... common) {
		List<String> all = new ArrayList<>(List.of(common));
		all.add("client=" + this.type.name());
		all.addAll(this.arguments);
		return all;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.InformerFailure.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the page for troubleshooting has the messages of the sources, and no others.
 */
class MessagesPageTests {

	private static final Page PAGE = Page.of("docs/troubleshooting.md");

	private static final List<List<String>> SYMPTOMS = PAGE.table("## Symptoms");

	private static final List<List<String>> LOGGED = PAGE.table("### Log at WARN and ERROR");

	private final List<String> entries = Stream.concat(PAGE.table("### Startup fails").stream(), LOGGED.stream())
		.map((row) -> row.get(0).replace("`", ""))
		.toList();

	private final MessageSources sources = new MessageSources(Path.of("..").toAbsolutePath().normalize());

	@Test
	void entries_areMessagesOfTheSources() {
		assertThat(this.entries).allSatisfy((entry) -> assertThat(this.sources.methods()).anyMatch(matching(entry)));
	}

	@Test
	void messagesOfTheSources_haveEntries() {
		List<Predicate<String>> documented = this.entries.stream().map(MessagesPageTests::matching).toList();
		assertThat(this.sources.logged()).hasSizeGreaterThan(30)
			.allSatisfy((message) -> assertThat(documented).anyMatch((entry) -> entry.test(message)));
	}

	@Test
	void kindsOfFailures_haveEntries() {
		String kinds = Stream.concat(SYMPTOMS.stream(), LOGGED.stream())
			.map((row) -> row.get(row.size() - 1))
			.collect(Collectors.joining(" "));
		assertThat(Stream.of(Kind.values()).map((kind) -> "`" + kind.name().toLowerCase(Locale.ROOT) + "`"))
			.allSatisfy((kind) -> assertThat(kinds).contains(kind));
	}

	/**
	 * Return whether a message contains the fragments of an entry in their order.
	 */
	private static Predicate<String> matching(String entry) {
		return Pattern
			.compile(Stream.of(entry.split("\\.\\.\\."))
				.map((fragment) -> Pattern.quote(fragment.strip()))
				.collect(Collectors.joining(".*")), Pattern.DOTALL)
			.asPredicate();
	}

}

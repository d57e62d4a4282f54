/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the keys in messages are properties. The messages of failed starts are
 * checked wherever a test analyzes one.
 */
class AdvisedKeysTests {

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");

	/** What is between two literals of a concatenation: nothing, or an expression. */
	private static final Pattern JOIN = Pattern.compile("\"\\s*\\+\\s*(?:([^\";,]+?)\\s*\\+\\s*)?\"");

	private static final Pattern LITERAL = Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*\"");

	/** End of a key that begins with a variable. */
	private static final Pattern END = Pattern
		.compile("(?:[kK]ey|[pP]refix|(?:prefix|PREFIX) \\+ name)(?:\\([^)]*\\))? \\+ \"(\\.[a-z][a-z.-]*[a-z])");

	@Test
	void keysInMessages_areProperties() throws IOException {
		List<String> messages = sources()
			.map((source) -> JOIN.matcher(source).replaceAll((join) -> (join.group(1) != null) ? "<x>" : ""))
			.flatMap((source) -> LITERAL.matcher(source).results().map(MatchResult::group))
			.toList();
		assertThat(messages.stream().flatMap((message) -> AdvisedKeys.find(message).stream())).hasSizeGreaterThan(50);
		assertThat(messages.stream().flatMap((message) -> AdvisedKeys.unknown(message).stream())).isEmpty();
	}

	@Test
	void endsOfKeysInMessages_areThoseOfProperties() throws IOException {
		List<String> ends = sources().flatMap((source) -> END.matcher(source).results().map((match) -> match.group(1)))
			.toList();
		assertThat(ends).hasSizeGreaterThan(20).allMatch(AdvisedKeys::isEndOfProperty);
	}

	private static Stream<String> sources() throws IOException {
		List<String> sources = new ArrayList<>();
		for (String module : List.of("informer-client", "informer-core", "informer-replicas",
				"informer-spring-boot-autoconfigure")) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
				for (Path file : files.filter((each) -> each.toString().endsWith(".java")).toList()) {
					sources.add(COMMENT.matcher(Files.readString(file)).replaceAll(""));
				}
			}
		}
		return sources.stream();
	}

	@Test
	void unknownKey_isFound() {
		assertThat(AdvisedKeys.unknown("Set informer.handlers.bean.method.leader-only=true, "
				+ "informer.handlers[bean.method].leader-only=true, informer.resources.pods.required=false "
				+ "or informer.resources.pods.handler=x; see informer.resources.pods.handler and informer.leaders."))
			.containsExactly("informer.handlers.bean.method.leader-only=", "informer.resources.pods.handler=",
					"informer.leaders");
	}

}

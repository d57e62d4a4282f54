/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Messages in the sources: string literals of a method or a statement, with {@code ...}
 * in place of everything between them.
 */
final class MessageSources {

	private static final Pattern TOKEN = Pattern
		.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'");

	private static final Pattern LITERAL = Pattern.compile("\"(\\d+)\"");

	private static final Pattern METHOD_END = Pattern.compile("(?m)^\\t+}$");

	/** At least three words. */
	private static final Pattern SENTENCE = Pattern.compile("\\S+ \\S+ \\S+");

	private static final Pattern ANALYZED = Pattern.compile("AbstractFailureAnalyzer<(\\w+)>");

	/** Code that logs at WARN or ERROR, or passes on a message that is logged. */
	private static final String LOGGED = "\\.atWarn\\(|\\.atError\\(|logger\\.(?:warn|error)\\(|Level\\.(?:WARN|ERROR)"
			+ "|(?:failures|findings)\\.accept\\(|finding = new IllegalStateException\\(|String problem\\(\\)|newThread\\(role"
			+ "|reporter\\.failed\\(Kind\\.|new FailureAnalysis\\((?!cause\\.getMessage)";

	/** All methods with literals. */
	private final List<String> methods = new ArrayList<>();

	/** All statements that log or pass on a message. */
	private final List<String> logged = new ArrayList<>();

	MessageSources(Path root) {
		List<Path> files = Stream
			.of("informer-client", "informer-core", "informer-replicas", "informer-reconcilers",
					"informer-spring-boot-autoconfigure")
			.flatMap((module) -> javaFiles(root.resolve(module).resolve("src/main/java")))
			.toList();
		List<String> analyzed = files.stream()
			.flatMap((file) -> ANALYZED.matcher(read(file)).results())
			.map((match) -> match.group(1) + ".java")
			.toList();
		for (Path file : files) {
			boolean exception = analyzed.contains(file.getFileName().toString());
			addFile(read(file), Pattern.compile(exception ? LOGGED + "|super\\(" : LOGGED));
		}
	}

	List<String> methods() {
		return this.methods;
	}

	List<String> logged() {
		return this.logged;
	}

	private void addFile(String source, Pattern sites) {
		List<String> literals = new ArrayList<>();
		String code = TOKEN.matcher(source).replaceAll((match) -> {
			if (!match.group().startsWith("\"")) {
				return " ";
			}
			literals.add(match.group().substring(1, match.group().length() - 1).replace("\\\"", "\""));
			return "\"" + (literals.size() - 1) + "\"";
		});
		for (String method : METHOD_END.split(code)) {
			String whole = template(method, literals);
			this.methods.add(whole);
			for (String statement : method.split(";")) {
				if (sites.matcher(statement).find()) {
					String template = template(statement, literals);
					String message = SENTENCE.matcher(template).find() ? template : whole;
					if (SENTENCE.matcher(message).find()) {
						this.logged.add(message);
					}
				}
			}
		}
	}

	private static String template(String code, List<String> literals) {
		StringBuilder template = new StringBuilder();
		Matcher matcher = LITERAL.matcher(code);
		int end = 0;
		while (matcher.find()) {
			template.append(code.substring(end, matcher.start()).matches("\\s*\\+\\s*") ? "" : "...")
				.append(literals.get(Integer.parseInt(matcher.group(1))).replaceAll("\\{}|%s", "..."));
			end = matcher.end();
		}
		return template.toString();
	}

	private static Stream<Path> javaFiles(Path folder) {
		try {
			return Files.walk(folder).filter((file) -> file.toString().endsWith(".java"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

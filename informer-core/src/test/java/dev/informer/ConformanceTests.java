/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code CONFORMANCE.md} tells the truth about which tests there are.
 */
class ConformanceTests {

	private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();

	/**
	 * A module, a class and one of its methods; the first and the last may be missing.
	 */
	private static final Pattern TEST = Pattern.compile("`(?:([\\w-]+)/)?([\\w.]+Tests)(?:#(\\w+))?`");

	/** The cases that the table has to have, by section. */
	private static final Map<String, List<String>> CASES = Map.of("Reflector",
			List.of("stops watch on ERROR event", "returns when cancelled before, during and after a watch",
					"empty closed watch is a very short watch",
					"wrong type skipped and RV still follows the server even downwards",
					"exact request options of LIST, WATCH and streaming list", "error handler told",
					"backoff on refused connection", "backoff on 429", "no relist on 429 (1 LIST, 5 WATCH)",
					"resync error reported", "page size 4", "RV \"0\" first, then last",
					"paging stays on once the watch cache proved to be off", "expired exact RV (\"0\",\"10\",\"\")",
					"full list if expired on page 2 (\"0\",\"10\",\"\",\"10\")",
					"too large (\"0\",\"20\",\"\",\"30\",\"\",\"40\",\"\")", "watch timeouts within bounds",
					"RV follows ADDED, MODIFIED, DELETED, BOOKMARK (10,20,30,40)",
					"an object removed behind the watch's back disappears on relist", "transform once per object",
					"history going back", "idle timeout armed and not armed"),
			"Streaming list",
			List.of("no bookmark", "gate off", "any-error fallback", "422 fallback",
					"MODIFIED and DELETED while streaming", "429 twice", "stop before the bookmark", "stop after it",
					"410 on re-open", "bookmark annotation \"false\" does not count",
					"bookmark never comes though events keep coming"),
			"DeltaFIFO",
			List.of("compaction of deletions", "replace makes deletions for objects only in the queue",
					"replace makes deletions for known objects", "resync does not overtake an update",
					"hasSynced in all its orders", "pop unblocks on close", "no key jumps the line",
					"delete while the key is being processed", "failure part-way through a key's deltas"),
			"Processor",
			List.of("every pair and triple of notifications under COALESCE, UID changes and filters included, against a model"),
			"Informer",
			List.of("index before and after start", "three handlers with resync 0, 2 s, 3 s get their own resyncs only",
					"check period shrinks 12 h -> 1 min -> 55 s -> 5 s",
					"lost watch: a handler without resync gets only changes",
					"100 threads adding and removing handlers during 10,000 events and shutdown", "late handler",
					"removal while active", "three life cycles leave no thread",
					"stop, changes on the server, start: differences only"),
			"Store",
			List.of("empty index sets removed", "multi-valued index through add, change and delete",
					"RV after add, delete, replace", "concurrent readers never see an incomplete replace",
					"at store RV r the store equals the server's state at r"));

	@Test
	void everyCase_exists() throws IOException {
		Map<String, List<Row>> sections = sections();
		assertThat(CASES).allSatisfy((section, cases) -> assertThat(sections.get(section)).as(section)
			.extracting(Row::name)
			.containsExactlyElementsOf(cases));
	}

	@Test
	void everyCase_namesItsTests() throws IOException {
		sections().forEach((section, rows) -> {
			assertThat(rows).as(section).isNotEmpty();
			boolean mayBeOpen = !CASES.containsKey(section);
			assertThat(rows).allSatisfy(
					(row) -> assertThat(!row.tests().isEmpty() || (mayBeOpen && row.isOpen())).as(row.name()).isTrue());
		});
	}

	@Test
	void everyTestNamed_existsAndIsEnabled() throws IOException {
		List<NamedTest> named = sections().values()
			.stream()
			.flatMap(List::stream)
			.flatMap((row) -> row.tests().stream())
			.toList();
		assertThat(named).hasSizeGreaterThan(100);
		for (NamedTest test : named) {
			assertThat(test.source()).as(test.toString()).isRegularFile();
			String text = Files.readString(test.source());
			assertThat(text.substring(0, text.indexOf("class "))).as(test.toString()).doesNotContain("@Disabled");
			if (test.method() != null) {
				int name = text.indexOf("void " + test.method() + "(");
				assertThat(name).as(test.toString()).isPositive();
				assertThat(text.substring(text.lastIndexOf("\n\n", name), name)).as(test.toString())
					.containsPattern("@(Parameterized|Repeated)?Test\\b")
					.doesNotContain("@Disabled");
			}
		}
	}

	private static Map<String, List<Row>> sections() throws IOException {
		Map<String, List<Row>> sections = new LinkedHashMap<>();
		List<Row> rows = new ArrayList<>();
		for (String line : Files.readAllLines(MODULE.resolve("CONFORMANCE.md"))) {
			if (line.startsWith("## ")) {
				rows = new ArrayList<>();
				sections.put(line.substring(3), rows);
			}
			else if (line.startsWith("| ") && !line.startsWith("| case |")) {
				String[] cells = line.split("\\|");
				rows.add(new Row(cells[1].strip(), cells[2].strip()));
			}
		}
		return sections;
	}

	private record Row(String name, String text) {

		List<NamedTest> tests() {
			return TEST.matcher(this.text).results().map(NamedTest::of).toList();
		}

		boolean isOpen() {
			return this.text.contains("**open**");
		}

	}

	private record NamedTest(@Nullable String module, String type, @Nullable String method) {

		static NamedTest of(MatchResult match) {
			return new NamedTest(match.group(1), match.group(2), match.group(3));
		}

		Path source() {
			Path root = (this.module != null) ? MODULE.resolveSibling("testing").resolve(this.module) : MODULE;
			String name = (this.module != null) ? this.type : "dev.informer." + this.type;
			return root.resolve("src/test/java").resolve(name.replace('.', '/') + ".java");
		}

	}

}

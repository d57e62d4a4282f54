/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.conformance;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the tests in {@code CONFORMANCE.md} with the {@link Conformance} annotations.
 */
class ConformanceTests {

	private static final String REMEDY = """
			CONFORMANCE.md does not match the annotations of the tests. Write it and commit it:

			    mvn -pl informer-core -am test -Dtest=ConformanceTests \
			-Dsurefire.failIfNoSpecifiedTests=false -Dconformance.write=true
			""";

	private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();

	private static final Path PAGE = MODULE.resolve("CONFORMANCE.md");

	private static final Pattern ROW = Pattern.compile("\\| (?!case \\|)(?<case>[^|]+?) \\| (?<tests>[^|]*?) ?\\|");

	/** Tests of this module, which are generated. What follows them is kept. */
	private static final Pattern GENERATED = Pattern.compile("^(?:`[\\w.]+#\\w+`(?:, )?)+(?:; )?");

	/** Tests of other modules: the module, the class and optionally the method. */
	private static final Pattern ELSEWHERE = Pattern.compile("`([\\w-]+(?:/[\\w-]+)*)/([\\w.]+Tests)(?:#(\\w+))?`");

	private final SortedMap<String, SortedSet<String>> tests = new TreeMap<>();

	@BeforeEach
	void findTests() throws Exception {
		Path classes = Path.of(ConformanceTests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (Stream<Path> files = Files.walk(classes)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".class")).toList()) {
				String name = classes.relativize(file).toString().replaceAll("\\.class$", "").replace('/', '.');
				for (Method method : Class.forName(name, false, getClass().getClassLoader()).getDeclaredMethods()) {
					add(method);
				}
			}
		}
	}

	private void add(Method method) {
		for (Conformance conformance : method.getAnnotationsByType(Conformance.class)) {
			assertThat(AnnotationSupport.isAnnotated(method, Testable.class)
					&& !AnnotationSupport.isAnnotated(method, Disabled.class)
					&& !AnnotationSupport.isAnnotated(method.getDeclaringClass(), Disabled.class))
				.as("%s is a test and enabled", method)
				.isTrue();
			this.tests.computeIfAbsent(conformance.value(), (any) -> new TreeSet<>())
				.add("`" + method.getDeclaringClass().getName().replaceFirst("^dev\\.informer\\.", "").replace('$', '.')
						+ "#" + method.getName() + "`");
		}
	}

	@Test
	void page_hasTheTestsOfTheAnnotations() throws IOException {
		String page = Files.readString(PAGE);
		String expected = ROW.matcher(page)
			.replaceAll((row) -> Matcher.quoteReplacement(row(row.group(1), row.group(2))));
		if (Boolean.getBoolean("conformance.write")) {
			Files.writeString(PAGE, expected);
		}
		assertThat(Files.readString(PAGE)).as(REMEDY).isEqualTo(expected);
	}

	@Test
	void annotations_nameCasesOfThePage() throws IOException {
		assertThat(this.tests).hasSizeGreaterThan(80);
		assertThat(cases().keySet()).containsAll(this.tests.keySet());
	}

	@Test
	void everyCase_hasATest() throws IOException {
		assertThat(cases()).allSatisfy((name, tests) -> assertThat(tests).as(name).contains("Tests"));
	}

	@Test
	void testsOfOtherModules_exist() throws IOException {
		String page = Files.readString(PAGE);
		assertThat(ELSEWHERE.matcher(page).results()).isNotEmpty().allSatisfy((test) -> {
			Path source = MODULE.resolveSibling(test.group(1))
				.resolve("src/test/java")
				.resolve(test.group(2).replace('.', '/') + ".java");
			assertThat(source).exists();
			if (test.group(3) != null) {
				assertThat(source).content().contains("void " + test.group(3) + "(");
			}
		});
	}

	private String row(String name, String column) {
		List<String> parts = new ArrayList<>();
		if (this.tests.containsKey(name)) {
			parts.add(String.join(", ", this.tests.get(name)));
		}
		String rest = GENERATED.matcher(column).replaceFirst("");
		if (!rest.isEmpty()) {
			parts.add(rest);
		}
		return "| " + name + " | " + String.join("; ", parts) + " |";
	}

	private static Map<String, String> cases() throws IOException {
		Map<String, String> cases = new TreeMap<>();
		ROW.matcher(Files.readString(PAGE)).results().forEach((row) -> cases.put(row.group(1), row.group(2)));
		return cases;
	}

}

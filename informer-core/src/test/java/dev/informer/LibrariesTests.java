/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.InformerProgram;
import dev.informer.testing.LeastProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the libraries and the classes that informers need, by programs in JVMs whose
 * class path has no others.
 */
@Timeout(120)
class LibrariesTests {

	/**
	 * Libraries that an informer loads. The documentation names those that a user can
	 * remove from the others.
	 */
	private static final Set<String> LOADED = Set.of("client-java", "client-java-api", "gson", "gson-fire",
			"jackson-core", "jakarta.annotation-api", "kotlin-stdlib", "okhttp-jvm", "okio-jvm", "slf4j-api",
			"snakeyaml", "swagger-annotations");

	/** Libraries that the POM of this module excludes from those of client-java. */
	private static final Set<String> EXCLUDED = Set.of("client-java-proto", "protobuf-java", "commons-compress",
			"commons-io");

	/**
	 * Number of classes of client and core that one informer with one handler loads,
	 * without the decoders, with air of a few. A commit that raises it says why.
	 */
	private static final int CLASSES = 201;

	private static final Set<String> DECODERS = Set.of("dev.informer.client.json", "dev.informer.client.model",
			"dev.informer.client.protobuf", "dev.informer.client.type");

	/** Class of a class file, not one of a lambda. */
	private static final Pattern CLASS = Pattern
		.compile("(dev\\.informer\\.(?!testing)[\\w.$]+) source: (?:jar:)?file:");

	private static final Pattern SOURCE = Pattern.compile("source: (?:jar:)?file:(\\S+\\.jar)");

	private static final Pattern VERSION = Pattern.compile("-\\d[^/]*\\.jar$");

	@TempDir
	Path folder;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@BeforeEach
	void create() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", "a")));
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata",
				Map.of("namespace", "default", "name", "a"), "spec", Map.of("containers", List
					.of(Map.of("name", "web", "image", "web", "resources", Map.of("limits", Map.of("cpu", "500m")))))));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void informer_loadsTheseLibrariesOnly() throws Exception {
		// no provider of SLF4J, which every application chooses
		assertThat(run((library) -> !library.startsWith("logback"), "url", this.kubernetes.url()))
			.isEqualTo(new TreeSet<>(LOADED));
	}

	@Test
	void informer_runsWithTheseLibrariesAlone() throws Exception {
		assertThat(run(LOADED::contains, "url", this.kubernetes.url())).isEqualTo(new TreeSet<>(LOADED));
	}

	@Test
	void clientFromKubeconfig_needsNoExcludedLibrary() throws Exception {
		Path kubeconfig = Files.writeString(this.folder.resolve("kubeconfig"), this.kubernetes.kubeconfig());
		assertThat(run((library) -> !EXCLUDED.contains(library), "kubeconfig", kubeconfig.toString()))
			.containsAll(LOADED);
	}

	@Test
	void leastProgram_loadsFewClasses() throws Exception {
		Set<String> classes = load(LeastProgram.class, LOADED::contains, this.kubernetes.url()).map(CLASS::matcher)
			.filter(Matcher::find)
			.map((matcher) -> matcher.group(1))
			.filter((name) -> !DECODERS.contains(name.substring(0, name.lastIndexOf('.'))))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(classes).contains(InformerFactory.class.getName()).hasSizeLessThanOrEqualTo(CLASSES);
	}

	/**
	 * Run the program with informers of each kind, and return the libraries that it loads
	 * classes from.
	 */
	private Set<String> run(Predicate<String> libraries, String... arguments) throws IOException, InterruptedException {
		return load(InformerProgram.class, libraries, arguments).map(SOURCE::matcher)
			.filter(Matcher::find)
			.map((matcher) -> matcher.group(1))
			.filter((file) -> !isModule(file))
			.map(LibrariesTests::library)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Run a program with the libraries of this test that match, and return what the JVM
	 * logs about the classes that it loads.
	 */
	private Stream<String> load(Class<?> program, Predicate<String> libraries, String... arguments)
			throws IOException, InterruptedException {
		Path loaded = this.folder.resolve("loaded.txt");
		Path output = this.folder.resolve("output.txt");
		String classPath = entries()
			.filter((entry) -> Files.isDirectory(Path.of(entry)) || isModule(entry) || libraries.test(library(entry)))
			.collect(Collectors.joining(File.pathSeparator));
		Process process = new ProcessBuilder(Stream
			.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xlog:class+load=info:file=" + loaded, "-cp", classPath, program.getName()), Stream.of(arguments))
			.toList()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ended").isTrue();
			assertThat(process.exitValue()).as(Files.readString(output)).isZero();
		}
		finally {
			process.destroyForcibly();
		}
		return Files.readAllLines(loaded).stream();
	}

	private static Stream<String> entries() {
		// Surefire's JVM has a jar without classes as its class path
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return List.of(classPath.split(File.pathSeparator)).stream();
	}

	/** Whether a jar is a module of this build. */
	private static boolean isModule(String entry) {
		return library(entry).startsWith("informer-");
	}

	private static String library(String entry) {
		return VERSION.matcher(Path.of(entry).getFileName().toString()).replaceFirst("");
	}

}

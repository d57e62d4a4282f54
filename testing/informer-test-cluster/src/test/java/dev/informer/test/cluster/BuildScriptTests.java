/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@DisabledOnOs(OS.WINDOWS)
class BuildScriptTests {

	private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

	@TempDir
	Path folder;

	@Test
	void goOfDebian12_failsWithRequiredVersion() throws Exception {
		assertThat(runWithGo("echo 'go version go1.19.8 linux/amd64'"))
			.contains("Go 1.19.8 is too old; Go " + requiredVersion() + " or newer is required");
	}

	@Test
	void goThatMayNotDownloadNewerVersion_failsWithRequiredVersion() throws Exception {
		assertThat(runWithGo("exit 1")).contains("is too old; Go " + requiredVersion() + " or newer is required");
	}

	@Test
	void variablesOfScripts_areNoPropertiesOfInformers() throws Exception {
		Pattern property = Pattern.compile("\\$\\{?INFORMER_(?!TEST_)");
		List<Path> scripts = scripts();
		assertThat(scripts).contains(ROOT.resolve(".ci/kubernetes/build"), ROOT.resolve("benchmarks/client-go/build"));
		for (Path script : scripts) {
			assertThat(Files.readString(script)).as("%s", script).doesNotContainPattern(property);
		}
	}

	private static List<Path> scripts() throws IOException {
		List<Path> scripts = new ArrayList<>();
		for (String folder : List.of(".ci", "benchmarks/client-go")) {
			try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
				files.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file)).forEach(scripts::add);
			}
		}
		return scripts;
	}

	private String runWithGo(String script) throws IOException, InterruptedException {
		Path go = Files.writeString(this.folder.resolve("go"), "#!/bin/sh\n" + script + "\n");
		assertThat(go.toFile().setExecutable(true)).isTrue();
		ProcessBuilder builder = new ProcessBuilder(ROOT.resolve(".ci/kubernetes/build").toString());
		Map<String, String> environment = builder.environment();
		environment.put("PATH", this.folder + ":" + environment.get("PATH"));
		environment.put("INFORMER_TEST_KUBERNETES_CACHE", this.folder.resolve("cache").toString());
		Process process = builder.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).isEqualTo(1);
		return output;
	}

	private static String requiredVersion() throws IOException {
		return Files.readAllLines(ROOT.resolve(".ci/kubernetes/go.mod"))
			.stream()
			.filter((line) -> line.startsWith("go "))
			.map((line) -> line.substring("go ".length()))
			.findFirst()
			.orElseThrow();
	}

}

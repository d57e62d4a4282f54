/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests that no process and no file of a control plane is left after its end.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
class ControlPlaneProcessesTests {

	@TempDir
	Path folder;

	private final Set<Long> before = children();

	@Test
	void close_endsProcessesAndDeletesFiles() {
		ControlPlane cluster = ControlPlane.fromEnvironment().start();
		Path file = cluster.kubeconfigFile("admin");
		assertThat(children()).hasSizeGreaterThan(this.before.size());
		cluster.close();
		cluster.close();
		assertThat(children()).isEqualTo(this.before);
		assertThat(file.getParent()).doesNotExist();
		assertThatIllegalStateException().isThrownBy(cluster::startApiServer)
			.withMessage("Cannot use the control plane: it is closed");
	}

	@Test
	void closeOfSuspendedServer_endsProcess() {
		ControlPlane cluster = ControlPlane.fromEnvironment().start();
		cluster.suspendApiServer();
		cluster.close();
		assertThat(children()).isEqualTo(this.before);
	}

	@Test
	void invalidFlags_errorContainsLogAndNothingIsLeft() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ControlPlane.fromEnvironment().apiServerFlag("no-such-flag", "1").start())
			.withMessageContaining("kube-apiserver ended with exit code 1")
			.withMessageContaining("unknown flag: --no-such-flag");
		assertThat(children()).isEqualTo(this.before);
	}

	@Test
	void killedJvm_endsItsServers() throws IOException {
		Path written = this.folder.resolve("processes");
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), AbandonedControlPlane.class.getName(), written.toString())
			.redirectErrorStream(true)
			.redirectOutput(this.folder.resolve("output").toFile())
			.start();
		try {
			awaitExternal().until(() -> Files.exists(written));
			List<String> lines = Files.readAllLines(written);
			Path files = Path.of(lines.get(0)).getParent();
			List<ProcessHandle> servers = lines.stream()
				.skip(1)
				.map((line) -> ProcessHandle.of(Long.parseLong(line)).orElseThrow())
				.toList();
			assertThat(servers).hasSizeGreaterThanOrEqualTo(2);
			jvm.destroyForcibly();
			awaitExternal().untilAsserted(() -> {
				assertThat(servers).noneMatch(ProcessHandle::isAlive);
				assertThat(files).doesNotExist();
			});
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	private static Set<Long> children() {
		return ProcessHandle.current()
			.descendants()
			.filter(ProcessHandle::isAlive)
			.map(ProcessHandle::pid)
			.collect(Collectors.toSet());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CompleteFile}.
 */
class CompleteFileTests {

	@TempDir
	Path folder;

	@Test
	void readerOfFileThatIsAppendedTo_readsNoPartOfIt() throws IOException {
		Path file = this.folder.resolve("ca.crt");
		CompleteFile.append(file, "first\n");
		try (InputStream reader = Files.newInputStream(file)) {
			CompleteFile.append(file, "second\n");
			assertThat(new String(reader.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("first\n");
		}
		assertThat(file).hasContent("first\nsecond\n");
	}

	@Test
	void readerOfFileThatIsReplaced_readsOneOfBoth() throws IOException {
		Path file = this.folder.resolve("token");
		CompleteFile.write(file, "first");
		try (InputStream reader = Files.newInputStream(file)) {
			CompleteFile.write(file, "other");
			assertThat(new String(reader.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("first");
		}
		assertThat(file).hasContent("other");
		assertThat(this.folder).isDirectoryNotContaining("glob:**.tmp");
	}

}

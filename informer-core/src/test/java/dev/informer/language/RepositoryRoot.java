/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Root folder of the repository.
 */
final class RepositoryRoot {

	private RepositoryRoot() {
	}

	static Path find() {
		return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
			.filter((folder) -> Files.exists(folder.resolve("CONTRIBUTING.md")))
			.findFirst()
			.orElseThrow();
	}

}

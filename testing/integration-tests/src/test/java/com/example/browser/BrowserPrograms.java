/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Browser and driver found on the path.
 *
 * @param browser the browser
 * @param driver the driver
 */
record BrowserPrograms(Path browser, Path driver) {

	private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");

	private static final String DRIVER = "chromedriver";

	/**
	 * Return the missing program.
	 * @return the reason, or empty if browser and driver exist
	 */
	static Optional<String> missing() {
		if (browserOnThePath().isEmpty()) {
			return Optional.of("none of " + BROWSERS + " is on the path");
		}
		return onThePath(DRIVER).isEmpty() ? Optional.of(DRIVER + " is not on the path") : Optional.empty();
	}

	static BrowserPrograms find() {
		return new BrowserPrograms(browserOnThePath().orElseThrow(), onThePath(DRIVER).orElseThrow());
	}

	private static Optional<Path> browserOnThePath() {
		return BROWSERS.stream().flatMap((name) -> onThePath(name).stream()).findFirst();
	}

	private static Optional<Path> onThePath(String name) {
		String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
		return Arrays.stream(path.split(File.pathSeparator))
			.filter((folder) -> !folder.isBlank())
			.map((folder) -> Path.of(folder, name))
			.filter(Files::isExecutable)
			.findFirst();
	}

}

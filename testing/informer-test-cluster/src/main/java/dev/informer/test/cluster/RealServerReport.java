/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Number of tests per real server, reported at the end of a run: in the log, and as lines
 * {@code COUNT SERVER} appended to the file in the environment variable
 * {@code INFORMER_TEST_REAL_SERVER_REPORT}. Not thread-safe.
 */
final class RealServerReport {

	private static final Logger logger = LoggerFactory.getLogger(RealServerReport.class);

	private static final String FILE = "INFORMER_TEST_REAL_SERVER_REPORT";

	private final Map<String, Integer> counts = new TreeMap<>();

	void count(String server) {
		this.counts.merge(server, 1, Integer::sum);
	}

	void write() {
		String file = System.getenv(FILE);
		this.counts.forEach((server, count) -> {
			logger.atInfo()
				.addKeyValue("tests", count)
				.addKeyValue("server", server)
				.log("Ran tests against a real server");
			if (file != null && !file.isBlank()) {
				append(Path.of(file), count + " " + server + "\n");
			}
		});
	}

	private static void append(Path file, String line) {
		try {
			Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot append to %s (%s)".formatted(file, FILE), ex);
		}
	}

}

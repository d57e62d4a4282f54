/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writer of a journal. Each line is in the file when {@link #write} returns, so that it
 * survives the end of the process. Thread-safe.
 */
public final class JournalWriter {

	private final FileOutputStream file;

	/**
	 * Create a journal.
	 */
	public JournalWriter(Path path) throws IOException {
		this.file = new FileOutputStream(path.toFile());
	}

	/**
	 * Append a line, without its line break.
	 */
	public synchronized void write(String line) {
		try {
			this.file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write the journal", ex);
		}
	}

}

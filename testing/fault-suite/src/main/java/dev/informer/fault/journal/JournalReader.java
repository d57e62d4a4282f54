/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reader of a journal that is being written. Not thread-safe.
 *
 * @param <T> the type of the entries
 */
public final class JournalReader<T> implements AutoCloseable {

	private static final int BLOCK = 1 << 20;

	private final RandomAccessFile file;

	private final Function<String, T> parser;

	private String rest = "";

	/**
	 * Open a journal.
	 */
	public JournalReader(Path path, Function<String, T> parser) throws IOException {
		this.parser = parser;
		this.file = new RandomAccessFile(path.toFile(), "r");
	}

	/**
	 * Return the entries that were written since the last call.
	 * @return the complete entries; a line that is being written is left for the next
	 * call
	 */
	public List<T> read() throws IOException {
		List<T> entries = new ArrayList<>();
		byte[] block = new byte[BLOCK];
		for (int count = this.file.read(block); count > 0; count = this.file.read(block)) {
			String text = this.rest + new String(block, 0, count, StandardCharsets.UTF_8);
			int end = text.lastIndexOf('\n') + 1;
			text.substring(0, end).lines().map(this.parser).forEach(entries::add);
			this.rest = text.substring(end);
		}
		return entries;
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * File of which other processes never read a part.
 */
public final class CompleteFile {

	private CompleteFile() {
	}

	/**
	 * Write or replace a file at once.
	 */
	public static void write(Path file, String content) throws IOException {
		Path complete = Files.writeString(file.resolveSibling(file.getFileName() + ".tmp"), content);
		Files.move(complete, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
	}

	/**
	 * Append to a file at once, or create it.
	 */
	public static void append(Path file, String content) throws IOException {
		write(file, (Files.exists(file) ? Files.readString(file) : "") + content);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Stream that replaces text in the objects of a response. Each object is written in one
 * piece.
 */
final class ReplacingOutputStream extends FilterOutputStream {

	private final String text;

	private final String replacement;

	ReplacingOutputStream(OutputStream out, String text, String replacement) {
		super(out);
		this.text = text;
		this.replacement = replacement;
	}

	@Override
	public void write(byte[] source, int offset, int length) throws IOException {
		String piece = new String(source, offset, length, StandardCharsets.UTF_8);
		this.out.write(piece.replace(this.text, this.replacement).getBytes(StandardCharsets.UTF_8));
	}

}

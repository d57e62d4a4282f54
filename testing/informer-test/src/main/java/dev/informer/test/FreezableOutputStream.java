/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * What a connection sends, until the connection is frozen.
 */
final class FreezableOutputStream extends FilterOutputStream {

	private final HttpConnection connection;

	FreezableOutputStream(OutputStream out, HttpConnection connection) {
		super(out);
		this.connection = connection;
	}

	@Override
	public void write(int value) throws IOException {
		this.connection.awaitEndIfFrozen();
		this.out.write(value);
	}

	@Override
	public void write(byte[] source, int offset, int length) throws IOException {
		this.connection.awaitEndIfFrozen();
		this.out.write(source, offset, length);
	}

}

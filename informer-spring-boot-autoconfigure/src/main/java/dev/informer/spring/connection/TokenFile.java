/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

import dev.informer.CredentialsException;
import org.jspecify.annotations.Nullable;

/**
 * {@link Credentials} with a bearer token from a file. The file is read for each request:
 * the kubelet replaces the token of a service account before it expires. If the file
 * cannot be read, the last token is used. Thread-safe.
 */
final class TokenFile implements Credentials {

	private final Path file;

	private volatile @Nullable Credential last;

	/**
	 * Create credentials.
	 * @param file the file
	 * @param token the token until the file can be read; {@code null} for none
	 */
	TokenFile(Path file, @Nullable String token) {
		this.file = file;
		this.last = (token != null) ? Credential.ofToken(token) : null;
	}

	@Override
	public Credential get(BooleanSupplier cancelled) throws IOException {
		Credential known = this.last;
		String token = read();
		if (token == null) {
			if (known == null) {
				throw new CredentialsException("Cannot read a token from file " + this.file
						+ ": it is missing, unreadable or empty. Restore the file.");
			}
			return known;
		}
		Credential current = Credential.ofToken(token);
		if (known != null && current.equals(known)) {
			return known;
		}
		this.last = current;
		return current;
	}

	private @Nullable String read() {
		try {
			String token = Files.readString(this.file).trim();
			return token.isEmpty() ? null : token;
		}
		catch (IOException ex) {
			return null;
		}
	}

	@Override
	public String toString() {
		return "token file " + this.file;
	}

}

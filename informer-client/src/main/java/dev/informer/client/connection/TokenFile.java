/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.informer.client.CredentialsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Credentials} with a bearer token from a file. The file is read for each request:
 * the kubelet replaces the token of a service account before it expires. If the file
 * cannot be read, the last token is used, with one warning. Thread-safe.
 */
final class TokenFile implements Credentials {

	private static final Logger logger = LoggerFactory.getLogger(TokenFile.class);

	private final Path file;

	private final AtomicBoolean failing = new AtomicBoolean();

	private volatile @Nullable Credential last;

	/**
	 * Create credentials. The token is used until the file can be read.
	 */
	TokenFile(Path file, @Nullable String token) {
		this.file = file;
		this.last = (token != null) ? Credential.ofToken(token) : null;
	}

	@Override
	public Credential get(BooleanSupplier cancelled) throws IOException {
		String token = read();
		Credential known = this.last;
		boolean failedBefore = this.failing.getAndSet(token == null);
		if (token != null) {
			Credential current = Credential.ofToken(token);
			if (known != null && current.equals(known)) {
				return known;
			}
			this.last = current;
			return current;
		}
		if (known == null) {
			throw new CredentialsException("Cannot read a token from file " + this.file
					+ ": it is missing, unreadable or empty. Restore the file.");
		}
		if (!failedBefore) {
			logger.atWarn()
				.addKeyValue("file", this.file)
				.log("Failed to read a token from file {}: it is missing, unreadable or empty; using the last one",
						this.file);
		}
		return known;
	}

	@Override
	public boolean isRenewalFailing() {
		return this.failing.get();
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

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.Authentication;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * {@link Authentication} with a bearer token from a file. The file is read again after it
 * has changed: the kubelet replaces the token of a service account before it expires. If
 * the file cannot be read, the last token is used. Thread-safe.
 */
final class TokenFile implements Authentication, Interceptor {

	private final Path file;

	private @Nullable FileTime modified;

	private @Nullable String token;

	TokenFile(Path file) {
		this.file = file;
	}

	@Override
	public void provide(ApiClient client) {
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this).build());
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		return chain.proceed(chain.request().newBuilder().header("Authorization", "Bearer " + token()).build());
	}

	private synchronized String token() throws IOException {
		String known = this.token;
		try {
			FileTime now = Files.getLastModifiedTime(this.file);
			if (known == null || !now.equals(this.modified)) {
				known = Files.readString(this.file).trim();
				this.token = known;
				this.modified = now;
			}
			return known;
		}
		catch (IOException ex) {
			if (known != null) {
				return known;
			}
			throw ex;
		}
	}

}

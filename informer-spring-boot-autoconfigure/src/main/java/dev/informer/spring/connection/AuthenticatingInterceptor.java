/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.util.function.BooleanSupplier;

import javax.net.ssl.SSLException;

import dev.informer.CredentialsException;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Interceptor that adds the credential to each request. A request is repeated once: after
 * a 401 with another credential, and after a failed handshake with other certificates, if
 * there are any. Thread-safe.
 */
final class AuthenticatingInterceptor implements Interceptor {

	private static final int UNAUTHORIZED = 401;

	private final Credentials credentials;

	private final Headers impersonation;

	private final ReloadingSockets sockets;

	AuthenticatingInterceptor(Credentials credentials, Headers impersonation, ReloadingSockets sockets) {
		this.credentials = credentials;
		this.impersonation = impersonation;
		this.sockets = sockets;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		BooleanSupplier cancelled = chain.call()::isCanceled;
		this.sockets.reloadRegularly();
		Credential credential = this.credentials.get(cancelled);
		Response response;
		try {
			response = proceed(chain, credential);
		}
		catch (SSLException ex) {
			if (!isRepeatable(chain.request()) || !this.sockets.reload()) {
				throw ex;
			}
			response = proceed(chain, credential);
		}
		if (response.code() != UNAUTHORIZED || !isRepeatable(chain.request())) {
			return response;
		}
		Credential other = replace(credential, cancelled, response);
		if (other == credential && !this.sockets.reload()) {
			return response;
		}
		response.close();
		return proceed(chain, other);
	}

	private Credential replace(Credential rejected, BooleanSupplier cancelled, Response response) throws IOException {
		try {
			return this.credentials.replace(rejected, cancelled);
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	private Response proceed(Chain chain, Credential credential) throws IOException {
		this.sockets.use(credential.certificate());
		return chain.proceed(authenticate(chain.request(), credential));
	}

	private Request authenticate(Request request, Credential credential) throws IOException {
		Request.Builder builder = request.newBuilder();
		this.impersonation.names().forEach(builder::removeHeader);
		for (int i = 0; i < this.impersonation.size(); i++) {
			builder.addHeader(this.impersonation.name(i), this.impersonation.value(i));
		}
		String authorization = credential.authorization();
		if (authorization != null && request.header("Authorization") == null) {
			try {
				builder.header("Authorization", authorization);
			}
			catch (IllegalArgumentException ex) {
				throw new CredentialsException(
						"Cannot send the token: it contains characters that are not allowed in a header. Correct it.");
			}
		}
		return builder.build();
	}

	private static boolean isRepeatable(Request request) {
		@Nullable RequestBody body = request.body();
		return body == null || !body.isOneShot();
	}

}

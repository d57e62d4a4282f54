/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import javax.net.ssl.SSLException;

import dev.informer.client.CredentialsException;
import dev.informer.client.connection.Credentials.Credential;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interceptor that adds the credential to each request. A request is repeated once: after
 * a 401 with another credential, and after a failed handshake with other certificates, if
 * there are any. Thread-safe.
 */
final class AuthenticatingInterceptor implements Interceptor {

	private static final int UNAUTHORIZED = 401;

	private static final Logger logger = LoggerFactory.getLogger(AuthenticatingInterceptor.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	private final Credentials credentials;

	private final Headers impersonation;

	private final ReloadingSockets sockets;

	AuthenticatingInterceptor(Server server, ReloadingSockets sockets) {
		this.credentials = server.credentials();
		this.impersonation = server.impersonation();
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
		try {
			Credential other = this.credentials.replace(credential, cancelled);
			if (other == credential && !this.sockets.reload()) {
				return response;
			}
			response.close();
			return proceed(chain, other);
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	/**
	 * Return whether the last credentials or certificates are used because newer ones
	 * could not be obtained.
	 */
	boolean isRenewalFailing() {
		return this.credentials.isRenewalFailing() || this.sockets.isReloadFailing();
	}

	void close() {
		this.sockets.close();
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
				warnWithoutEncryption(request.url());
			}
			catch (IllegalArgumentException ex) {
				throw new CredentialsException(
						"Cannot send the token: it contains characters that are not allowed in a header. Correct it.");
			}
		}
		return builder.build();
	}

	private void warnWithoutEncryption(HttpUrl url) {
		if (!url.isHttps() && this.warned.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("host", url.host())
				.log("Sending credentials without encryption to the Kubernetes API server at host {}, because its URL "
						+ "has the scheme http", url.host());
		}
	}

	private static boolean isRepeatable(Request request) {
		@Nullable RequestBody body = request.body();
		return body == null || !body.isOneShot();
	}

}

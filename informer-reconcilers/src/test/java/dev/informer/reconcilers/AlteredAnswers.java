/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/**
 * Alters the answers to requests, or what happens to them.
 */
final class AlteredAnswers implements Interceptor {

	private static final MediaType JSON = MediaType.get("application/json");

	private Predicate<Request> requests = (request) -> false;

	private @Nullable Interceptor alteration;

	/**
	 * Alter the answers to some requests from now on.
	 */
	synchronized void alter(Predicate<Request> requests, Interceptor alteration) {
		this.requests = requests;
		this.alteration = alteration;
	}

	/**
	 * Answer requests with success, and do nothing.
	 */
	void pretend(String method, String path, String body) {
		alter((request) -> request.method().equals(method) && request.url().encodedPath().contains(path),
				(chain) -> answer(chain.request(), body));
	}

	/**
	 * Alter nothing from now on.
	 */
	synchronized void restore() {
		this.alteration = null;
	}

	static Response answer(Request request, String body) {
		return new Response.Builder().request(request)
			.protocol(Protocol.HTTP_1_1)
			.code(200)
			.message("OK")
			.body(ResponseBody.create(body, JSON))
			.build();
	}

	private synchronized @Nullable Interceptor alterationOf(Request request) {
		return (this.alteration != null && this.requests.test(request)) ? this.alteration : null;
	}

	ApiClient applyTo(ApiClient client) {
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this).build());
		return client;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Interceptor altered = alterationOf(chain.request());
		return (altered != null) ? altered.intercept(chain) : chain.proceed(chain.request());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Lets the answer to one write get lost.
 */
final class BrokenAnswers implements Interceptor {

	private final AtomicBoolean lost;

	BrokenAnswers(AtomicBoolean lost) {
		this.lost = lost;
	}

	ApiClient applyTo(ApiClient client) {
		client.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor(this).build());
		return client;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (!chain.request().method().equals("GET") && this.lost.getAndSet(false)) {
			response.close();
			throw new IOException("The connection was reset");
		}
		return response;
	}

}

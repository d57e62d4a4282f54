/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;

/**
 * Lets watches stall for random times, after each of which they deliver everything.
 */
public final class LateWatches implements Interceptor {

	private final Random random = new Random(1);

	private volatile int maxMillis;

	public LateWatches(int maxMillis) {
		this.maxMillis = maxMillis;
	}

	public void maxMillis(int maxMillis) {
		this.maxMillis = maxMillis;
	}

	/**
	 * Delay the watches of a client.
	 */
	public ApiClient applyTo(ApiClient client) {
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this).build());
		return client;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (chain.request().url().queryParameter("watch") == null) {
			return response;
		}
		ResponseBody body = response.body();
		BufferedSource late = Okio.buffer(new ForwardingSource(body.source()) {

			private long nextStall = System.nanoTime();

			@Override
			public long read(Buffer sink, long byteCount) throws IOException {
				long count = super.read(sink, byteCount);
				if (System.nanoTime() - this.nextStall >= 0) {
					LockSupport.parkNanos(Duration.ofMillis(delay()).toNanos());
					this.nextStall = System.nanoTime() + Duration.ofMillis(LateWatches.this.maxMillis).toNanos() / 20;
				}
				return count;
			}

		});
		MediaType type = body.contentType();
		return response.newBuilder().body(ResponseBody.create(late, type, body.contentLength())).build();
	}

	private synchronized int delay() {
		return this.random.nextInt(this.maxMillis + 1);
	}

}

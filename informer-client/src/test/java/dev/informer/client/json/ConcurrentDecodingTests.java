/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the decoding by several threads with shared caches.
 */
class ConcurrentDecodingTests {

	private static final int THREADS = 4;

	private static final int LISTS = 20;

	@Test
	void concurrentLists_decodeAsWithGson() throws Exception {
		JsonWireFormat<V1Pod> format = JsonWireFormat.of(V1Pod.class, "v1", "Pod");
		List<Future<?>> readers = new ArrayList<>();
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			for (int thread = 0; thread < THREADS; thread++) {
				int first = thread;
				readers.add(executor.submit(() -> {
					for (int list = 0; list < LISTS; list++) {
						verify(format, LongStream.range(first + list, first + list + 5).mapToObj(this::pod).toList());
					}
					return null;
				}));
			}
			for (Future<?> reader : readers) {
				await(reader);
			}
		}
		finally {
			executor.shutdownNow();
			assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static void await(Future<?> reader) throws InterruptedException, ExecutionException, TimeoutException {
		reader.get(60, TimeUnit.SECONDS);
	}

	private String pod(long seed) {
		JsonObject pod = new ModelSamples(seed, 0.5).objectOf(V1Pod.class);
		pod.add("metadata", new ModelSamples(seed, 0).objectOf(V1ObjectMeta.class));
		pod.getAsJsonObject("metadata").addProperty("name", "pod-" + seed);
		pod.addProperty("apiVersion", "v1");
		pod.addProperty("kind", "Pod");
		return pod.toString();
	}

	private static void verify(JsonWireFormat<V1Pod> format, List<String> pods) throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		format.readList(Bodies.whole(Bodies.list("Pod", pods.toArray(String[]::new))), sink);
		assertThat(sink.objects())
			.isEqualTo(pods.stream().map((pod) -> JSON.getGson().fromJson(pod, V1Pod.class)).toList());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.test.TestClient.WatchReader;
import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a client that lists and watches arrives at the server's state, however its
 * watches end.
 */
class ConsistencyTests {

	private static final int WRITES = 4000;

	private final AtomicLong target = new AtomicLong(Long.MAX_VALUE);

	@Test
	void replayOfListAndWatches_equalsTheServersState() throws Exception {
		ExecutorService executor = Executors.newCachedThreadPool();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes
			.start((options) -> options.bookmarkInterval(Duration.ofMillis(20)).historySize(100_000))) {
			List<String> selectors = List.of("", "&labelSelector=app%3Dapp1", "&labelSelector=app!%3Dapp1");
			List<Future<Map<String, String>>> replays = new ArrayList<>();
			for (String selector : selectors) {
				replays.add(executor.submit(() -> replay(kubernetes, selector)));
			}
			List<Future<?>> writers = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				Random random = new Random(i);
				writers.add(executor.submit(() -> write(kubernetes, random)));
			}
			await().pollInterval(Duration.ofMillis(30)).atMost(Duration.ofSeconds(60)).until(() -> {
				kubernetes.faults().endWatches();
				kubernetes.faults().cutWatches();
				return writers.stream().allMatch(Future::isDone);
			});
			for (Future<?> writer : writers) {
				writer.get();
			}
			this.target.set(kubernetes.resourceVersion());
			for (int i = 0; i < selectors.size(); i++) {
				Map<String, String> expected = new TreeMap<>();
				list(kubernetes, selectors.get(i), expected);
				assertThat(replays.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(expected);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static void write(EmbeddedKubernetes kubernetes, Random random) {
		for (int i = 0; i < WRITES; i++) {
			String name = "c" + random.nextInt(20);
			String content = configMap(name, "app" + random.nextInt(3), Integer.toString(random.nextInt()));
			try {
				switch (random.nextInt(3)) {
					case 0 -> kubernetes.create(content);
					case 1 -> kubernetes.replace(content);
					default -> kubernetes.delete("configmaps", "default", name);
				}
			}
			catch (KubernetesStatusException ex) {
				assertThat(ex.reason()).isIn("AlreadyExists", "NotFound");
			}
		}
	}

	private Map<String, String> replay(EmbeddedKubernetes kubernetes, String selector) throws IOException {
		Map<String, String> state = new TreeMap<>();
		long version = list(kubernetes, selector, state);
		while (version < this.target.get()) {
			try (WatchReader watch = new TestClient(kubernetes)
				.watch(CONFIG_MAPS + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + version + selector)) {
				for (String line = watch.line(); line.startsWith("{"); line = watch.line()) {
					version = apply(Json.MAPPER.readTree(line), version, state);
					if (version >= this.target.get()) {
						return state;
					}
				}
			}
			catch (UncheckedIOException ex) {
				// cut before the headers were sent
			}
		}
		return state;
	}

	private static long apply(JsonNode event, long before, Map<String, String> state) {
		JsonNode metadata = event.path("object").path("metadata");
		String name = Json.text(metadata, "name");
		switch (Json.text(event, "type")) {
			case "ADDED" -> assertThat(state.put(name, value(event.path("object")))).isNull();
			case "MODIFIED" -> assertThat(state.put(name, value(event.path("object")))).isNotNull();
			case "DELETED" -> assertThat(state.remove(name)).isNotNull();
			default -> assertThat(event.path("type").asString()).isEqualTo("BOOKMARK");
		}
		long version = Long.parseLong(Json.text(metadata, "resourceVersion"));
		assertThat(version).isGreaterThanOrEqualTo(before);
		return version;
	}

	private static long list(EmbeddedKubernetes kubernetes, String selector, Map<String, String> state) {
		JsonNode list = new TestClient(kubernetes).get(CONFIG_MAPS + "?" + selector).json();
		list.path("items").forEach((item) -> state.put(Json.text(item.path("metadata"), "name"), value(item)));
		return Long.parseLong(Json.text(list.path("metadata"), "resourceVersion"));
	}

	private static String value(JsonNode object) {
		return object.path("metadata").path("labels").path("app").asString() + " "
				+ object.path("data").path("value").asString();
	}

}

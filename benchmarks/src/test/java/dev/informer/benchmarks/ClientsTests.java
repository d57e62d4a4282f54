/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.informer.benchmarks.client.BenchmarkClient;
import dev.informer.benchmarks.client.ClientSettings;
import dev.informer.benchmarks.client.ServerControl;
import dev.informer.benchmarks.client.Tally;
import dev.informer.benchmarks.replay.ReplayServer;
import dev.informer.benchmarks.replay.WallClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that all compared clients produce the same state.
 */
@Timeout(120)
class ClientsTests {

	private static final int PODS = 120;

	private static final int UPDATES = 200;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static ReplayServer server;

	private static ServerControl control;

	private final Tally tally = new Tally();

	@BeforeAll
	static void startServer() throws IOException {
		server = new ReplayServer();
		control = new ServerControl(server.address());
	}

	@AfterAll
	static void stopServer() throws IOException {
		server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "informer", "informer streaming-list", "informer metadata-only", "informer managed-fields",
			"informer-json", "informer-json streaming-list", "informer-json metadata-only", "client-java", "fabric8" })
	void clientThatReceivedAllUpdates_hasObjectsOfServer(String arguments) throws Exception {
		control.reset("pods=" + PODS);
		try (BenchmarkClient client = client(arguments)) {
			client.start();
			this.tally.await(PODS, PATIENCE);
			control.events("/api/v1/pods", UPDATES);
			this.tally.await(PODS + UPDATES, PATIENCE);
			assertThat(client.resourceVersions()).isEqualTo(expected());
			boolean protobuf = arguments.startsWith("informer") && !arguments.startsWith("informer-json");
			assertThat(client.encoding()).isEqualTo(protobuf ? "protobuf" : "json");
		}
	}

	@Test
	void floor_readsAllUpdates() throws Exception {
		control.reset("pods=" + PODS);
		try (BenchmarkClient floor = client("floor")) {
			floor.start();
			control.events("/api/v1/pods", UPDATES);
			this.tally.await(PODS + UPDATES, PATIENCE);
			assertThat(this.tally.events()).isEqualTo(PODS + UPDATES);
		}
	}

	@Test
	void eventsWithRate_haveStampsThatPrecedeTheirArrival() throws Exception {
		control.reset("pods=" + PODS + "&encoded=20");
		try (BenchmarkClient client = client("informer")) {
			client.start();
			this.tally.await(PODS, PATIENCE);
			long before = WallClock.nanos();
			control.pacedEvents("/api/v1/pods", 20, 200);
			this.tally.await(PODS + 20, PATIENCE);
			long after = WallClock.nanos();
			Map<Long, Long> stamps = control.stamps("/api/v1/pods");
			assertThat(stamps).hasSize(20);
			assertThat(stamps.values()).allMatch((stamp) -> stamp >= before && stamp <= after);
			assertThat(client.resourceVersions().values())
				.containsAll(stamps.keySet().stream().map(String::valueOf).toList());
			assertThat(after - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(95));
		}
	}

	private BenchmarkClient client(String arguments) {
		List<String> all = new ArrayList<>(List.of("server=" + server.address(), "objects=" + PODS));
		String[] words = arguments.split(" ");
		all.addAll(List.of("updates=" + UPDATES, "client=" + words[0]));
		all.addAll(List.of(words).subList(1, words.length));
		ClientSettings settings = ClientSettings.of(all.toArray(String[]::new));
		return settings.client().create(settings, this.tally);
	}

	/**
	 * Read the objects page by page.
	 */
	private static Map<String, String> expected() throws IOException {
		Map<String, String> versions = new HashMap<>();
		String next = "";
		do {
			JsonNode page = page("limit=50&continue=" + next);
			for (JsonNode item : page.path("items")) {
				JsonNode metadata = item.path("metadata");
				versions.put(metadata.path("namespace").asString() + "/" + metadata.path("name").asString(),
						metadata.path("resourceVersion").asString());
			}
			next = page.path("metadata").path("continue").asString("");
		}
		while (!next.isEmpty());
		assertThat(versions).hasSize(PODS);
		return versions;
	}

	private static JsonNode page(String query) throws IOException {
		try (InputStream body = server.address().resolve("/api/v1/pods?" + query).toURL().openStream()) {
			return JsonMapper.shared().readTree(body);
		}
	}

}

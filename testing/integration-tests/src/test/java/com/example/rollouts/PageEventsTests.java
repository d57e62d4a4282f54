/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the events for the page over HTTP.
 */
@EmbeddedClusterTest
class PageEventsTests {

	private static final AtomicInteger number = new AtomicInteger();

	private final Shop shop = new Shop("page-" + number.incrementAndGet());

	private static final HttpClient http = HttpClient.newBuilder().version(Version.HTTP_1_1).build();

	private final List<EventStream> streams = new ArrayList<>();

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private Browsers browsers;

	@Autowired
	private RestTestClient client;

	@LocalServerPort
	private int port;

	@BeforeEach
	void createNamespace() {
		this.kubernetes.create(this.shop.object());
	}

	@AfterEach
	void awaitDisconnectedBrowsers() {
		this.streams.forEach(EventStream::close);
		await().untilAsserted(() -> {
			this.browsers.send(PageEvent.keepAlive());
			assertThat(this.browsers.count()).isZero();
		});
	}

	@Test
	void pageAndItsResources_areServed() {
		for (String path : List.of("/", "/page.js", "/page.css", "/icon.svg")) {
			this.client.get().uri(path).exchange().expectStatus().isOk();
		}
		this.client.get().uri("/").exchange().expectHeader().contentTypeCompatibleWith(MediaType.TEXT_HTML);
	}

	@Test
	void connectedBrowser_receivesSnapshotThenChanges() {
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-a", true));
		this.kubernetes.create(this.shop.deployment("web", 2));
		awaitPod("web-1");
		EventStream stream = open();
		await().untilAsserted(() -> {
			assertThat(stream.names()).startsWith("snapshot");
			assertThat(stream.pods(this.shop.namespace())).containsExactly(this.shop.summary("web-1", "node-a", true));
			assertThat(stream.rollouts(this.shop.namespace())).singleElement()
				.returns(Rollout.Phase.PENDING, Rollout::phase);
		});
		this.kubernetes.create(this.shop.pod("web-2", "web", "node-b", false));
		this.kubernetes.mergePatch("deployments.apps", this.shop.namespace(), "web", Map.of("status",
				Map.of("observedGeneration", 1, "replicas", 2, "updatedReplicas", 2, "availableReplicas", 1)));
		this.kubernetes.delete("pods", this.shop.namespace(), "web-1");
		await().untilAsserted(() -> {
			assertThat(stream.pods(this.shop.namespace())).containsExactly(this.shop.summary("web-2", "node-b", false));
			assertThat(stream.rollouts(this.shop.namespace()))
				.containsExactly(new Rollout(this.shop.namespace() + "/web", 2, 2, 0, 1, Rollout.Phase.PROGRESSING));
		});
		this.kubernetes.delete("deployments.apps", this.shop.namespace(), "web");
		await().untilAsserted(() -> assertThat(stream.rollouts(this.shop.namespace())).isEmpty());
		assertThat(stream.names()).containsOnlyOnce("snapshot").contains("pod", "pod-gone", "rollout", "rollout-gone");
	}

	@Test
	void events_areNeitherCachedNorBufferedByProxies() {
		EventStream stream = open();
		await().untilAsserted(() -> assertThat(stream.names()).isNotEmpty());
		this.browsers.stop();
		this.browsers.start();
		assertThat(stream.response()).succeedsWithin(Duration.ofSeconds(10)).satisfies((response) -> {
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
			assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
			assertThat(response.headers().firstValue("X-Accel-Buffering")).hasValue("no");
		});
	}

	@Test
	void tooManyBrowsers_areRejectedUntilOthersDisconnect() {
		for (int i = 0; i < Browsers.LIMIT; i++) {
			open();
		}
		await().untilAsserted(() -> assertThat(this.browsers.count()).isEqualTo(Browsers.LIMIT));
		EventStream stream = open();
		assertThat(stream.response()).succeedsWithin(Duration.ofSeconds(10))
			.satisfies((response) -> assertThat(response.statusCode()).isEqualTo(503));
		this.streams.get(0).close();
		await().untilAsserted(() -> {
			this.browsers.send(PageEvent.keepAlive());
			assertThat(this.browsers.count()).isLessThan(Browsers.LIMIT);
		});
		EventStream next = open();
		await().untilAsserted(() -> assertThat(next.names()).startsWith("snapshot"));
	}

	private EventStream open() {
		EventStream stream = EventStream.open(http, "http://localhost:" + this.port);
		this.streams.add(stream);
		return stream;
	}

	private void awaitPod(String name) {
		await().untilAsserted(() -> this.client.get()
			.uri("/pods")
			.exchange()
			.expectBody(String.class)
			.value((pods) -> assertThat(pods).contains("\"" + this.shop.namespace() + "\",\"name\":\"" + name)));
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1PodSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.util.StreamUtils;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the executable jar, with and without ahead-of-time processing.
 */
@Tag("packaged")
class PackagedApplicationTests {

	private static final String METADATA = "META-INF/native-image/dev.informer/sample-app/reachability-metadata.json";

	private static final int TERMINATED = 128 + 15;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final Shop shop = new Shop("shop");

	@TempDir
	private Path folder;

	@BeforeEach
	void createShop() {
		this.kubernetes.create(this.shop.object());
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-a", true));
		this.kubernetes.create(this.shop.deployment("web", 1));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void jar_servesAndTerminatesGracefully() throws Exception {
		try (ApplicationProcess application = start()) {
			assertWorks(application);
			assertThat(application.text()).contains("Starting RolloutsApplication");
		}
	}

	@Test
	void jarUnderLoad_drainsAndTerminatesWithinDeadline() throws Exception {
		AtomicBoolean ended = new AtomicBoolean();
		try (ApplicationProcess application = start()) {
			application.awaitUrl();
			CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
				for (int i = 0; !ended.get(); i++) {
					this.kubernetes.mergePatch("pods", "shop", "web-1",
							Map.of("metadata", Map.of("annotations", Map.of("change", Integer.toString(i)))));
					this.kubernetes.mergePatch("deployments.apps", "shop", "web",
							Map.of("status", Map.of("observedGeneration", 1, "replicas", i)));
					LockSupport.parkNanos(5_000_000);
				}
			});
			awaitExternal().until(() -> lines(application) > 50);
			Instant terminated = Instant.now();
			assertThat(application.terminate()).isEqualTo(TERMINATED);
			assertThat(Duration.between(terminated, Instant.now())).isLessThan(Duration.ofSeconds(20));
			assertThat(load).isNotDone();
			assertThat(application.text()).contains("Graceful shutdown complete")
				.doesNotContain(" WARN ", " ERROR ", "Exception");
		}
		finally {
			ended.set(true);
		}
		awaitExternal().until(() -> this.kubernetes.openWatches() == 0);
	}

	/**
	 * Return the number of rollouts that handlers have logged.
	 */
	private static long lines(ApplicationProcess application) {
		return application.text().lines().filter((line) -> line.contains("shop/web ")).count();
	}

	@Test
	void aheadOfTimeProcessedJar_servesAndTerminatesGracefully() throws Exception {
		try (ApplicationProcess application = start("-Dspring.aot.enabled=true")) {
			assertWorks(application);
			assertThat(application.text()).contains("Starting AOT-processed RolloutsApplication");
		}
	}

	@Test
	void jar_containsReflectionMetadataForNativeImage() throws IOException {
		try (JarFile jar = new JarFile(ApplicationProcess.jar())) {
			String metadata = StreamUtils.copyToString(jar.getInputStream(jar.getJarEntry(METADATA)),
					StandardCharsets.UTF_8);
			assertThat(Stream.of("official-models.tsv", V1PodSpec.class.getName(), V1DeploymentStatus.class.getName(),
					V1ConfigMap.class.getName(), PodSummary.class.getName(), Rollout.class.getName(),
					Snapshot.class.getName(), PageUpdates.class.getName()))
				.allMatch((name) -> metadata.contains(name + "\""));
		}
	}

	private ApplicationProcess start(String... options) throws IOException {
		return ApplicationProcess.start(this.folder, this.kubernetes.url(), options);
	}

	private void assertWorks(ApplicationProcess application) throws InterruptedException {
		String url = application.awaitUrl();
		RestTestClient client = RestTestClient.bindToServer().baseUrl(url).build();
		assertThat(pods(client)).containsExactly(this.shop.summary("web-1", "node-a", true));
		client.get()
			.uri("/actuator/health")
			.exchange()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informers.components.settings.status")
			.isEqualTo("UP");
		client.get()
			.uri("/actuator/metrics/kubernetes.informer.store.size?tag=informer:pods")
			.exchange()
			.expectBody()
			.jsonPath("$.measurements[0].value")
			.isEqualTo(1.0);
		client.get()
			.uri("/actuator/informers/deployments")
			.exchange()
			.expectBody()
			.jsonPath("$.handlers.length()")
			.isEqualTo(2);
		try (EventStream stream = EventStream.open(HttpClient.newHttpClient(), url)) {
			awaitExternal().untilAsserted(() -> assertThat(stream.rollouts("shop")).hasSize(1));
			this.kubernetes.create(this.shop.pendingPod("web-2", "web"));
			this.kubernetes.mergePatch("deployments.apps", "shop", "web", Map.of("status",
					Map.of("observedGeneration", 1, "replicas", 1, "updatedReplicas", 1, "availableReplicas", 1)));
			awaitExternal().untilAsserted(() -> assertThat(stream.pods("shop")).hasSize(2));
			awaitExternal().untilAsserted(() -> assertThat(stream.rollouts("shop"))
				.containsExactly(new Rollout("shop/web", 1, 1, 0, 1, Rollout.Phase.FINISHED)));
			awaitExternal().untilAsserted(
					() -> assertThat(application.text()).contains("shop/web 1/1 updated, 1 available: finished"));
			assertThat(application.terminate()).isEqualTo(TERMINATED);
			assertThat(stream.response()).succeedsWithin(Duration.ofSeconds(10));
		}
		assertThat(application.text()).contains("Graceful shutdown complete").doesNotContain(" WARN ", " ERROR ");
		awaitExternal().until(() -> this.kubernetes.openWatches() == 0);
	}

	private static List<PodSummary> pods(RestTestClient client) {
		List<PodSummary> pods = client.get()
			.uri("/pods")
			.exchange()
			.expectBody(new ParameterizedTypeReference<List<PodSummary>>() {
			})
			.returnResult()
			.getResponseBody();
		return (pods != null) ? pods : List.of();
	}

}

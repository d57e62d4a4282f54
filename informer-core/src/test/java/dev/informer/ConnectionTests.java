/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure.Kind;
import dev.informer.client.TimeSource;
import dev.informer.test.AccessRule;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetesOptions;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.TokenFileAuthentication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.configMap;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers on unreliable connections: credentials that change, and proxies
 * between an informer and its server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ConnectionTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final List<AutoCloseable> open = new ArrayList<>();

	private final InformerRecorder recorder = new InformerRecorder();

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	private TimeSource time = TimeSource.SYSTEM;

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	@Test
	void rotatedToken_isReadWhenOldOneIsRejected(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("token"), "old");
		EmbeddedKubernetes kubernetes = server((options) -> options.user("app", "old", AccessRule.everything()));
		follow(new ClientBuilder().setBasePath(kubernetes.url())
			.setAuthentication(new TokenFileAuthentication(file.toString()))
			.build());
		await().until(() -> kubernetes.openWatches() == 1);
		Files.writeString(file, "new");
		kubernetes.access().token("app", "new");
		kubernetes.faults().endWatches();
		create(kubernetes, "after");
		awaitAgreement(kubernetes);
		assertThat(this.recorder.failureKinds()).doesNotContain(Kind.UNAUTHORIZED);
		assertThat(this.recorder.relists()).isEmpty();
	}

	@Test
	void tokenRotatedLate_isReadAtNextAttempt(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("token"), "old");
		EmbeddedKubernetes kubernetes = server((options) -> options.user("app", "old", AccessRule.everything()));
		follow(new ClientBuilder().setBasePath(kubernetes.url())
			.setAuthentication(new TokenFileAuthentication(file.toString()))
			.build());
		await().until(() -> kubernetes.openWatches() == 1);
		kubernetes.access().token("app", "new");
		kubernetes.faults().endWatches();
		create(kubernetes, "after");
		await().until(() -> this.recorder.failureKinds().contains(Kind.UNAUTHORIZED));
		Files.writeString(file, "new");
		awaitAgreement(kubernetes);
		assertThat(this.recorder.relists()).isEmpty();
	}

	@Test
	void close_leavesNoConnection() throws Exception {
		EmbeddedKubernetes kubernetes = server();
		TcpProxy proxy = proxy(kubernetes);
		InformerFactory informers = factory(client(proxy));
		informers.informer(V1ConfigMap.class);
		informers.informer(V1Secret.class);
		informers.informer(V1Pod.class);
		informers.start();
		assertThat(informers.awaitSynced(LONG)).isTrue();
		await().until(() -> kubernetes.openWatches() == 3);
		assertThat(proxy.open()).isGreaterThanOrEqualTo(3);
		informers.close();
		await().until(() -> proxy.open() == 0 && kubernetes.openWatches() == 0);
	}

	@Test
	void proxyThatClosesIdleConnections_causesNoListAndLosesNothing() throws Exception {
		EmbeddedKubernetes kubernetes = server();
		TcpProxy proxy = proxy(kubernetes);
		follow(client(proxy));
		for (int i = 0; i < 5; i++) {
			await().until(() -> kubernetes.openWatches() == 1);
			proxy.cut();
			create(kubernetes, "while-cut-" + i);
			awaitAgreement(kubernetes);
		}
		assertThat(this.recorder.relists()).isEmpty();
	}

	@Test
	void virtualAddressThatMovesToAnotherServer_endsWithStateOfThatServer() throws Exception {
		EmbeddedKubernetes first = server();
		EmbeddedKubernetes second = server();
		create(second, "elsewhere");
		for (int i = 0; i < 50; i++) {
			create(first, "gone-" + i);
		}
		assertThat(second.resourceVersion()).isLessThan(first.resourceVersion());
		TcpProxy proxy = proxy(first);
		follow(client(proxy));
		awaitAgreement(first);
		first.faults().refuseConnections();
		await().until(() -> this.recorder.failures()
			.stream()
			.anyMatch((failure) -> failure.message().contains("API server unreachable")));
		proxy.target(URI.create(second.url()));
		awaitAgreement(second);
		assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
		create(second, "and-on");
		awaitAgreement(second);
	}

	@Test
	void virtualAddressThatMovesQuickly_isDetectedByIdleTimeout() throws Exception {
		EmbeddedKubernetes first = server((options) -> options.bookmarkInterval(Duration.ofMillis(20)));
		EmbeddedKubernetes second = server();
		for (int i = 0; i < 20; i++) {
			create(first, "gone-" + i);
		}
		TcpProxy proxy = proxy(first);
		SharedIndexInformer<V1ConfigMap> informer = follow(client(proxy),
				(options) -> options.watchIdleTimeout(Duration.ofSeconds(1)));
		awaitBookmark(first, informer);
		proxy.target(URI.create(second.url()));
		proxy.cut();
		await().until(() -> second.openWatches() == 1);
		create(second, "elsewhere");
		awaitAgreement(second);
		assertThat(this.recorder.relists()).containsExactly(RelistReason.ROLLBACK);
	}

	@Test
	void deadConnection_isDetectedByIdleTimeoutAndDiscarded() throws Exception {
		EmbeddedKubernetes kubernetes = server((options) -> options.bookmarkInterval(Duration.ofMillis(20)));
		TcpProxy proxy = proxy(kubernetes);
		SharedIndexInformer<V1ConfigMap> informer = follow(client(proxy),
				(options) -> options.watchIdleTimeout(Duration.ofSeconds(1)));
		awaitBookmark(kubernetes, informer);
		int before = proxy.accepted();
		proxy.freeze();
		create(kubernetes, "while-frozen");
		awaitAgreement(kubernetes);
		assertThat(proxy.accepted()).isGreaterThan(before);
		assertThat(this.recorder.failures())
			.anySatisfy((failure) -> assertThat(failure.cause()).isInstanceOf(SocketTimeoutException.class));
		assertThat(this.recorder.relists()).isEmpty();
	}

	@Test
	void nonAsciiText_receivedByteByByte_isDecoded() throws Exception {
		String text = "Grüße, 世界, 🚀, \u00a0é";
		EmbeddedKubernetes kubernetes = server();
		kubernetes.create(configMap("shop", "list").data(Map.of("text", text)));
		kubernetes.faults().always(Verb.LIST, "configmaps", Fault.slow(1, Duration.ZERO));
		kubernetes.faults().always(Verb.WATCH, "configmaps", Fault.slow(1, Duration.ZERO));
		SharedIndexInformer<V1ConfigMap> informer = follow(client(kubernetes.url()));
		kubernetes.create(configMap("shop", "watch").data(Map.of("text", text)));
		awaitAgreement(kubernetes);
		assertThat(informer.lister().list()).hasSize(2)
			.allSatisfy((map) -> assertThat(map.getData()).containsEntry("text", text));
	}

	@Test
	void truncatedList_isReadInPages() throws Exception {
		EmbeddedKubernetes kubernetes = server();
		for (int i = 0; i < 30; i++) {
			create(kubernetes, "a" + i);
		}
		kubernetes.faults().next(1, Verb.LIST, "configmaps", Fault.cutAfter(1000));
		follow(client(kubernetes.url()), (options) -> options.pageSize(7));
		awaitAgreement(kubernetes);
		assertThat(kubernetes.requests(Verb.LIST, "configmaps")).hasSizeGreaterThan(5);
		assertThat(kubernetes.requests(Verb.LIST, "configmaps").get(1).query()).containsEntry("limit", "7")
			.doesNotContainEntry("resourceVersion", "0");
	}

	@Test
	void repeated429_endsWithoutList() throws Exception {
		EmbeddedKubernetes kubernetes = server();
		this.time = FakeTime.autoAdvancingUpTo();
		follow(client(kubernetes.url()));
		await().until(() -> kubernetes.openWatches() == 1);
		// without a change that the next watch can repeat, the objects would be compared
		// by a list
		create(kubernetes, "before");
		awaitAgreement(kubernetes);
		kubernetes.clearRequests();
		kubernetes.faults().next(30, Verb.WATCH, "configmaps", Fault.status(429));
		kubernetes.faults().endWatches();
		create(kubernetes, "during");
		await().untilAsserted(() -> assertThat(kubernetes.requests(Verb.WATCH, "configmaps")).hasSizeGreaterThan(30));
		awaitAgreement(kubernetes);
		assertThat(kubernetes.requests(Verb.LIST, "configmaps")).isEmpty();
	}

	@Test
	void watchForbidden_keepsListAndNamesMissingPermission() throws Exception {
		EmbeddedKubernetes kubernetes = server(
				(options) -> options.user("app", "token", AccessRule.allow("list").on("configmaps")));
		create(kubernetes, "there");
		ApiClient client = client(kubernetes.url());
		client.addDefaultHeader("Authorization", "Bearer token");
		SharedIndexInformer<V1ConfigMap> informer = follow(client);
		// the state changes after the failure has been published
		await().until(() -> informer.state().failure() != null);
		assertThat(this.recorder.failureKinds()).contains(Kind.FORBIDDEN);
		assertThat(informer.lister().list()).hasSize(1);
		assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message()).contains("Cannot watch configmaps", "403 Forbidden"));
		kubernetes.access().allow("app", AccessRule.everything());
		create(kubernetes, "later");
		awaitAgreement(kubernetes);
		assertThat(kubernetes.requests(Verb.LIST, "configmaps")).hasSize(1);
	}

	private EmbeddedKubernetes server() {
		return server((options) -> {
		});
	}

	private EmbeddedKubernetes server(Consumer<EmbeddedKubernetesOptions> options) {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start(options);
		this.open.add(kubernetes);
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		return kubernetes;
	}

	private TcpProxy proxy(EmbeddedKubernetes kubernetes) throws IOException {
		TcpProxy proxy = new TcpProxy(URI.create(kubernetes.url()));
		this.open.add(proxy);
		return proxy;
	}

	private static ApiClient client(TcpProxy proxy) {
		return client(proxy.url());
	}

	private static ApiClient client(String url) {
		return new ApiClient().setBasePath(url);
	}

	private InformerFactory factory(ApiClient client) {
		InformerFactory informers = this.recorder.factory(client, this.time);
		this.open.add(informers);
		return informers;
	}

	private SharedIndexInformer<V1ConfigMap> follow(ApiClient client) {
		return follow(client, (options) -> {
		});
	}

	private SharedIndexInformer<V1ConfigMap> follow(ApiClient client, Consumer<InformerOptions.Builder> options) {
		SharedIndexInformer<V1ConfigMap> informer = factory(client).informer(V1ConfigMap.class, options);
		informer.addHandler(this.log);
		informer.start();
		await().until(informer::hasSynced);
		return informer;
	}

	/**
	 * Wait for a bookmark, the only sign of a change elsewhere.
	 */
	private void awaitBookmark(EmbeddedKubernetes kubernetes, SharedIndexInformer<?> informer)
			throws InterruptedException {
		await().until(() -> kubernetes.openWatches() == 1);
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "noise")));
		assertThat(informer.awaitAtLeast(Long.toString(kubernetes.resourceVersion()), LONG)).isTrue();
	}

	private void awaitAgreement(EmbeddedKubernetes kubernetes) {
		await().untilAsserted(() -> {
			Map<String, String> server = kubernetes.list("configmaps", null)
				.stream()
				.map((object) -> object.get("metadata"))
				.collect(toMap((metadata) -> "shop/" + metadata.get("name").stringValue(),
						(metadata) -> metadata.get("resourceVersion").stringValue()));
			assertThat(this.log.replay()).isEqualTo(server);
			assertThat(this.log.problems()).isEmpty();
		});
	}

	private static void create(EmbeddedKubernetes kubernetes, String name) {
		kubernetes.create(configMap("shop", name).data(Map.of("text", "value")));
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.ObjectSelector;
import dev.informer.client.TimeSource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Okio;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers whose objects exceed {@code maxSize}. An object has 10 KB, and the
 * limit has room for nine.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class SizeLimitTests {

	private static final long LIMIT = 100_000;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerRecorder recorder = new InformerRecorder();

	private final InformerFactory informers = this.recorder.factory(new ApiClient().setBasePath(this.kubernetes.url()),
			TimeSource.SYSTEM, (options) -> options.maxSize(LIMIT));

	private final EventLog<V1ConfigMap> log = new EventLog<V1ConfigMap>().withReturns();

	@BeforeEach
	void createNamespaces() {
		for (String namespace : List.of("a", "b")) {
			this.kubernetes.create(TestObjects.namespace(namespace));
		}
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@ParameterizedTest
	@CsvSource({ "false, AUTO, 500", "false, JSON, 500", "false, AUTO, 2", "false, JSON, 2", "true, AUTO, 500",
			"true, JSON, 500" })
	void listOverTheLimit_failsUntilItIsWithinTheLimit(boolean streaming, Encoding encoding, int pageSize)
			throws Exception {
		create("a", 0, 12);
		SharedIndexInformer<V1ConfigMap> informer = start(
				(options) -> options.streamingList(streaming).encoding(encoding).pageSize(pageSize));
		awaitFailure(informer, "", "Cannot list configmaps in all namespaces");
		assertThat(informer.hasSynced()).isFalse();
		int lists = this.recorder.lists().size();
		await().untilAsserted(() -> assertThat(this.recorder.lists()).hasSizeGreaterThan(lists + 2));
		assertThat(this.log.story()).isEmpty();
		if (streaming) {
			assertThat(this.recorder.lists()).containsOnly(InformerEvent.ListMode.STREAM);
		}
		delete("a", 0, 4);
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		awaitRecovery(informer, 8);
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.SIZE_LIMIT);
	}

	@ParameterizedTest
	@CsvSource({ "false, AUTO", "false, JSON", "true, AUTO", "true, JSON" })
	void watchBeyondTheLimit_keepsTheObjects_andFailsUntilTheyAreWithinIt(boolean streaming, Encoding encoding)
			throws Exception {
		create("a", 0, 8);
		SharedIndexInformer<V1ConfigMap> informer = start(
				(options) -> options.streamingList(streaming).encoding(encoding));
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		awaitRecovery(informer, 8);
		create("a", 8, 12);
		awaitFailure(informer, "", "configmaps in all namespaces");
		awaitFailure(informer, "", "Cannot list configmaps in all namespaces");
		await().untilAsserted(() -> assertThat(informer.lister().keys()).hasSize(9));
		this.kubernetes.mergePatch("configmaps", "a", "map-0", Map.of("data", Map.of("changed", "yes")));
		delete("a", 1, 3);
		String version = Long.toString(this.kubernetes.resourceVersion());
		assertThat(informer.awaitAtLeast(version, Duration.ofMillis(100))).isFalse();
		assertThat(informer.lister().keys()).hasSize(9);
		assertThat(informer.state().failingSince()).isNotNull();
		delete("a", 3, 7);
		awaitRecovery(informer, 6);
		assertThat(informer.awaitAtLeast(version, Duration.ofSeconds(30))).isTrue();
		assertThat(informer.lister().get("a", "map-0").orElseThrow().getData()).containsEntry("changed", "yes");
		await().untilAsserted(
				() -> assertThat(this.log.replay().keySet()).isEqualTo(Set.copyOf(informer.lister().keys())));
		assertThat(this.log.problems()).isEmpty();
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.SIZE_LIMIT);
	}

	@Test
	void replacedAndDeletedObjects_giveTheirSizeBack() throws Exception {
		create("a", 0, 8);
		SharedIndexInformer<V1ConfigMap> informer = start((options) -> {
		});
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		for (int i = 10; i < 30; i++) {
			this.kubernetes.mergePatch("configmaps", "a", "map-0", Map.of("data", Map.of("changed", "" + i)));
			create("a", i, i + 1);
			delete("a", i, i + 1);
		}
		this.kubernetes.mergePatch("configmaps", "a", "map-1", Map.of("data", Map.of("text", "short")));
		create("a", 30, 32);
		awaitRecovery(informer, 10);
		assertThat(this.recorder.failures()).isEmpty();
		create("a", 32, 33);
		awaitFailure(informer, "", "configmaps");
	}

	@Test
	void namespaces_shareTheLimit() throws Exception {
		create("a", 0, 6);
		SharedIndexInformer<V1ConfigMap> informer = start((options) -> options.namespaces("a", "b"));
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		create("b", 0, 6);
		awaitFailure(informer, "b", "Cannot list configmaps in namespace b");
		assertThat(informer.statesByNamespace()).hasEntrySatisfying("a",
				(state) -> assertThat(state.failure()).isNull());
		assertThat(informer.state().failure()).isNotNull();
		delete("a", 1, 4);
		awaitRecovery(informer, 9);
		assertThat(informer.lister().list("b")).hasSize(6);
	}

	@Test
	void namespaceThatLeaves_givesItsSizeBack() throws Exception {
		create("a", 0, 6);
		create("b", 0, 6);
		label("a", "yes");
		SharedIndexInformer<V1ConfigMap> informer = start((options) -> options.namespaceSelector("watched=yes"));
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		label("b", "yes");
		awaitFailure(informer, "b", "Cannot list configmaps in namespace b");
		label("a", "no");
		awaitRecovery(informer, 6);
		label("b", "no");
		label("a", "yes");
		await().untilAsserted(() -> assertThat(informer.lister().keys()).hasSize(6)
			.allSatisfy((key) -> assertThat(key).startsWith("a/")));
		awaitRecovery(informer, 6);
	}

	@Test
	void transform_isAppliedToWhatHasBeenCounted() throws Exception {
		create("a", 0, 12);
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		informer.setTransform((map) -> map.data(null));
		informer.start();
		awaitFailure(informer, "", "Cannot list configmaps in all namespaces");
		delete("a", 0, 4);
		awaitRecovery(informer, 8);
	}

	@Test
	void objectsThatAreNotWatched_doNotCount() throws Exception {
		create("a", 0, 20);
		SharedIndexInformer<V1ConfigMap> informer = start((options) -> options.watchedSet(new FirstTen()));
		awaitFailure(informer, "", "Cannot list configmaps in all namespaces");
		delete("a", 0, 2);
		awaitRecovery(informer, 8);
		create("a", 20, 30);
		delete("a", 2, 3);
		awaitRecovery(informer, 7);
	}

	@Test
	void informerThatPolls_failsUntilTheListIsWithinTheLimit() throws Exception {
		create("a", 0, 8);
		SharedIndexInformer<V1ConfigMap> informer = start(
				(options) -> options.watch(false).pollInterval(Duration.ofSeconds(1)));
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		create("a", 8, 12);
		awaitFailure(informer, "", "Cannot list configmaps in all namespaces");
		assertThat(informer.lister().keys()).hasSize(8);
		delete("a", 0, 4);
		awaitRecovery(informer, 8);
	}

	@Test
	void restart_countsFromTheStart() throws Exception {
		create("a", 0, 8);
		SharedIndexInformer<V1ConfigMap> informer = start((options) -> {
		});
		for (int i = 0; i < 3; i++) {
			assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
			awaitRecovery(informer, 8);
			informer.stop(Duration.ZERO);
			informer.start();
		}
		informer.relist();
		awaitRecovery(informer, 8);
		assertThat(this.recorder.failures()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void endlessList_isReadUpToTheLimit(boolean streaming) throws Exception {
		List<Endless> responses = new CopyOnWriteArrayList<>();
		ApiClient client = new ApiClient().setBasePath("http://localhost:1");
		client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.addInterceptor((chain) -> endless(chain.request(), responses))
			.build());
		try (InformerFactory factory = this.recorder.factory(client, TimeSource.SYSTEM,
				(options) -> options.maxSize(20 << 20).streamingList(streaming))) {
			SharedIndexInformer<V1ConfigMap> informer = factory.informer(V1ConfigMap.class);
			informer.start();
			await().untilAsserted(() -> assertThat(responses).hasSizeGreaterThan(3));
			assertThat(this.recorder.failureKinds()).containsOnly(Kind.SIZE_LIMIT);
			// one that exceeds the limit, and the beginning of the next one
			assertThat(responses.subList(0, 3)).allSatisfy((body) -> assertThat(body.objects).isBetween(20, 22));
		}
	}

	private static Response endless(Request request, List<Endless> responses) {
		Endless body = new Endless(request.url().queryParameter("watch") != null);
		responses.add(body);
		return new Response.Builder().request(request)
			.protocol(Protocol.HTTP_1_1)
			.code(200)
			.message("OK")
			.body(ResponseBody.create(Okio.buffer(Okio.source(body)), MediaType.get("application/json"), -1))
			.build();
	}

	private SharedIndexInformer<V1ConfigMap> start(Consumer<InformerOptions.Builder> options) {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class, options);
		informer.addHandler(this.log);
		informer.start();
		return informer;
	}

	private static void awaitFailure(SharedIndexInformer<?> informer, String namespace, String problem) {
		await().untilAsserted(() -> assertThat(informer.statesByNamespace()).hasEntrySatisfying(namespace, (state) -> {
			assertThat(state.failingSince()).isNotNull();
			assertThat(state.failure()).isNotNull().satisfies((failure) -> {
				assertThat(failure.kind()).isEqualTo(Kind.SIZE_LIMIT);
				assertThat(failure.message()).contains(problem)
					.endsWith(": the objects exceed the max-size of 100000 bytes. "
							+ "Delete objects, select fewer, or raise max-size and the heap.");
			});
		}));
	}

	private static void awaitRecovery(SharedIndexInformer<?> informer, int objects) {
		await().untilAsserted(() -> {
			assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
			assertThat(informer.state().failure()).isNull();
			assertThat(informer.state().failingSince()).isNull();
			assertThat(informer.lister().keys()).hasSize(objects);
		});
	}

	private void create(String namespace, int from, int to) {
		for (int i = from; i < to; i++) {
			this.kubernetes
				.create(TestObjects.configMap(namespace, "map-" + i).data(Map.of("text", "x".repeat(10_000))));
		}
	}

	private void delete(String namespace, int from, int to) {
		for (int i = from; i < to; i++) {
			this.kubernetes.delete("configmaps", namespace, "map-" + i);
		}
	}

	private void label(String namespace, String value) {
		this.kubernetes.mergePatch("namespaces", null, namespace,
				Map.of("metadata", Map.of("labels", Map.of("watched", value))));
	}

	/** Response with objects of one megabyte without an end. */
	private static final class Endless extends InputStream {

		private static final String TEXT = "x".repeat((1 << 20) - 100);

		private final boolean watch;

		private InputStream part;

		private volatile int objects;

		Endless(boolean watch) {
			this.watch = watch;
			this.part = stream(watch ? "" : "{\"kind\":\"ConfigMapList\",\"items\":[");
		}

		@Override
		public int read() {
			throw new UnsupportedOperationException();
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			int count = this.part.read(buffer, offset, length);
			if (count < 0) {
				this.part = stream(next(this.objects++));
				count = this.part.read(buffer, offset, length);
			}
			return count;
		}

		private String next(int number) {
			String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"a\",\"name\":\"map-"
					+ number + "\",\"uid\":\"" + number + "\",\"resourceVersion\":\"1\"},\"data\":{\"text\":\"" + TEXT
					+ "\"}}";
			return this.watch ? "{\"type\":\"ADDED\",\"object\":" + object + "}" : object + ",";
		}

		private static InputStream stream(String text) {
			return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
		}

	}

	/** The objects with a number of one digit. */
	private record FirstTen() implements WatchedSet {

		private static final ObjectSelector SELECTOR = (state) -> String.valueOf(state.name()).length() > 5;

		@Override
		public ObjectSelector selector() {
			return SELECTOR;
		}

		@Override
		public void follow(Runnable changed) {
		}

		@Override
		public void unfollow(Runnable changed) {
		}

	}

}

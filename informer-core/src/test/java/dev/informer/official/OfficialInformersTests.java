/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import dev.informer.InformerState.Phase;
import dev.informer.NotSyncedException;
import dev.informer.SharedIndexInformer;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link OfficialInformers}, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class OfficialInformersTests {

	private final EmbeddedConfigMaps maps = new EmbeddedConfigMaps();

	private final SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();

	private final io.kubernetes.client.informer.SharedIndexInformer<V1ConfigMap> view = OfficialInformers
		.informer(this.informer);

	private final Log log = new Log();

	@AfterEach
	void close() {
		this.maps.close();
	}

	@Test
	void eventHandler_receivesEventsOfOneListAndOneWatch() throws Exception {
		this.maps.create("shop", "a", "1");
		this.view.addEventHandler(this.log);
		Log other = new Log();
		OfficialInformers.informer(this.informer).addEventHandler(other);
		this.maps.startAndSync();
		awaitStories(other, "added a 1");
		this.maps.change("shop", "a", "2");
		awaitStories(other, "added a 1", "updated a 1 2");
		this.maps.delete("shop", "a");
		awaitStories(other, "added a 1", "updated a 1 2", "deleted a 2 false");
		assertThat(this.maps.kubernetes().requests(Verb.LIST, "configmaps")).hasSize(1);
		assertThat(this.maps.kubernetes().requests(Verb.WATCH, "configmaps")).hasSize(1);
	}

	/** Wait for both handlers: each one has a queue, in which changes are coalesced. */
	private void awaitStories(Log other, String... events) {
		await().untilAsserted(() -> {
			assertThat(this.log.story).containsExactly(events);
			assertThat(other.story).containsExactly(events);
		});
	}

	@Test
	void missedDeletion_isDeliveredWithLastKnownState() throws Exception {
		this.maps.create("shop", "a", "1");
		this.maps.create("shop", "b", "1");
		this.view.addEventHandler(this.log);
		this.maps.startAndSync();
		await().until(() -> this.log.story.size() == 2);
		this.informer.stop(Duration.ofSeconds(20));
		this.maps.delete("shop", "a");
		this.maps.delete("shop", "b");
		this.maps.create("shop", "b", "2");
		this.informer.start();
		await().until(() -> this.log.story.size() == 5);
		assertThat(this.log.story.subList(2, 5)).containsExactlyInAnyOrder("deleted a 1 true", "deleted b 1 true",
				"added b 2");
		assertThat(this.log.story.indexOf("deleted b 1 true")).isLessThan(this.log.story.indexOf("added b 2"));
	}

	@Test
	void handlerThatThrows_isRetried() throws Exception {
		this.maps.create("shop", "a", "1");
		this.log.failures = 1;
		this.view.addEventHandler(this.log);
		this.maps.startAndSync();
		await().until(() -> this.log.story.size() == 2);
		assertThat(this.log.story).containsExactly("added a 1", "added a 1");
	}

	@Test
	void resyncPeriod_appliesToTheHandlerThatRequestedIt() throws Exception {
		this.maps.create("shop", "a", "1");
		Log never = new Log();
		Log negative = new Log();
		this.view.addEventHandlerWithResyncPeriod(this.log, 1000);
		this.view.addEventHandler(never);
		this.view.addEventHandlerWithResyncPeriod(negative, -1);
		this.maps.startAndSync();
		await().until(() -> !never.story.isEmpty() && !negative.story.isEmpty());
		await().until(() -> this.log.story.contains("updated a 1 1"));
		assertThat(never.story).containsExactly("added a 1");
		assertThat(negative.story).containsExactly("added a 1");
		this.view.getIndexer().resync();
		await().until(() -> never.story.contains("updated a 1 1") && negative.story.contains("updated a 1 1"));
	}

	@Test
	void handlerOfClosedInformer_isRefused() {
		this.informer.close();
		assertThatIllegalStateException().isThrownBy(() -> this.view.addEventHandler(this.log));
	}

	@Test
	void syncAndVersion_areThoseOfInformer() throws Exception {
		assertThat(this.view.hasSynced()).isFalse();
		assertThat(this.view.lastSyncResourceVersion()).isEmpty();
		this.maps.startAndSync();
		assertThat(this.view.hasSynced()).isTrue();
		assertThat(this.view.lastSyncResourceVersion()).isEqualTo(this.informer.lastSyncResourceVersion()).isNotEmpty();
	}

	@Test
	void indexer_readsTheCache() throws Exception {
		this.maps.create("shop", "a", "1");
		this.maps.create("shop", "b", "1");
		this.maps.create("bank", "a", "1");
		this.maps.startAndSync();
		Indexer<V1ConfigMap> indexer = this.view.getIndexer();
		V1ConfigMap cached = this.informer.lister().get("shop", "a").orElseThrow();
		assertThat(indexer.getByKey("shop/a")).isSameAs(cached);
		assertThat(indexer.get(TestObjects.configMap("shop", "a"))).isSameAs(cached);
		assertThat(indexer.getByKey("shop/c")).isNull();
		assertThat(indexer.getByKey("a")).isNull();
		assertThat(indexer.getByKey("shop/a/b")).isNull();
		assertThat(indexer.list()).containsExactlyInAnyOrderElementsOf(this.informer.lister().list());
		assertThat(indexer.listKeys()).containsExactlyInAnyOrder("shop/a", "shop/b", "bank/a");
		assertThat(indexer.byIndex(Caches.NAMESPACE_INDEX, "shop")).hasSize(2).contains(cached);
		assertThat(indexer.indexKeys(Caches.NAMESPACE_INDEX, "shop")).containsExactly("shop/a", "shop/b");
		assertThat(indexer.index(Caches.NAMESPACE_INDEX, cached)).hasSize(2);
		assertThatIllegalArgumentException().isThrownBy(() -> indexer.byIndex("unknown", "shop"));
	}

	@Test
	void lister_readsTheCache() throws Exception {
		this.maps.create("shop", "a", "1");
		this.maps.create("bank", "a", "1");
		this.maps.startAndSync();
		Lister<V1ConfigMap> lister = OfficialInformers.lister(this.informer);
		assertThat(lister.list()).hasSize(2);
		assertThat(lister.namespace("shop").list()).hasSize(1);
		assertThat(lister.namespace("shop").get("a")).isSameAs(this.informer.lister().get("shop", "a").orElseThrow());
		assertThat(lister.namespace("shop").get("b")).isNull();
		assertThat(lister.namespace("market").list()).isEmpty();
	}

	@Test
	void readsBeforeSync_areRefused() {
		assertThatExceptionOfType(NotSyncedException.class).isThrownBy(() -> this.view.getIndexer().list());
		assertThatExceptionOfType(NotSyncedException.class)
			.isThrownBy(() -> OfficialInformers.lister(this.informer).namespace("shop").get("a"));
	}

	@Test
	void indexersOfRunningInformer_indexTheCachedObjects() throws Exception {
		this.maps.create("shop", "a", "red");
		this.maps.create("shop", "b", "none");
		this.maps.create("shop", "c", "null");
		this.maps.startAndSync();
		this.view.addIndexers(Map.of("color", OfficialInformersTests::color));
		Indexer<V1ConfigMap> indexer = this.view.getIndexer();
		assertThat(indexer.indexKeys("color", "red")).containsExactly("shop/a");
		assertThat(this.informer.lister().indexValues("color")).containsExactly("red");
		assertThat(this.maps.recorder().failures()).isEmpty();
		assertThat(indexer.getIndexers()).containsOnlyKeys(Caches.NAMESPACE_INDEX, "color");
		Function<V1ConfigMap, List<String>> function = Objects.requireNonNull(indexer.getIndexers().get("color"));
		assertThat(function.apply(this.informer.lister().get("shop", "a").orElseThrow())).containsExactly("red");
	}

	@Test
	void indexersOfWhichOneExists_areAllRefused() {
		this.informer.addIndex("color", (map) -> null);
		Function<V1ConfigMap, List<String>> function = OfficialInformersTests::color;
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.view.addIndexers(Map.of("color", function, "colour", function)))
			.withMessageContaining("[color]");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.view.addIndexers(Map.of("owner", function, "colour", function)))
			.withMessageContaining("[owner]");
		assertThat(this.view.getIndexer().getIndexers()).containsOnlyKeys(Caches.NAMESPACE_INDEX, "color");
	}

	@Test
	void writes_areRefused() {
		Indexer<V1ConfigMap> indexer = this.view.getIndexer();
		V1ConfigMap map = TestObjects.configMap("shop", "a");
		for (Runnable write : List.<Runnable>of(() -> indexer.add(map), () -> indexer.update(map),
				() -> indexer.delete(map), () -> indexer.replace(List.of(map), "1"))) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(write::run)
				.withMessageMatching(
						"Cannot .* the cache of informer 'configmaps': it follows the API server\\. Send the .*");
		}
	}

	@Test
	void transform_isAppliedOnceBeforeTheCache() throws Exception {
		this.maps.create("shop", "a", "1");
		this.view.setTransform((object) -> ((V1ConfigMap) object).data(Map.of("key", "transformed")));
		assertThatIllegalStateException().isThrownBy(() -> this.view.setTransform((object) -> object));
		this.view.addEventHandler(this.log);
		this.maps.startAndSync();
		await().until(() -> this.log.story.contains("added a transformed"));
		assertThatIllegalStateException().isThrownBy(() -> this.view.setTransform((object) -> object));
	}

	@Test
	void transformToAnotherClass_isReportedWithTheObject() throws Exception {
		this.maps.create("shop", "a", "1");
		this.view.setTransform((object) -> new V1Node().metadata(object.getMetadata()));
		this.maps.startAndSync();
		await().until(() -> !this.maps.recorder().failures().isEmpty());
		assertThat(this.informer.lister().list()).isEmpty();
	}

	@Test
	void runAndStop_canBeRepeated() {
		for (int i = 0; i < 3; i++) {
			this.view.run();
			await().until(() -> this.informer.state().phase() == Phase.WATCHING);
			this.view.run();
			this.view.stop();
			assertThat(this.informer.state().phase()).isEqualTo(Phase.STOPPED);
			this.view.stop();
		}
		assertThat(this.view.hasSynced()).isTrue();
	}

	@Test
	void stop_doesNotStopInformerThatOthersHaveStarted() throws Exception {
		this.maps.startAndSync();
		this.view.run();
		this.view.stop();
		SharedInformerFactory factory = OfficialInformers.factory(this.informer);
		factory.startAllRegisteredInformers();
		factory.stopAllRegisteredInformers();
		await().during(Duration.ofMillis(200)).until(() -> this.informer.state().phase() != Phase.STOPPED);
	}

	private static @Nullable List<String> color(V1ConfigMap map) {
		String color = map.getData().get("key");
		if ("none".equals(color)) {
			return null;
		}
		return "null".equals(color) ? Arrays.asList((String) null) : List.of(color);
	}

	/**
	 * Log of the events, with the values of the objects.
	 */
	private static final class Log implements ResourceEventHandler<V1ConfigMap> {

		private final List<String> story = new CopyOnWriteArrayList<>();

		private volatile int failures;

		@Override
		public void onAdd(V1ConfigMap map) {
			add("added %s %s".formatted(map.getMetadata().getName(), value(map)));
		}

		@Override
		public void onUpdate(V1ConfigMap previous, V1ConfigMap map) {
			add("updated %s %s %s".formatted(map.getMetadata().getName(), value(previous), value(map)));
		}

		@Override
		public void onDelete(V1ConfigMap map, boolean finalStateUnknown) {
			add("deleted %s %s %s".formatted(map.getMetadata().getName(), value(map), finalStateUnknown));
		}

		private void add(String event) {
			this.story.add(event);
			if (this.story.size() <= this.failures) {
				throw new IllegalStateException("for the test");
			}
		}

		private static String value(V1ConfigMap map) {
			return String.valueOf(map.getData().get("key"));
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.conformance.Conformance;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for informers as a whole, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class InformerTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final Recorder recorder = new Recorder();

	private final List<InformerFactory> factories = new ArrayList<>();

	private InformerFactory informers = factory(TimeSource.SYSTEM);

	@BeforeEach
	void createNamespaces() {
		for (String namespace : List.of("shop", "bank")) {
			this.kubernetes
				.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", namespace)));
		}
	}

	@AfterEach
	void close() {
		this.factories.forEach(InformerFactory::close);
		this.kubernetes.close();
	}

	@Test
	void start_syncsAndDeliversChanges() throws Exception {
		create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(log);
		assertThat(informer.state().phase()).isEqualTo(Phase.NOT_STARTED);
		startAndSync();
		assertThat(informer.lister().get("shop", "a")).get()
			.satisfies((found) -> assertThat(found.getData()).containsEntry("key", "1"));
		assertThat(registration.awaitSynced(LONG)).isTrue();
		assertThat(log.events()).singleElement()
			.isInstanceOfSatisfying(Added.class, (event) -> assertThat(event.initialList()).isTrue());
		create("shop", "b", "1");
		patch("shop", "a", "2");
		awaitStory(log, "ADDED shop/a", "ADDED shop/b", "UPDATED shop/a");
		delete("shop", "a");
		awaitStory(log, "ADDED shop/a", "ADDED shop/b", "UPDATED shop/a", "DELETED shop/a");
		assertThat(log.events().get(1)).isEqualTo(new Added<>(log.events().get(1).object(), false));
		assertAgrees(informer, log);
		assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
	}

	@Conformance("page size 4")
	@Test
	void lists_arePaginatedAndWatchesRequestBookmarks() throws Exception {
		for (int i = 0; i < 7; i++) {
			create("shop", "a" + i, "1");
		}
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> options.pageSize(3));
		startAndSync();
		assertThat(informer.lister().size()).isEqualTo(7);
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps").get(0).query())
			.containsEntry("resourceVersion", "0")
			.containsEntry("limit", "3");
		await().untilAsserted(() -> assertThat(this.kubernetes.requests(Verb.WATCH, "configmaps")).singleElement()
			.extracting(ReceivedRequest::query)
			.satisfies((query) -> assertThat(query).containsEntry("allowWatchBookmarks", "true")
				.containsKey("timeoutSeconds")
				.containsEntry("resourceVersion", informer.lastSyncResourceVersion())));
	}

	@Test
	void lister_beforeSync_throws() {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		assertThatExceptionOfType(NotSyncedException.class).isThrownBy(() -> informer.lister().list())
			.withMessageContaining("'configmaps'");
	}

	@Conformance("index before and after start")
	@Test
	void index_addedBeforeAndAfterStart_findsObjects() throws Exception {
		create("shop", "a", "red");
		create("bank", "b", "red");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		informer.addIndex("color", (map) -> map.getData().get("key"));
		startAndSync();
		informer.addIndex("name", (map) -> map.getMetadata().getName());
		create("shop", "c", "blue");
		await().untilAsserted(() -> assertThat(informer.lister().indexValues("color")).containsOnly("red", "blue"));
		assertThat(informer.lister().byIndex("color", "red")).hasSize(2);
		assertThat(informer.lister().byIndex("name", "c")).hasSize(1);
		assertThat(informer.lister().list("shop")).hasSize(2);
	}

	@Conformance("late handler")
	@Test
	void handlerAddedLate_receivesInitialListAndLaterEvents() throws Exception {
		create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		startAndSync();
		EventLog<V1ConfigMap> late = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(late);
		assertThat(registration.awaitSynced(LONG)).isTrue();
		patch("shop", "a", "2");
		awaitStory(late, "ADDED shop/a", "UPDATED shop/a");
		assertThat(late.problems()).isEmpty();
	}

	@Test
	void removedHandler_receivesNothing() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> removed = new EventLog<>();
		EventLog<V1ConfigMap> staying = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(removed);
		informer.addHandler(staying);
		startAndSync();
		registration.remove();
		registration.remove();
		create("shop", "a", "1");
		awaitStory(staying, "ADDED shop/a");
		assertThat(removed.events()).isEmpty();
		assertThat(informer.handlers()).hasSize(1);
	}

	@Conformance("a handler that blocks permanently")
	@Conformance("a handler that throws on each event")
	@Test
	void handlers_areIsolatedFromOneThatBlocksAndOneThatThrows() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		CountDownLatch release = new CountDownLatch(1);
		EventLog<V1ConfigMap> blocked = new EventLog<>() {
			@Override
			public void handle(ResourceEvent<V1ConfigMap> event) throws Exception {
				release.await();
				super.handle(event);
			}
		};
		EventLog<V1ConfigMap> fine = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(blocked, (options) -> options.name("blocked"));
		informer.addHandler((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.name("throwing"));
		informer.addHandler(fine);
		startAndSync();
		create("shop", "a", "1");
		patch("shop", "a", "2");
		patch("shop", "a", "3");
		await().untilAsserted(() -> assertThat(fine.replay()).isEqualTo(server()));
		assertThat(registration.pending()).isLessThanOrEqualTo(1);
		assertThat(blocked.events()).isEmpty();
		release.countDown();
		await().untilAsserted(() -> assertThat(blocked.replay()).isEqualTo(server()));
		assertThat(blocked.problems()).isEmpty();
		await().untilAsserted(() -> assertThat(this.recorder.failures).anySatisfy((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.HANDLER);
			assertThat(failure.message()).contains("'throwing'", "shop/a");
		}));
	}

	@Test
	void handlerWithKeepAll_receivesEveryEvent() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		CountDownLatch release = new CountDownLatch(1);
		EventLog<V1ConfigMap> log = new EventLog<>() {
			@Override
			public void handle(ResourceEvent<V1ConfigMap> event) throws Exception {
				release.await();
				super.handle(event);
			}
		};
		informer.addHandler(log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		startAndSync();
		create("shop", "a", "1");
		patch("shop", "a", "2");
		delete("shop", "a");
		await().until(() -> informer.lister().size() == 0
				&& informer.lastSyncResourceVersion().equals(Long.toString(this.kubernetes.resourceVersion())));
		release.countDown();
		awaitStory(log, "ADDED shop/a", "UPDATED shop/a", "DELETED shop/a");
	}

	@Test
	void handlerNameInUse_isRejected() {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		informer.addHandler(new EventLog<>(), (options) -> options.name("audit"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> informer.addHandler(new EventLog<>(), (options) -> options.name("audit")))
			.withMessageContaining("'audit'");
	}

	@Test
	void brokenWatches_resumeWithoutList() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		for (int i = 0; i < 5; i++) {
			create("shop", "a" + i, "1");
			await().untilAsserted(() -> assertAgrees(informer, log));
			this.kubernetes.faults().cutWatches();
		}
		create("shop", "last", "1");
		await().untilAsserted(() -> assertAgrees(informer, log));
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).hasSize(1);
		assertThat(this.recorder.ends).contains(WatchEnd.BROKEN);
	}

	@Conformance("server restart")
	@Test
	void serverUnavailableForAWhile_missedChangesArrive() throws Exception {
		create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		await().untilAsserted(() -> assertAgrees(informer, log));
		this.kubernetes.faults().refuseConnections();
		await().until(() -> informer.state().phase() == Phase.BACKING_OFF);
		assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE));
		create("shop", "b", "1");
		delete("shop", "a");
		this.kubernetes.faults().acceptConnections();
		await().untilAsserted(() -> assertAgrees(informer, log));
		await().until(() -> informer.state().failure() == null);
		// How many metadata requests look for a rollback depends on when the first retry fails.
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps"))
			.filteredOn((request) -> !String.valueOf(request.headers().get("accept")).contains("Metadata"))
			.hasSize(1);
		assertThat(log.story()).containsExactly("ADDED shop/a", "ADDED shop/b", "DELETED shop/a");
	}

	@Conformance("gate off")
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void streamingList_isUsedWhereSupported(boolean served) throws Exception {
		try (EmbeddedKubernetes server = EmbeddedKubernetes.start((options) -> options.streamingLists(served));
				InformerFactory streaming = InformerFactory.create(new ApiClient().setBasePath(server.url()))) {
			server.create(configMap("default", "a").data(Map.of("key", "1")));
			SharedIndexInformer<V1ConfigMap> informer = streaming.informer(V1ConfigMap.class,
					(options) -> options.streamingList(true));
			informer.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			server.create(configMap("default", "b").data(Map.of("key", "1")));
			await().untilAsserted(() -> assertThat(informer.lister().list()).hasSize(2));
			assertThat(server.requests(Verb.LIST, "configmaps")).hasSize(served ? 0 : 1);
		}
	}

	@Conformance("replace makes deletions for known objects")
	@Conformance("lost watch: a handler without resync gets only changes")
	@Conformance("etcd compaction while disconnected (410)")
	@Test
	void expiredResourceVersion_relistsAndDeliversDifferences() throws Exception {
		create("shop", "same", "1");
		create("shop", "changed", "1");
		create("shop", "gone", "1");
		create("shop", "recreated", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		await().untilAsserted(() -> assertAgrees(informer, log));
		V1ConfigMap same = informer.lister().get("shop", "same").orElseThrow();
		log.clear();
		this.kubernetes.faults().refuseConnections();
		patch("shop", "changed", "2");
		delete("shop", "gone");
		delete("shop", "recreated");
		create("shop", "recreated", "1");
		create("shop", "new", "1");
		this.kubernetes.compact();
		this.kubernetes.faults().acceptConnections();
		await().untilAsserted(() -> assertAgrees(informer, log));
		assertThat(log.story()).containsExactlyInAnyOrder("UPDATED shop/changed", "DELETED shop/gone",
				"DELETED shop/recreated", "ADDED shop/recreated", "ADDED shop/new");
		assertThat(log.events()).filteredOn((event) -> event instanceof Deleted<V1ConfigMap>)
			.hasSize(2)
			.allSatisfy((event) -> assertThat(((Deleted<V1ConfigMap>) event).finalStateUnknown()).isTrue());
		assertThat(informer.lister().get("shop", "same")).get().isSameAs(same);
		assertThat(this.recorder.relists).contains(RelistReason.EXPIRED);
	}

	@Test
	void forbidden_namesMissingPermissionAndLosesNothing() throws Exception {
		create("shop", "a", "1");
		Fault forbidden = Fault.status(403);
		this.kubernetes.faults().always(Verb.LIST, "configmaps", forbidden);
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.informers.start();
		await().until(() -> informer.state().failure() != null);
		assertThat(this.recorder.failures).first()
			.satisfies((failure) -> assertThat(failure.message()).contains("Cannot list configmaps",
					"Grant the verbs list and watch"));
		this.kubernetes.faults().clear();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		this.kubernetes.faults().always(Verb.WATCH, "configmaps", forbidden);
		this.kubernetes.faults().cutWatches();
		await().until(() -> informer.state().failure() != null);
		create("shop", "b", "1");
		this.kubernetes.faults().clear();
		await().untilAsserted(() -> assertAgrees(informer, log));
		assertThat(log.story()).containsExactly("ADDED shop/a", "ADDED shop/b");
	}

	@Test
	void invalidSelector_endsWaitWithMessageOfServer() {
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> options.labelSelector("a=b=c"));
		this.informers.start();
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> informer.awaitSynced(LONG))
			.withMessageContaining("'configmaps'")
			.withMessageContaining("label selector")
			.withMessageContaining("'a=b=c'")
			.withMessageContaining("found '='");
		assertThat(informer.state().phase()).isEqualTo(Phase.FAILED);
	}

	@Test
	void objectThatNoLongerMatchesSelector_isDeleted() throws Exception {
		this.kubernetes.create(configMap("shop", "a", Map.of("app", "web")).data(Map.of("key", "1")));
		create("shop", "other", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> options.labelSelector("app=web"));
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		awaitStory(log, "ADDED shop/a");
		this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("metadata", Map.of("labels", Map.of("app", "x"))));
		awaitStory(log, "ADDED shop/a", "DELETED shop/a");
		assertThat(informer.lister().size()).isZero();
	}

	@Test
	void unservedResource_isDormantUntilServed() throws Exception {
		SharedIndexInformer<Tenant> informer = this.informers.informer(Tenant.class);
		informer.start();
		await().until(() -> informer.state().phase() == Phase.DORMANT);
		assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message()).contains("tenants.example.com/v1"));
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		assertThat(informer.awaitSynced(LONG)).isTrue();
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("namespace", "shop", "name", "t"), "plan", "gold"));
		await().untilAsserted(() -> assertThat(informer.lister().get("shop", "t")).get()
			.extracting((tenant) -> tenant.plan)
			.isEqualTo("gold"));
	}

	@Conformance("one object that cannot be decoded, in a list, an event, a deletion")
	@Test
	void undecodableObjects_areNamedAndIsolated() throws Exception {
		create("shop", "a", "1");
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "shop", "name", "broken"), "data", List.of("no", "map")));
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		assertThat(informer.lister().list()).hasSize(1);
		assertThat(this.recorder.failures).anySatisfy((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.UNDECODABLE_OBJECT);
			assertThat(failure.message()).contains("shop/broken", "data");
		});
		this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("immutable", "maybe"));
		create("shop", "b", "1");
		awaitStory(log, "ADDED shop/a", "ADDED shop/b");
		assertThat(informer.lister().get("shop", "a")).isPresent();
		delete("shop", "a");
		awaitStory(log, "ADDED shop/a", "ADDED shop/b", "DELETED shop/a");
	}

	@Test
	void severalNamespaces_areOneInformer() throws Exception {
		create("shop", "a", "1");
		create("bank", "b", "1");
		create("default", "unseen", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> options.namespaces("shop", "bank"));
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		assertThat(informer.lister().list()).hasSize(2);
		assertThat(informer.statesByNamespace()).containsOnlyKeys("shop", "bank");
		create("bank", "c", "1");
		this.kubernetes.restart();
		await().untilAsserted(() -> assertThat(this.recorder.relists).isNotEmpty());
		create("shop", "d", "1");
		await().untilAsserted(() -> assertThat(log.replay()).containsOnlyKeys("shop/a", "bank/b", "bank/c", "shop/d"));
		assertThat(log.story()).noneMatch((event) -> event.startsWith("DELETED"));
		assertThat(log.problems()).isEmpty();
	}

	@Test
	void namespacesOfClusterScopedResource_areRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.informers.informer(V1Node.class, (options) -> options.namespaces("shop")))
			.withMessageContaining("nodes/v1 is cluster-scoped");
	}

	@Conformance("three life cycles leave no thread")
	@Conformance("stop, changes on the server, start: differences only")
	@Test
	void restart_deliversDifferencesOnly() throws Exception {
		create("shop", "same", "1");
		create("shop", "gone", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		await().untilAsserted(() -> assertAgrees(informer, log));
		for (int cycle = 1; cycle <= 3; cycle++) {
			informer.stop(LONG);
			assertThat(NoThreadLeft.informerThreads()).isEmpty();
			assertThat(informer.state().phase()).isEqualTo(Phase.STOPPED);
			assertThat(informer.lister().list()).isNotEmpty();
			log.clear();
			create("shop", "new" + cycle, "1");
			if (cycle == 1) {
				delete("shop", "gone");
			}
			informer.start();
			informer.start();
			await().untilAsserted(() -> assertAgrees(informer, log));
			assertThat(log.story()).containsExactlyInAnyOrderElementsOf(
					(cycle == 1) ? List.of("DELETED shop/gone", "ADDED shop/new1") : List.of("ADDED shop/new" + cycle));
		}
	}

	@Test
	void stop_drainsPendingEventsAndKeepsTheRest() throws Exception {
		create("shop", "a", "1");
		create("shop", "b", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch never = new CountDownLatch(1);
		List<String> delivered = new CopyOnWriteArrayList<>();
		HandlerRegistration registration = informer.addHandler((event) -> {
			delivered.add(event.object().getMetadata().getName());
			if (delivered.size() == 1) {
				called.countDown();
				never.await();
			}
		});
		startAndSync();
		called.await();
		informer.stop(Duration.ofMillis(50));
		assertThat(delivered).hasSize(1);
		assertThat(registration.pending()).isEqualTo(2);
		informer.start();
		await().untilAsserted(() -> assertThat(delivered).hasSize(3).contains("a", "b"));
		assertThat(registration.awaitSynced(LONG)).isTrue();
	}

	@Conformance("a handler that blocks permanently")
	@Test
	void close_withHandlerThatIgnoresInterrupts_doesNotBlock() throws Exception {
		create("shop", "a", "1");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		configMaps().addHandler((event) -> {
			called.countDown();
			boolean released = false;
			while (!released) {
				try {
					released = release.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					// that is the test
				}
			}
		});
		startAndSync();
		called.await();
		this.informers.close();
		assertThat(NoThreadLeft.informerThreads()).singleElement().asString().contains("configmaps-handler");
		release.countDown();
	}

	@Test
	void close_isFinal() {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		this.informers.close();
		assertThatIllegalStateException().isThrownBy(informer::start).withMessageContaining("'configmaps'");
		assertThatIllegalStateException().isThrownBy(() -> informer.addHandler(new EventLog<>()))
			.withMessageContaining("closed");
	}

	@Conformance("three handlers with resync 0, 2 s, 3 s get their own resyncs only")
	@Test
	void resync_reachesHandlersThatAreDue() throws Exception {
		FakeTime time = FakeTime.manual();
		this.informers = factory(time);
		create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		EventLog<V1ConfigMap> never = new EventLog<>();
		EventLog<V1ConfigMap> often = new EventLog<>();
		EventLog<V1ConfigMap> seldom = new EventLog<>();
		informer.addHandler(never);
		informer.addHandler(often, (options) -> options.resyncPeriod(Duration.ofSeconds(2)));
		informer.addHandler(seldom, (options) -> options.resyncPeriod(Duration.ofSeconds(3)));
		startAndSync();
		for (EventLog<V1ConfigMap> log : List.of(never, often, seldom)) {
			awaitStory(log, "ADDED shop/a");
		}
		for (int second = 1; second <= 6; second++) {
			time.advance(Duration.ofSeconds(1));
			int expectedOften = 1 + second / 2;
			int expectedSeldom = 1 + second / 3;
			await().untilAsserted(() -> {
				assertThat(often.events()).hasSize(expectedOften);
				assertThat(seldom.events()).hasSize(expectedSeldom);
			});
		}
		assertThat(often.events()).last().satisfies((event) -> assertThat(event.resync()).isTrue());
		assertThat(never.events()).hasSize(1);
	}

	@Test
	void informer_withSameOptionsIsShared_withOtherOptionsIsRejected() {
		SharedIndexInformer<V1ConfigMap> informer = configMaps();
		assertThat(configMaps()).isSameAs(informer);
		assertThatIllegalArgumentException().isThrownBy(() -> configMaps((options) -> options.labelSelector("a=b")))
			.withMessageContaining("options.name");
		assertThat(configMaps((options) -> options.name("other").labelSelector("a=b"))).isNotSameAs(informer);
	}

	private InformerFactory factory(TimeSource time) {
		ApiClient client = new ApiClient().setBasePath(this.kubernetes.url());
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50), Duration.ofMillis(5),
				Duration.ofMinutes(2));
		InformerFactory factory = InformerFactory.create(() -> client,
				(settings) -> settings.addListener(this.recorder)
					.time(time)
					.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast).build()));
		this.factories.add(factory);
		return factory;
	}

	private SharedIndexInformer<V1ConfigMap> configMaps() {
		return configMaps((options) -> {
		});
	}

	private SharedIndexInformer<V1ConfigMap> configMaps(java.util.function.Consumer<InformerOptions.Builder> options) {
		return this.informers.informer(V1ConfigMap.class, options);
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

	private static void awaitStory(EventLog<?> log, String... story) {
		await().untilAsserted(() -> assertThat(log.story()).containsExactly(story));
		assertThat(log.problems()).isEmpty();
	}

	private void assertAgrees(SharedIndexInformer<V1ConfigMap> informer, EventLog<V1ConfigMap> log) {
		Map<String, String> server = server();
		assertThat(log.replay()).isEqualTo(server);
		assertThat(informer.lister()
			.list()
			.stream()
			.collect(Collectors.toMap((map) -> map.getMetadata().getNamespace() + "/" + map.getMetadata().getName(),
					(map) -> map.getMetadata().getResourceVersion())))
			.isEqualTo(server);
		assertThat(log.problems()).isEmpty();
	}

	private Map<String, String> server() {
		return this.kubernetes.list("configmaps", null)
			.stream()
			.map((object) -> object.get("metadata"))
			.collect(Collectors.toMap(
					(metadata) -> metadata.get("namespace").stringValue() + "/" + metadata.get("name").stringValue(),
					(metadata) -> metadata.get("resourceVersion").stringValue()));
	}

	private void create(String namespace, String name, String value) {
		this.kubernetes.create(configMap(namespace, name).data(Map.of("key", value)));
	}

	private void patch(String namespace, String name, String value) {
		this.kubernetes.mergePatch("configmaps", namespace, name, Map.of("data", Map.of("key", value)));
	}

	private void delete(String namespace, String name) {
		this.kubernetes.delete("configmaps", namespace, name);
	}

	/**
	 * A custom resource.
	 */
	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static class Tenant extends OfficialModelsTests.Plain {

		private @Nullable String plan;

	}

	private static final class Recorder implements InformerListener {

		private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

		private final List<WatchEnd> ends = new CopyOnWriteArrayList<>();

		private final List<RelistReason> relists = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.Failed failed) {
				this.failures.add(failed.failure());
			}
			else if (event instanceof InformerEvent.WatchEnded ended) {
				this.ends.add(ended.reason());
			}
			else if (event instanceof InformerEvent.Relisting relisting) {
				this.relists.add(relisting.reason());
			}
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerState.Phase;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for a factory one of whose informers is closed or cannot start.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ClosedInformerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<InformerEvent> events = new CopyOnWriteArrayList<>();

	private final AtomicInteger threadsUntilFailure = new AtomicInteger(Integer.MAX_VALUE);

	private final AtomicInteger connectionFailures = new AtomicInteger();

	private final InformerFactory informers = InformerFactory.create(() -> {
		if (this.connectionFailures.getAndDecrement() > 0) {
			throw new IllegalStateException("no connection for the test");
		}
		return new ApiClient().setBasePath(this.kubernetes.url());
	}, (settings) -> settings.addListener(this.events::add).threadFactory((task) -> {
		if (this.threadsUntilFailure.getAndDecrement() == 1) {
			throw new OutOfMemoryError("no thread for the test");
		}
		return new Thread(task);
	}));

	private final SharedIndexInformer<V1Node> nodes = this.informers.informer(V1Node.class);

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.informers.informer(V1ConfigMap.class);

	@BeforeEach
	void createObject() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "default", "name", "a"), "data", Map.of()));
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void closedBeforeStart_isNotPartOfTheFactory() throws Exception {
		EventLog<V1ConfigMap> log = new EventLog<>();
		this.configMaps.addHandler(log);
		this.informers.holdHandlers(List.of(this.nodes, this.configMaps));
		this.nodes.close();
		assertThat(this.nodes.state().phase()).isEqualTo(Phase.STOPPED);
		assertThat(this.informers.informers()).containsExactly(this.configMaps);
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		assertThat(this.informers.awaitSynced(List.of(this.nodes, this.configMaps), LONG)).isTrue();
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a"));
		assertThat(this.events).contains(new InformerEvent.Removed(this.nodes));
		SharedIndexInformer<V1Node> others = this.informers.informer(V1Node.class);
		assertThat(others).isNotSameAs(this.nodes);
		this.informers.start();
		assertThat(others.awaitSynced(LONG)).isTrue();
		this.informers.stop(LONG);
		this.informers.start();
		this.nodes.close();
		assertThat(this.informers.informers()).containsExactlyInAnyOrder(others, this.configMaps);
	}

	@Test
	void closedWhileRunning_isNotPartOfTheFactory() throws Exception {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		this.nodes.close();
		this.informers.stop(LONG);
		this.informers.start();
		await().until(() -> this.configMaps.state().phase() == Phase.WATCHING);
		assertThat(this.nodes.hasSynced()).isTrue();
	}

	@Test
	void closedWhileThreadsWait_endsTheirWaits() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "nodes", Fault.status(403));
		EventLog<V1ConfigMap> log = new EventLog<>();
		this.configMaps.addHandler(log);
		this.informers.holdHandlers(this.informers.informers());
		this.informers.start();
		CompletableFuture<Boolean> all = inBackground(() -> this.informers.awaitSynced(LONG));
		CompletableFuture<Boolean> closed = inBackground(() -> this.nodes.awaitSynced(LONG));
		CompletableFuture<Boolean> version = inBackground(() -> this.nodes.awaitAtLeast("1", LONG));
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		assertThat(log.events()).isEmpty();
		this.nodes.close();
		assertThat(all.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(closed.get(60, TimeUnit.SECONDS)).isFalse();
		assertThat(version.get(60, TimeUnit.SECONDS)).isFalse();
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a"));
	}

	@Test
	void closedWhileThreadsWaitForHandler_failsTheirWaits() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "nodes", Fault.status(403));
		HandlerRegistration unsynced = this.nodes.addHandler((event) -> {
		}, (options) -> options.name("audit"));
		HandlerRegistration paused = this.configMaps.addHandler((event) -> {
		}, (options) -> options.paused(true));
		this.informers.start();
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		List<CompletableFuture<Boolean>> waiting = List.of(inBackground(() -> unsynced.awaitSynced(FOREVER)),
				inBackground(() -> paused.awaitSynced(FOREVER)));
		this.nodes.close();
		this.informers.close();
		assertThat(waiting).allSatisfy((wait) -> assertThat(wait).failsWithin(60, TimeUnit.SECONDS)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessageContaining("is closed. Create another one."));
		assertThatIllegalStateException().isThrownBy(() -> unsynced.awaitSynced(FOREVER))
			.withMessage("Cannot wait for handler 'audit': informer 'nodes' is closed. Create another one.");
	}

	@Test
	void handlerThatSyncedBeforeTheClose_hasSynced() throws Exception {
		HandlerRegistration handler = this.configMaps.addHandler((event) -> {
		});
		this.informers.start();
		assertThat(handler.awaitSynced(LONG)).isTrue();
		this.informers.close();
		assertThat(handler.awaitSynced(LONG)).isTrue();
	}

	@Test
	void waitForHandlerOfInformerThatWasClosedBeforeItsStart_fails() {
		HandlerRegistration handler = this.nodes.addHandler((event) -> {
		});
		this.nodes.close();
		assertThatIllegalStateException().isThrownBy(() -> handler.awaitSynced(FOREVER))
			.withMessageContaining("informer 'nodes' is closed");
	}

	@Test
	void waitForHandlerOfInformerThatFailsPermanently_fails() throws Exception {
		SharedIndexInformer<V1Pod> invalid = this.informers.informer(V1Pod.class,
				(options) -> options.labelSelector("a=b=c"));
		HandlerRegistration handler = invalid.addHandler((event) -> {
		});
		invalid.start();
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> handler.awaitSynced(FOREVER))
			.withMessageContaining("Informer 'pods' failed permanently");
		HandlerRegistration removed = invalid.addHandler((event) -> {
		});
		removed.remove();
		assertThat(removed.awaitSynced(FOREVER)).isFalse();
	}

	@Test
	void handlersHeldAfterAnInformerFailedOrClosed_areReleased() throws Exception {
		SharedIndexInformer<V1Pod> invalid = this.informers.informer(V1Pod.class,
				(options) -> options.labelSelector("a=b=c"));
		invalid.start();
		await().until(() -> invalid.state().phase() == Phase.FAILED);
		this.nodes.close();
		this.informers.holdHandlers(List.of(invalid, this.nodes, this.configMaps));
		EventLog<V1ConfigMap> log = new EventLog<>();
		this.configMaps.addHandler(log);
		this.configMaps.start();
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a"));
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> this.informers.awaitSynced(LONG))
			.withMessageContaining("'pods'");
		invalid.close();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

	@Test
	void startOfTheFactory_startsTheOthers_andReportsEachFailure() throws Exception {
		SharedIndexInformer<V1Pod> pods = this.informers.informer(V1Pod.class);
		this.connectionFailures.set(2);
		assertThatIllegalStateException().isThrownBy(this.informers::start)
			.withMessage("no connection for the test")
			.satisfies((failure) -> assertThat(failure.getSuppressed()).hasSize(1));
		assertThat(this.nodes.state().phase()).isEqualTo(Phase.NOT_STARTED);
		assertThat(pods.awaitSynced(LONG)).isTrue();
		this.threadsUntilFailure.set(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.informers::start);
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

	@Test
	void informerCreatedByTwoThreads_isShared() throws Exception {
		CountDownLatch inOptions = new CountDownLatch(2);
		List<CompletableFuture<SharedIndexInformer<V1Pod>>> created = List.of(createdInBackground(inOptions),
				createdInBackground(inOptions));
		SharedIndexInformer<V1Pod> one = created.get(0).get(60, TimeUnit.SECONDS);
		assertThat(created.get(1).get(60, TimeUnit.SECONDS)).isSameAs(one);
		assertThat(this.informers.informers()).containsExactly(this.nodes, this.configMaps, one);
	}

	private CompletableFuture<SharedIndexInformer<V1Pod>> createdInBackground(CountDownLatch inOptions) {
		return inBackground(() -> this.informers.informer(V1Pod.class, (options) -> {
			inOptions.countDown();
			try {
				inOptions.await(60, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}));
	}

	@Test
	void informerThatIsBeingCreatedWhenTheFactoryCloses_isRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.informers.informer(V1Pod.class, (options) -> this.informers.close()))
			.withMessageContaining("the factory is closed");
		assertThatIllegalStateException().isThrownBy(this.informers::start);
		assertThatIllegalStateException().isThrownBy(() -> this.informers.discover(V1Pod.class, "pods.v1"))
			.withMessageContaining("the factory is closed");
	}

	@Test
	void waitForInformerThatWasNeverStarted_failsAtOnce() {
		assertThatIllegalStateException().isThrownBy(() -> this.nodes.awaitSynced(LONG))
			.withMessage("Cannot wait for informer 'nodes': it was not started. Start it, its factory or the "
					+ "application first.");
		assertThatIllegalStateException().isThrownBy(() -> this.nodes.awaitAtLeast("1", LONG))
			.withMessageContaining("it was not started");
		assertThatIllegalStateException().isThrownBy(() -> this.informers.awaitSynced(LONG))
			.withMessageContaining("it was not started");
	}

	@Test
	void closedByTwoThreads_whileHandlersAreAdded_leavesNoThread() {
		for (int round = 0; round < 20; round++) {
			SharedIndexInformer<V1Pod> pods = this.informers.informer(V1Pod.class);
			pods.start();
			CompletableFuture<Boolean> adding = inBackground(() -> {
				for (int i = 0; i < 10_000; i++) {
					pods.addHandler((event) -> {
					});
				}
				return true;
			});
			await().until(() -> !pods.handlers().isEmpty());
			CompletableFuture<Boolean> closing = inBackground(() -> {
				pods.close();
				return true;
			});
			pods.close();
			assertThat(closing).succeedsWithin(LONG);
			assertThat(adding).failsWithin(LONG)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(IllegalStateException.class);
			await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).isEmpty());
		}
	}

	private static <V> CompletableFuture<V> inBackground(InterruptibleSupplier<V> action) {
		CompletableFuture<V> result = new CompletableFuture<>();
		new Thread(() -> {
			try {
				result.complete(action.get());
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		}).start();
		return result;
	}

	private interface InterruptibleSupplier<V> {

		V get() throws InterruptedException;

	}

}

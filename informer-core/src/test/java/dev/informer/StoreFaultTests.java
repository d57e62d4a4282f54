/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerState.Phase;
import dev.informer.controller.FakeInformers;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.MappedSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets every call of user code on the thread of the store or of the reflector throw once:
 * the first call in the first run, the second in the second, until a run has fewer calls.
 * Regardless of what throws, each handler receives the sequence of the changes.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(240)
class StoreFaultTests {

	private static final String STORE = "-store";

	private static final String REFLECTOR = "-reflector";

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void batchOfChanges_isDeliveredOnceAndInOrder(int faults) throws Exception {
		run(STORE, faults, 30, (world) -> {
			world.holdStore();
			world.change();
			await().until(() -> world.informer.queueDepth() == 8);
			world.arm();
			world.releaseStore();
			world.settle();
			assertThat(world.story(world.keepAll)).containsExactly("UPDATED ns/a", "UPDATED ns/a", "UPDATED ns/a",
					"DELETED ns/a", "ADDED ns/a", "ADDED ns/c", "DELETED ns/b", "UPDATED ns/a");
			assertThat(world.story(world.coalesce)).containsExactlyInAnyOrder("DELETED ns/a", "ADDED ns/a",
					"ADDED ns/c", "DELETED ns/b");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { STORE, REFLECTOR })
	void list_isDeliveredOnce(String threads) throws Exception {
		run(threads, 1, 8, (world) -> {
			world.informer.stop(Duration.ofSeconds(30));
			world.change();
			world.arm();
			world.informer.start();
			world.settle();
			assertThat(world.story(world.keepAll)).containsExactlyInAnyOrder("DELETED ns/a", "ADDED ns/a", "ADDED ns/c",
					"DELETED ns/b");
		});
	}

	@Test
	void requestedList_isDeliveredOnce() throws Exception {
		run(STORE, 1, 15, (world) -> {
			world.arm();
			world.informer.relist();
			world.change();
			world.settle();
		});
	}

	@Test
	void changesThatTheReflectorCannotRead_areNotLost() throws Exception {
		run(REFLECTOR, 1, 15, (world) -> {
			world.arm();
			world.change();
			world.settle();
		});
	}

	@Test
	void objectWhoseMetadataAHandlerRemoved_doesNotStopTheInformer() {
		FakeSource source = new FakeSource();
		EventLog<V1Pod> log = new EventLog<>();
		try (SharedIndexInformer<V1Pod> informer = FakeInformers.pods(source, InformerOptions.DEFAULT,
				(settings) -> settings.time(FakeTime.autoAdvancingUpTo()))) {
			informer.addHandler((event) -> event.object().setMetadata(null),
					(options) -> options.filter(this::isEmptied));
			informer.addHandler(log, (options) -> options.filter((pod) -> !isEmptied(pod)));
			source.put("emptied");
			source.put("b");
			informer.start();
			await().until(() -> source.openWatches() == 1 && informer.hasSynced()
					&& informer.lister().get("ns", "emptied").filter((pod) -> pod.getMetadata() == null).isPresent());
			source.put("emptied");
			source.put("b");
			informer.relist();
			source.delete("emptied");
			source.put("c");
			await().untilAsserted(() -> assertThat(log.replay()).isEqualTo(source.versions()));
			assertThat(informer.lister().list()).hasSize(2);
		}
	}

	private boolean isEmptied(V1Pod pod) {
		return pod.getMetadata() == null || "emptied".equals(pod.getMetadata().getName());
	}

	private static void run(String threads, int faults, int minimum, Scenario scenario) throws Exception {
		int call = 0;
		boolean occurred = true;
		while (occurred) {
			call++;
			try (World world = new World(threads, call, faults)) {
				scenario.play(world);
				occurred = world.hasFailed();
			}
			catch (AssertionError ex) {
				throw new AssertionError("Call " + call + " of user code has thrown", ex);
			}
		}
		assertThat(call).as("number of calls").isGreaterThan(minimum);
	}

	/**
	 * Changes while something fails.
	 */
	private interface Scenario {

		void play(World world) throws Exception;

	}

	/**
	 * Informer of pods whose metadata, index function and listener fail.
	 */
	private static final class World implements AutoCloseable {

		private final FakeSource source = new FakeSource();

		private final EventLog<V1Pod> keepAll = new EventLog<>();

		private final EventLog<V1Pod> coalesce = new EventLog<>();

		private final String threads;

		private final int first;

		private final int last;

		private final AtomicInteger calls = new AtomicInteger();

		private final CountDownLatch released = new CountDownLatch(1);

		private final CountDownLatch held = new CountDownLatch(1);

		private volatile boolean holding;

		private volatile boolean armed;

		private final SharedIndexInformer<V1Pod> informer;

		private final HandlerRegistration paused;

		World(String threads, int call, int faults) {
			this.threads = threads;
			this.first = call;
			this.last = call + faults - 1;
			this.informer = FakeInformers.pods(
					new MappedSource(this.source,
							(pod, lookup) -> (pod instanceof Brittle) ? pod : new Brittle(pod, this::call)),
					InformerOptions.DEFAULT,
					(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener(this::listen));
			this.informer.addIndex("name", (pod) -> {
				call();
				return "name";
			});
			this.informer.addHandler(this.keepAll, (options) -> options.queue(QueuePolicy.KEEP_ALL));
			this.paused = this.informer.addHandler(this.coalesce, (options) -> options.queue(QueuePolicy.COALESCE));
			this.source.put("a");
			this.source.put("b");
			this.informer.start();
			await().until(() -> this.source.openWatches() == 1 && this.keepAll.events().size() == 2
					&& this.coalesce.events().size() == 2);
			this.keepAll.clear();
			this.coalesce.clear();
			this.paused.pause("the test");
		}

		private void listen(InformerEvent event) {
			call();
			if (this.holding && event instanceof InformerEvent.CacheChanged) {
				this.holding = false;
				this.held.countDown();
				try {
					assertThat(this.released.await(60, TimeUnit.SECONDS)).isTrue();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}

		private void call() {
			if (this.armed && Thread.currentThread().getName().endsWith(this.threads)) {
				int call = this.calls.incrementAndGet();
				if (call >= this.first && call <= this.last) {
					if (call % 2 == 0) {
						throw new StackOverflowError("for the test");
					}
					throw new IllegalStateException("for the test");
				}
			}
		}

		boolean hasFailed() {
			return this.calls.get() >= this.first;
		}

		void arm() {
			this.armed = true;
		}

		void holdStore() throws InterruptedException {
			this.holding = true;
			this.source.put("hold");
			assertThat(this.held.await(60, TimeUnit.SECONDS)).isTrue();
		}

		void releaseStore() {
			this.released.countDown();
		}

		/**
		 * Let objects change, come and go, and one be recreated.
		 */
		void change() {
			this.source.put("a");
			this.source.put("a");
			this.source.put("a");
			this.source.recreate("a");
			this.source.put("c");
			this.source.delete("b");
			this.source.put("a");
		}

		/**
		 * Wait until everything is delivered, and nothing but that.
		 */
		void settle() throws InterruptedException {
			await().untilAsserted(
					() -> assertThat(this.keepAll.replay()).as("call %s: %s", this.first, this.source.requests())
						.isEqualTo(this.source.versions()));
			this.source.put("end");
			await().untilAsserted(
					() -> assertThat(this.keepAll.replay()).as("call %s: %s", this.first, this.source.requests())
						.isEqualTo(this.source.versions()));
			this.paused.resume();
			await().untilAsserted(() -> assertThat(this.coalesce.replay()).isEqualTo(this.source.versions()));
			assertThat(this.keepAll.problems()).isEmpty();
			assertThat(this.coalesce.problems()).isEmpty();
			Lister<V1Pod> lister = this.informer.lister();
			assertThat(lister.list("ns")).hasSize(this.source.versions().size());
			assertThat(lister.list()).hasSize(this.source.versions().size());
			assertThat(this.informer.awaitAtLeast(Long.toString(this.source.version()), Duration.ofSeconds(30)))
				.isTrue();
			await().untilAsserted(() -> {
				assertThat(this.informer.state().phase()).isEqualTo(Phase.WATCHING);
				assertThat(this.informer.state().failure()).isNull();
			});
		}

		List<String> story(EventLog<V1Pod> log) {
			return log.story().stream().filter((event) -> !event.matches(".*/(hold|end)")).toList();
		}

		@Override
		public void close() {
			this.informer.close();
		}

	}

	/**
	 * A pod whose metadata cannot be read now and then.
	 */
	private static final class Brittle extends V1Pod {

		private final Runnable call;

		Brittle(V1Pod pod, Runnable call) {
			this.call = call;
			setMetadata(pod.getMetadata());
			setSpec(pod.getSpec());
		}

		@Override
		public String toString() {
			return "pod";
		}

		@Override
		public V1ObjectMeta getMetadata() {
			this.call.run();
			return super.getMetadata();
		}

	}

}

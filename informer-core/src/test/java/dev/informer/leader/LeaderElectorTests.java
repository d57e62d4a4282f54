/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.InformerFactory;
import dev.informer.Leadership;
import dev.informer.LeadershipListener;
import dev.informer.SharedIndexInformer;
import dev.informer.conformance.Conformance;
import dev.informer.lease.LeaseFailure;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderElector} on the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class LeaderElectorTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final LeaderElector a = elector("a");

	private final LeaderElector b = elector("b");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(LeaderElector.class);

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void close() throws Exception {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
		this.kubernetes.faults().clear();
		this.a.stop(Duration.ZERO);
		this.b.stop(Duration.ZERO);
		this.kubernetes.close();
	}

	@Conformance("format of the Lease; unknown fields are kept")
	@Test
	void lease_isWrittenAsOtherClientsExpect() {
		this.a.start();
		await().until(this.a::isLeader);
		JsonNode spec = lease().get("spec");
		assertThat(spec.get("holderIdentity").asString()).isEqualTo("a");
		assertThat(spec.get("leaseDurationSeconds").asInt()).isEqualTo(15);
		assertThat(spec.get("leaseTransitions").asInt()).isZero();
		assertThat(spec.get("renewTime").asString()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
		assertThat(spec.get("acquireTime").asString()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
		assertThat(this.a.leader()).contains("a");
		assertThat(this.a.fencingToken()).hasValue(0);
		assertThat(this.a.failure()).isEmpty();
	}

	@Conformance("format of the Lease; unknown fields are kept")
	@Test
	void unknownFieldsOfLease_areKept() {
		this.a.start();
		await().until(this.a::isLeader);
		this.kubernetes.mergePatch("leases", "shop", "app",
				Map.of("metadata", Map.of("annotations", Map.of("team", "payments"))));
		String renewed = lease().get("spec").get("renewTime").asString();
		await().until(() -> !lease().get("spec").get("renewTime").asString().equals(renewed));
		assertThat(lease().get("metadata").get("annotations").get("team").asString()).isEqualTo("payments");
		assertThat(this.a.isLeader()).isTrue();
	}

	@Conformance("released only after all work has ended; another process takes over within a second")
	@Test
	void stop_releasesSoThatAnotherTakesOverWithinASecond() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		this.b.start();
		assertThat(this.b.awaitAnswer(LONG)).isTrue();
		assertThat(this.b.isLeader()).isFalse();
		assertThat(this.b.leader()).contains("a");
		this.a.stop(LONG);
		long released = System.nanoTime();
		await().until(this.b::isLeader);
		assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(1));
		assertThat(this.b.fencingToken()).hasValue(1);
		this.a.start();
		assertThat(this.a.awaitAnswer(LONG)).isTrue();
		assertThat(this.a.isLeader()).isFalse();
	}

	@Conformance("released only after all work has ended; another process takes over within a second")
	@Test
	void stopWithRunningWork_doesNotRelease() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		assertThat(this.a.begin()).isTrue();
		this.a.stop(Duration.ofMillis(100));
		assertThat(lease().get("spec").get("holderIdentity").asString()).isEqualTo("a");
		assertThat(this.a.begin()).isFalse();
		this.a.end();
	}

	@Conformance("released only after all work has ended; another process takes over within a second")
	@Test
	void stop_waitsForRunningWorkAndRenewsUntilThen() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		assertThat(this.a.begin()).isTrue();
		Thread stopping = new Thread(() -> {
			try {
				this.a.stop(LONG);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		stopping.start();
		await().until(() -> !this.a.isLeader());
		String renewed = lease().get("spec").get("renewTime").asString();
		await().until(() -> !lease().get("spec").get("renewTime").asString().equals(renewed));
		assertThat(lease().get("spec").get("holderIdentity").asString()).isEqualTo("a");
		this.a.end();
		stopping.join(LONG.toMillis());
		assertThat(lease().get("spec").get("holderIdentity").asString()).isEmpty();
	}

	@Conformance("a term ends at the renew deadline after the last successful renewal was sent")
	@Test
	void renewalsHang_termEndsAtTheDeadlineAndWorkIsInterrupted() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		ConfigMaps maps = new ConfigMaps(this.a);
		try (InformerFactory informers = maps.informers) {
			informers.start();
			assertThat(maps.begun.await(20, TimeUnit.SECONDS)).isTrue();
			long before = System.nanoTime();
			this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
			assertThat(maps.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofSeconds(5),
					Duration.ofSeconds(11));
			assertThat(this.a.isLeader()).isFalse();
			assertThat(maps.events).contains("lost: it could not be renewed within 10000 ms");
			assertThat(this.a.failure()).hasValueSatisfying(
					(failure) -> assertThat(failure.message()).contains("the Lease shop/app", "within 5 s"));
			this.kubernetes.faults().clear();
			await().until(this.a::isLeader);
			assertThat(this.a.fencingToken()).hasValue(1);
		}
	}

	@Conformance("an ignored interrupt is reported")
	@Test
	void ignoredInterrupt_isLoggedOnceAnotherProcessMayLead() throws Exception {
		LeaderElector elector = elector("c", Duration.ofSeconds(3), Duration.ofSeconds(2));
		elector.start();
		try {
			await().until(elector::isLeader);
			assertThat(elector.begin()).isTrue();
			this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
			await().until(() -> lines().contains("ERROR Election 'default': 1 invocations that began as leader ignore "
					+ "their interrupt, while another process may be leader"));
			elector.end();
		}
		finally {
			elector.stop(Duration.ZERO);
		}
		assertThat(lines()).filteredOn((line) -> line.startsWith("ERROR")).hasSize(1);
	}

	@Conformance("an ignored interrupt is reported")
	@Test
	void workThatEndsBeforeTheLeaseExpires_isNotLogged() throws Exception {
		LeaderElector elector = elector("c", Duration.ofSeconds(3), Duration.ofSeconds(1));
		elector.start();
		try {
			await().until(elector::isLeader);
			assertThat(elector.begin()).isTrue();
			this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
			long renewed = System.nanoTime();
			await().until(() -> !elector.isLeader());
			elector.end();
			await().until(() -> System.nanoTime() - renewed > Duration.ofSeconds(4).toNanos());
		}
		finally {
			elector.stop(Duration.ZERO);
		}
		assertThat(lines()).noneMatch((line) -> line.startsWith("ERROR"));
	}

	@Test
	void leaderAgainBeforeTheLeaseExpires_workOfTheNextTermIsNotLogged() throws Exception {
		LeaderElector elector = elector("c", Duration.ofSeconds(5), Duration.ofSeconds(1));
		elector.start();
		try {
			await().until(elector::isLeader);
			assertThat(elector.begin()).isTrue();
			this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.status(500));
			await().until(() -> !elector.isLeader());
			long lost = System.nanoTime();
			this.kubernetes.faults().clear();
			await().until(elector::isLeader);
			assertThat(elector.begin()).isTrue();
			elector.end();
			await().until(() -> System.nanoTime() - lost > Duration.ofSeconds(5).toNanos());
			elector.end();
		}
		finally {
			elector.stop(Duration.ZERO);
		}
		assertThat(lines()).filteredOn((line) -> line.contains("has become leader")).hasSize(2);
		assertThat(lines()).noneMatch((line) -> line.startsWith("ERROR"));
	}

	@Test
	void listenerThatThrows_isLoggedAndOthersAreNotified() {
		CountDownLatch notified = new CountDownLatch(1);
		List<String> threads = new CopyOnWriteArrayList<>();
		this.a.addListener(new LeadershipListener() {

			@Override
			public void acquired(Leadership leadership) {
				throw new IllegalStateException("for the test");
			}

		});
		this.a.addListener(new LeadershipListener() {

			@Override
			public void acquired(Leadership leadership) {
				threads.add(Thread.currentThread().getName());
				notified.countDown();
			}

		});
		this.a.start();
		await().until(() -> notified.getCount() == 0);
		assertThat(this.a.isLeader()).isTrue();
		assertThat(threads).containsExactly("informer-leader-default");
		assertThat(lines()).anyMatch((line) -> line.startsWith("ERROR Election 'default': a listener failed"));
	}

	@Conformance("released only after all work has ended; another process takes over within a second")
	@Test
	void stopThatIsInterrupted_doesNotRelease() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		assertThat(this.a.begin()).isTrue();
		CountDownLatch interrupted = new CountDownLatch(1);
		Thread stopping = new Thread(() -> {
			try {
				this.a.stop(LONG);
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		});
		stopping.start();
		await().until(() -> !this.a.isLeader());
		stopping.interrupt();
		assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
		stopping.join();
		this.a.end();
		assertThat(lease().get("spec").get("holderIdentity").asString()).isEqualTo("a");
	}

	@Conformance("released only after all work has ended; another process takes over within a second")
	@Test
	void workThatBeginsDuringStops_hasEndedWhenTheLeaseIsReleased() throws Exception {
		AtomicInteger working = new AtomicInteger();
		AtomicBoolean done = new AtomicBoolean();
		List<Thread> workers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Thread worker = new Thread(() -> {
				while (!done.get()) {
					if (this.a.begin()) {
						working.incrementAndGet();
						Thread.yield();
						working.decrementAndGet();
						this.a.end();
					}
					else {
						LockSupport.parkNanos(50_000);
					}
				}
			});
			workers.add(worker);
			worker.start();
		}
		try {
			for (int i = 0; i < 10; i++) {
				this.a.start();
				await().until(() -> working.get() > 0);
				this.a.stop(LONG);
				assertThat(working).hasValue(0);
				assertThat(this.a.begin()).isFalse();
				assertThat(lease().get("spec").get("holderIdentity").asString()).isEmpty();
			}
		}
		finally {
			done.set(true);
			for (Thread worker : workers) {
				worker.join();
			}
		}
	}

	@Test
	void startedTwice_takesPartOnce() {
		this.a.start();
		this.a.start();
		await().until(this.a::isLeader);
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.filteredOn("informer-leader-default"::equals)
			.hasSize(1);
	}

	@Test
	void answerThatIsNoLease_isReportedAndRetried() {
		this.kubernetes.faults()
			.next(1, Verb.GET, "leases.coordination.k8s.io", Fault.body("{\"metadata\": \"none\"}"));
		this.a.start();
		await().until(this.a::isLeader);
		assertThat(lines()).anyMatch((line) -> line.startsWith("WARN Election 'default' could not read the Lease "
				+ "shop/app: invalid response, expected a Lease at /apis/coordination.k8s.io/v1/namespaces/shop/leases/app"));
	}

	@Test
	void serverErrors_areSurvivedWithinTheDeadline() {
		this.a.start();
		await().until(this.a::isLeader);
		this.kubernetes.faults().next(2, Verb.UPDATE, "leases.coordination.k8s.io", Fault.status(500));
		await().until(() -> this.a.failure().isPresent());
		await().until(() -> this.a.failure().isEmpty());
		assertThat(this.a.fencingToken()).hasValue(0);
	}

	@Test
	void listenerOfRequests_seesTheirEffect() {
		CompletableFuture<Boolean> leader = new CompletableFuture<>();
		this.a.addListener(new LeadershipListener() {

			@Override
			public void requested(Leadership leadership, Duration duration, boolean success) {
				leader.complete(leadership.isLeader());
			}

		});
		this.a.start();
		assertThat(leader).succeedsWithin(LONG).isEqualTo(true);
	}

	@Conformance("missing permission is reported")
	@Test
	void permissionMissing_isReported() throws Exception {
		this.kubernetes.faults().always(Verb.CREATE, "leases.coordination.k8s.io", Fault.status(403));
		this.a.start();
		assertThat(this.a.awaitAnswer(LONG)).isTrue();
		assertThat(this.a.failure()).hasValueSatisfying((failure) -> {
			assertThat(failure.forbidden()).isTrue();
			assertThat(failure.message()).startsWith("Election 'default' could not acquire the Lease shop/app: 403");
		});
		this.kubernetes.faults().clear();
		await().until(this.a::isLeader);
	}

	@Conformance("missing permission is reported")
	@Test
	void watchForbidden_isReported() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "leases.coordination.k8s.io", Fault.status(403));
		this.a.start();
		assertThat(this.a.awaitAnswer(LONG)).isTrue();
		await().until(() -> this.a.failure().filter(LeaseFailure::forbidden).isPresent());
	}

	private List<String> lines() {
		return List.copyOf(this.log.list)
			.stream()
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.toList();
	}

	private JsonNode lease() {
		return this.kubernetes.get("leases", "shop", "app").orElseThrow();
	}

	private LeaderElector elector(String identity) {
		return elector(identity, Duration.ofSeconds(15), Duration.ofSeconds(10));
	}

	private LeaderElector elector(String identity, Duration leaseDuration, Duration renewDeadline) {
		if (this.kubernetes.get("namespaces", null, "shop").isEmpty()) {
			this.kubernetes.create(TestObjects.namespace("shop"));
		}
		LeaderElectionOptions options = new LeaderElectionOptions("default", "app", "shop", identity, leaseDuration,
				renewDeadline, Duration.ofMillis(200));
		return new LeaderElector(options, () -> new ApiClient().setBasePath(this.kubernetes.url()), Thread::new);
	}

	/**
	 * Informer with a leader-only handler that blocks until it is interrupted.
	 */
	private final class ConfigMaps {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch interrupted = new CountDownLatch(1);

		private final List<String> events = new CopyOnWriteArrayList<>();

		private final InformerFactory informers = InformerFactory
			.create(new ApiClient().setBasePath(LeaderElectorTests.this.kubernetes.url()));

		ConfigMaps(LeaderElector elector) {
			LeaderElectorTests.this.kubernetes.create(TestObjects.configMap("shop", "one"));
			elector.addListener(new LeadershipListener() {

				@Override
				public void lost(Leadership leadership, String reason) {
					ConfigMaps.this.events.add("lost: " + reason);
				}

			});
			SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
			informer.addHandler((event) -> {
				this.begun.countDown();
				try {
					new CountDownLatch(1).await();
				}
				finally {
					this.interrupted.countDown();
				}
			}, (options) -> options.leadership(elector));
		}

	}

}

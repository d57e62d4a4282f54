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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.informer.replicas.ReplicaEvent;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderElector}: its Lease, its release and its requests, on the
 * embedded API server.
 */
class LeaderElectorTests extends AbstractLeaderElectorTests {

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
		assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
		stopping.join();
		this.a.end();
		assertThat(lease().get("spec").get("holderIdentity").asString()).isEqualTo("a");
	}

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
	void listenerOfRequests_seesTheirEffect() {
		CompletableFuture<Boolean> leader = new CompletableFuture<>();
		this.a.addListener((event) -> {
			if (event instanceof ReplicaEvent.Requested) {
				leader.complete(this.a.isLeader());
			}
		});
		this.a.start();
		assertThat(leader).succeedsWithin(LONG).isEqualTo(true);
	}

	private JsonNode lease() {
		return this.kubernetes.get("leases", "shop", "app").orElseThrow();
	}

}

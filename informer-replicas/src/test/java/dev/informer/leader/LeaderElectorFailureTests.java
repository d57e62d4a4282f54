/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.lease.LeaseFailure;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderElector}: failures of requests, work and listeners, on the
 * embedded API server.
 */
class LeaderElectorFailureTests extends AbstractLeaderElectorTests {

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(LeaderElector.class);

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@Test
	void renewalsHang_termEndsAtTheDeadlineAndWorkIsInterrupted() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		ConfigMaps maps = new ConfigMaps(this.a);
		try (InformerFactory informers = maps.informers) {
			informers.start();
			assertThat(maps.begun.await(60, TimeUnit.SECONDS)).isTrue();
			long before = System.nanoTime();
			this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
			assertThat(maps.interrupted.await(60, TimeUnit.SECONDS)).isTrue();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofSeconds(5),
					Duration.ofSeconds(11));
			assertThat(this.a.isLeader()).isFalse();
			assertThat(maps.events).contains("lost: its Lease could not be renewed within 10000 ms");
			assertThat(this.a.failure()).hasValueSatisfying(
					(failure) -> assertThat(failure.message()).contains("the Lease shop/app", "within 5 s"));
			this.kubernetes.faults().clear();
			await().until(this.a::isLeader);
			assertThat(this.a.fencingToken()).hasValue(1);
		}
	}

	@Test
	void holderOfAnotherProcess_isPrintedInOneLineWithoutCredentials() {
		this.a.start();
		await().until(this.a::isLeader);
		List<String> reasons = new CopyOnWriteArrayList<>();
		this.a.addListener((event) -> {
			if (event instanceof LeadershipLost lost) {
				reasons.add(lost.reason());
			}
		});
		this.kubernetes.mergePatch("leases", "shop", "app", Map.of("spec", Map.of("holderIdentity",
				"b\r\nERROR forged\u001b[31m Bearer eyJhbGciOiJSUzI1NiJ9.secret " + "x".repeat(900_000))));
		await().until(() -> lines().stream().anyMatch((line) -> line.contains("is no longer leader")));
		assertThat(reasons).singleElement()
			.asString()
			.startsWith("the Lease is held by b ERROR forged [31m Bearer ***");
		assertThat(this.a.leader()).hasValueSatisfying((leader) -> assertThat(leader).startsWith("b ERROR forged"));
		List<String> texts = new ArrayList<>(lines());
		texts.addAll(reasons);
		texts.add(this.a.leader().orElseThrow());
		assertThat(texts).allSatisfy((text) -> assertThat(text).doesNotContain("eyJ")
			.doesNotContainPattern("\\p{Cntrl}")
			.hasSizeLessThan(2_000));
	}

	@Test
	void longHolderThatBeginsLikeTheIdentity_isAnotherProcess() throws Exception {
		String identity = "x".repeat(500);
		LeaderElector elector = elector(identity, Duration.ofSeconds(15), Duration.ofSeconds(10));
		elector.start();
		try {
			await().until(elector::isLeader);
			assertThat(elector.leader()).contains(identity);
			this.kubernetes.mergePatch("leases", "shop", "app",
					Map.of("spec", Map.of("holderIdentity", identity + "x".repeat(900_000))));
			await().until(() -> !elector.isLeader());
			assertThat(elector.leader()).hasValueSatisfying((leader) -> assertThat(leader).isNotEqualTo(identity));
			assertThat(elector.failure()).isEmpty();
		}
		finally {
			elector.stop(Duration.ZERO);
		}
	}

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
	void stopDuringOutage_endsWhenTheLeaseHasExpired() throws Exception {
		LeaderElector elector = elector("c", Duration.ofSeconds(3), Duration.ofSeconds(2));
		elector.start();
		await().until(elector::isLeader);
		this.kubernetes.faults().always(Verb.GET, "leases.coordination.k8s.io", Fault.hang());
		this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
		elector.stop(Duration.ofMinutes(5));
		assertThat(lines())
			.contains("WARN Election 'default' stopped but could not release the Lease, which expires after 3000 ms");
	}

	@Test
	void stopAfterLongOutage_leavesNothingToRelease() throws Exception {
		LeaderElector elector = elector("c", Duration.ofSeconds(3), Duration.ofSeconds(2));
		elector.start();
		await().until(elector::isLeader);
		this.kubernetes.faults().always(Verb.GET, "leases.coordination.k8s.io", Fault.hang());
		this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
		long failing = System.nanoTime();
		await().until(() -> System.nanoTime() - failing > Duration.ofSeconds(3).toNanos());
		elector.stop(Duration.ofMinutes(5));
		assertThat(lines()).noneMatch((line) -> line.contains("could not release"));
	}

	@Test
	void connectionsOfStandbyFrozen_watchIsReplacedOnceReadsShowRenewals() throws Exception {
		this.a.start();
		await().until(this.a::isLeader);
		try (TcpProxy proxy = new TcpProxy(URI.create(this.kubernetes.url()))) {
			LeaderElector standby = elector("c", Duration.ofSeconds(6), Duration.ofSeconds(4), proxy.url());
			standby.start();
			try {
				assertThat(standby.awaitAnswer(LONG)).isTrue();
				int watches = this.kubernetes.requests(Verb.WATCH, "leases.coordination.k8s.io").size();
				proxy.freeze();
				// an idle watch is taken for silent after 20 s at the earliest
				await().atMost(Duration.ofSeconds(15))
					.until(() -> this.kubernetes.requests(Verb.WATCH, "leases.coordination.k8s.io").size() > watches);
				assertThat(standby.isLeader()).isFalse();
			}
			finally {
				standby.stop(Duration.ZERO);
			}
		}
	}

	@Test
	void listenerThatThrows_isLoggedAndOthersAreNotified() {
		CountDownLatch notified = new CountDownLatch(1);
		List<String> threads = new CopyOnWriteArrayList<>();
		this.a.addListener((event) -> {
			if (event instanceof LeadershipAcquired) {
				throw new IllegalStateException("for the test");
			}
		});
		this.a.addListener((event) -> {
			if (event instanceof LeadershipAcquired) {
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
	void outageThatIsOver_isOverForAStandbyWithTheNextRenewal() {
		renew();
		this.a.start();
		await().until(() -> this.a.leader().isPresent());
		this.kubernetes.faults().always(Verb.GET, "leases.coordination.k8s.io", Fault.status(503));
		await().until(() -> this.a.failure().isPresent());
		// the watch works, and only the watch
		await().until(() -> {
			renew();
			return this.a.failure().isEmpty();
		});
	}

	@Test
	void rightThatWasMissing_isFoundOutByAStandbyThatSeesRenewals() {
		renew();
		this.a.start();
		await().until(() -> this.a.leader().isPresent());
		this.kubernetes.faults().always(Verb.GET, "leases.coordination.k8s.io", Fault.status(403));
		await().until(() -> this.a.failure().isPresent());
		await().during(Duration.ofSeconds(1)).until(() -> {
			renew();
			return this.a.failure().filter(LeaseFailure::forbidden).isPresent();
		});
		this.kubernetes.faults().clear();
		await().until(() -> {
			renew();
			return this.a.failure().isEmpty();
		});
	}

	/**
	 * Write the renewal of another process.
	 */
	private void renew() {
		String time = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
			.withZone(ZoneOffset.UTC)
			.format(Instant.now());
		Map<String, Object> spec = Map.of("holderIdentity", "other", "leaseDurationSeconds", 60, "acquireTime", time,
				"renewTime", time, "leaseTransitions", 0);
		if (this.kubernetes.get("leases", "shop", "app").isPresent()) {
			this.kubernetes.mergePatch("leases", "shop", "app", Map.of("spec", spec));
		}
		else {
			this.kubernetes.create(Map.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease", "metadata",
					Map.of("namespace", "shop", "name", "app"), "spec", spec));
		}
	}

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

	/**
	 * Informer with a leader-only handler that blocks until it is interrupted.
	 */
	private final class ConfigMaps {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch interrupted = new CountDownLatch(1);

		private final List<String> events = new CopyOnWriteArrayList<>();

		private final InformerFactory informers = InformerFactory
			.create(new ApiClient().setBasePath(LeaderElectorFailureTests.this.kubernetes.url()));

		ConfigMaps(LeaderElector elector) {
			LeaderElectorFailureTests.this.kubernetes.create(TestObjects.configMap("shop", "one"));
			elector.addListener((event) -> {
				if (event instanceof LeadershipLost lost) {
					this.events.add("lost: " + lost.reason());
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
			}, (options) -> options.gate(elector.gate()));
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.lease.LeaseFailure;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaListener;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
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
 * Tests for {@link ShardMember} on the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ShardMemberTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ShardMember a = member("a");

	private final ShardMember b = member("b");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ShardMember.class);

	@BeforeEach
	void listen() {
		this.kubernetes.create(TestObjects.namespace("shop"));
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

	@Test
	void lease_showsTheMemberAndItsSlots() throws Exception {
		this.a.start();
		assertThat(this.a.awaitAnswer(LONG)).isTrue();
		await().until(() -> this.a.owned().size() == 16);
		JsonNode lease = lease("a");
		assertThat(lease.get("spec").get("holderIdentity").asString()).isEqualTo("a");
		assertThat(lease.get("spec").get("leaseDurationSeconds").asInt()).isEqualTo(15);
		assertThat(lease.get("metadata").get("labels").get("informer.dev/shard-group").asString()).isEqualTo("shop");
		assertThat(lease.get("metadata").get("annotations").get("informer.dev/slots").asString()).isEqualTo("16:ffff");
		assertThat(this.a.members()).containsExactly("a");
		assertThat(this.a.failure()).isEmpty();
	}

	@Test
	void connectionsFrozen_membersAreSeenOnceRequestsSucceed() throws Exception {
		try (TcpProxy proxy = new TcpProxy(URI.create(this.kubernetes.url()))) {
			ShardMember behind = new ShardMember(options("c", Duration.ofSeconds(6), Duration.ofSeconds(4)),
					() -> new ApiClient().setBasePath(proxy.url()), Thread::new);
			behind.start();
			try {
				await().until(() -> behind.owned().size() == 16);
				proxy.freeze();
				this.a.start();
				// an idle watch is taken for silent after 20 s at the earliest
				await().atMost(Duration.ofSeconds(15)).until(() -> behind.members().contains("a"));
				await().until(() -> this.a.owned().size() + behind.owned().size() == 16);
			}
			finally {
				behind.stop(Duration.ZERO);
			}
		}
	}

	@Test
	void join_movesSlotsOnlyAfterTheirWorkHasEnded() {
		this.a.start();
		await().until(() -> this.a.owned().size() == 16);
		Recorder recorder = new Recorder();
		this.a.addListener(recorder);
		for (int slot = 0; slot < 16; slot++) {
			assertThat(this.a.begin(slot)).isTrue();
		}
		this.b.start();
		await().until(() -> !recorder.events.isEmpty());
		assertThat(recorder.events).singleElement().asString().startsWith("released ");
		assertThat(this.a.owned()).hasSizeLessThan(16);
		assertThat(this.a.members()).containsExactly("a", "b");
		assertThat(this.b.owned()).isEmpty();
		for (int slot = 0; slot < 16; slot++) {
			this.a.end(slot);
		}
		await().until(() -> this.a.owned().size() + this.b.owned().size() == 16);
		Set<Integer> both = new HashSet<>(this.a.owned());
		both.retainAll(this.b.owned());
		assertThat(both).isEmpty();
		int moved = this.b.owned().iterator().next();
		assertThat(this.a.owns(moved)).isFalse();
		assertThat(this.a.begin(moved)).isFalse();
		assertThat(this.b.begin(moved)).isTrue();
		this.b.end(moved);
	}

	@Test
	void stop_handsAllSlotsOver() throws Exception {
		this.a.start();
		this.b.start();
		await().until(() -> this.a.owned().size() + this.b.owned().size() == 16 && !this.b.owned().isEmpty());
		this.b.stop(LONG);
		assertThat(this.b.owned()).isEmpty();
		await().until(() -> this.a.owned().size() == 16);
		await().until(() -> this.a.members().equals(Set.of("a")));
		this.b.start();
		await().until(() -> this.a.owned().size() + this.b.owned().size() == 16 && !this.b.owned().isEmpty());
		// the Lease of a member that has left is not needed
		assertThat(lines()).noneMatch((line) -> line.startsWith("WARN") || line.startsWith("ERROR"));
	}

	@Test
	void stopWithRunningWork_keepsTheLease() throws Exception {
		this.a.start();
		await().until(() -> this.a.owns(3));
		assertThat(this.a.begin(3)).isTrue();
		this.a.stop(Duration.ofMillis(100));
		assertThat(lease("a").get("spec").get("holderIdentity").asString()).isEqualTo("a");
		assertThat(lines()).contains("WARN Sharding 'shop' stopped while 1 invocations on its slots are running; the "
				+ "Lease expires after 15000 ms");
		assertThat(this.a.begin(3)).isFalse();
		this.a.end(3);
	}

	@Test
	void renewalsHang_slotsAreLostAtTheDeadline() throws Exception {
		ShardMember member = member("c", Duration.ofSeconds(3), Duration.ofSeconds(2));
		Recorder recorder = new Recorder();
		member.addListener(recorder);
		member.start();
		try {
			await().until(() -> member.owned().size() == 16);
			assertThat(member.begin(5)).isTrue();
			this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.hang());
			await().until(() -> member.owned().isEmpty());
			await().until(() -> recorder.events.contains("lost 16: its Lease could not be renewed within 2000 ms"));
			assertThat(member.begin(4)).isFalse();
			await().until(() -> lines().contains("ERROR Sharding 'shop': 1 invocations on lost slots ignore their "
					+ "interrupt, while another process may own the slots"));
			await().until(() -> member.failure().isPresent());
			this.kubernetes.faults().clear();
			await().until(() -> member.owned().size() == 15);
			assertThat(member.owns(5)).isFalse();
			member.end(5);
			await().until(() -> member.owned().size() == 16);
		}
		finally {
			member.stop(Duration.ZERO);
		}
	}

	@Test
	void outageThatIsOver_isOverForAMemberWithItsNextRenewal() {
		this.a.start();
		this.b.start();
		await().until(() -> this.a.owned().size() == 8 && this.b.owned().size() == 8);
		this.kubernetes.faults()
			.next(Integer.MAX_VALUE, (request) -> request.path().endsWith("/" + name("a")), Fault.status(503));
		await().until(() -> this.a.failure().isPresent());
		// the renewals of the other do not hide that those of this one fail
		await().during(Duration.ofSeconds(1)).until(() -> this.a.failure().isPresent());
		this.kubernetes.faults().clear();
		await().atMost(Duration.ofSeconds(5)).until(() -> this.a.failure().isEmpty());
	}

	@Test
	void permissionMissing_isReported() throws Exception {
		this.kubernetes.faults().always(Verb.CREATE, "leases.coordination.k8s.io", Fault.status(403));
		this.a.start();
		assertThat(this.a.awaitAnswer(LONG)).isTrue();
		assertThat(this.a.failure()).hasValueSatisfying((failure) -> {
			assertThat(failure.forbidden()).isTrue();
			assertThat(failure.message()).startsWith("Sharding 'shop' could not acquire the Lease shop/" + name("a"));
		});
		this.kubernetes.faults().clear();
		await().until(() -> this.a.owned().size() == 16);
	}

	@Test
	void watchForbidden_isReportedAndNothingIsOwned() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "leases.coordination.k8s.io", Fault.status(403));
		this.a.start();
		assertThat(this.a.awaitAnswer(LONG)).isTrue();
		await().until(() -> this.a.failure().filter(LeaseFailure::forbidden).isPresent());
		assertThat(this.a.owned()).isEmpty();
	}

	@Test
	void listenerOfRequests_seesTheirEffect() {
		CompletableFuture<Set<String>> members = new CompletableFuture<>();
		this.a.addListener((event) -> {
			if (event instanceof ReplicaEvent.Requested) {
				members.complete(this.a.members());
			}
		});
		this.a.start();
		assertThat(members).succeedsWithin(LONG).isEqualTo(Set.of("a"));
	}

	@Test
	void identityInUse_isLogged() throws Exception {
		this.a.start();
		await().until(() -> this.a.owned().size() == 16);
		ShardMember twin = member("a");
		twin.start();
		try {
			await().until(() -> lines().stream()
				.anyMatch((line) -> line
					.startsWith("WARN Sharding 'shop' owns no slots, because a Lease with its identity 'a'")
						&& line.endsWith("give each its own.")));
			assertThat(twin.failure()).isPresent();
			assertThat(twin.owned()).isEmpty();
			assertThat(this.a.owned()).hasSize(16);
		}
		finally {
			twin.stop(Duration.ZERO);
		}
	}

	@Test
	void leaseOfAnotherProcess_isPrintedInOneLineWithoutCredentials() {
		String holder = "b\r\nERROR forged\u001b[31m Bearer eyJhbGciOiJSUzI1NiJ9.secret " + "x".repeat(900_000);
		this.kubernetes.create(forged(name("b"), holder, "16:" + "\n\u001bx".repeat(100_000)));
		this.a.start();
		await().until(() -> this.a.failure().isPresent() && this.a.members().size() == 2);
		List<String> texts = new ArrayList<>(lines());
		texts.add(this.a.failure().orElseThrow().message());
		texts.addAll(this.a.members());
		assertThat(this.a.members()).anyMatch((member) -> member.startsWith("b ERROR forged [31m Bearer ***"));
		assertThat(texts).allSatisfy((text) -> assertThat(text).doesNotContain("eyJ")
			.doesNotContainPattern("\\p{Cntrl}")
			.hasSizeLessThan(2_000));
	}

	@Test
	void claimOfMoreSlotsThanPossible_excludesNoMember() {
		this.kubernetes.create(forged("stranger", "stranger", "1048576:" + "f".repeat(262_144)));
		this.a.start();
		await().until(() -> this.a.owned().size() == 16);
	}

	private static V1Lease forged(String name, String holder, String slots) {
		return new V1Lease().apiVersion("coordination.k8s.io/v1")
			.kind("Lease")
			.metadata(new V1ObjectMeta().namespace("shop")
				.name(name)
				.putLabelsItem("informer.dev/shard-group", "shop")
				.putAnnotationsItem("informer.dev/slots", slots))
			.spec(new V1LeaseSpec().holderIdentity(holder).leaseDurationSeconds(300));
	}

	private List<String> lines() {
		return List.copyOf(this.log.list)
			.stream()
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.toList();
	}

	private JsonNode lease(String identity) {
		return this.kubernetes.get("leases", "shop", name(identity)).orElseThrow();
	}

	private static String name(String identity) {
		return options(identity, Duration.ofSeconds(15), Duration.ofSeconds(10)).location().name();
	}

	private ShardMember member(String identity) {
		return member(identity, Duration.ofSeconds(15), Duration.ofSeconds(10));
	}

	private ShardMember member(String identity, Duration leaseDuration, Duration renewDeadline) {
		return new ShardMember(options(identity, leaseDuration, renewDeadline),
				() -> new ApiClient().setBasePath(this.kubernetes.url()), Thread::new);
	}

	private static ShardingOptions options(String identity, Duration leaseDuration, Duration renewDeadline) {
		return new ShardingOptions("shop", "shop", identity, 16, SlotKey.OBJECT, leaseDuration, renewDeadline,
				Duration.ofMillis(200));
	}

	private static final class Recorder implements ReplicaListener {

		private final List<String> events = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(ReplicaEvent event) {
			if (event instanceof ReplicaEvent.SlotsReleased released) {
				this.events.add("released " + released.slots().size());
			}
			else if (event instanceof ReplicaEvent.SlotsLost lost) {
				this.events.add("lost " + lost.slots().size() + ": " + lost.reason());
			}
		}

	}

}

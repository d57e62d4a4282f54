/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.lease.LeaseFailure;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShardMember}: a member that does not see its own Lease or that others
 * do not see, on the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class MemberVisibilityTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<ShardMember> started = new ArrayList<>();

	MemberVisibilityTests() {
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() throws Exception {
		this.kubernetes.faults().clear();
		for (ShardMember member : this.started) {
			member.stop(Duration.ZERO);
		}
		this.kubernetes.close();
	}

	@Test
	void memberThatCannotListLeases_leavesItsSlotsToOthersUntilItCan() {
		ShardMember a = start("a");
		await().until(() -> a.owned().size() == 16);
		this.kubernetes.faults().next(Integer.MAX_VALUE, (request) -> isReadBy(request, "b"), Fault.status(403));
		ShardMember b = start("b");
		await().until(() -> a.owned().size() < 16);
		await().until(() -> a.owned().size() == 16);
		assertThat(b.owned()).isEmpty();
		assertThat(b.failure()).hasValueSatisfying((failure) -> assertThat(failure.forbidden()).isTrue());
		this.kubernetes.faults().clear();
		await().until(() -> a.owned().size() == 8 && b.owned().size() == 8);
		assertThat(b.failure()).isEmpty();
	}

	@Test
	void memberThatCannotWatchLeasesButListThem_ownsItsSlots() {
		ShardMember a = start("a");
		this.kubernetes.faults()
			.next(Integer.MAX_VALUE, (request) -> request.verb() == Verb.WATCH && isReadBy(request, "b"),
					Fault.status(403));
		ShardMember b = start("b");
		await().until(() -> a.owned().size() == 8 && b.owned().size() == 8);
		assertThat(b.failure()).hasValueSatisfying((failure) -> assertThat(failure.forbidden()).isTrue());
	}

	@Test
	void memberThatCannotWatchLeases_listsThemAsOftenAsItRenews() {
		this.kubernetes.faults()
			.next(Integer.MAX_VALUE, (request) -> request.verb() == Verb.WATCH && isReadBy(request, "b"),
					Fault.status(403));
		ShardMember b = start("b");
		await().until(() -> b.owned().size() == 16);
		long renewals = count(Verb.UPDATE, 0);
		long lists = count(Verb.LIST, 0);
		await().until(() -> count(Verb.UPDATE, renewals) >= 20);
		assertThat(count(Verb.LIST, lists)).isBetween(10L, 21L);
	}

	@Test
	void memberThatCannotWatchLeases_failsSinceTheFirstFailure() {
		this.kubernetes.faults()
			.next(Integer.MAX_VALUE, (request) -> request.verb() == Verb.WATCH && isReadBy(request, "b"),
					Fault.status(403));
		ShardMember b = start("b");
		await().until(() -> b.owned().size() == 16 && b.failure().isPresent());
		LeaseFailure failure = b.failure().orElseThrow();
		long lists = count(Verb.LIST, 0);
		await().until(() -> count(Verb.LIST, lists) >= 3);
		assertThat(b.failure()).map(LeaseFailure::since).hasValue(failure.since());
		assertThat(failure.forbidden()).isTrue();
	}

	@Test
	void memberThatCannotListAgain_isNotMadeToTryWithEachRenewal() {
		AtomicBoolean denied = new AtomicBoolean();
		this.kubernetes.faults()
			.next(Integer.MAX_VALUE,
					(request) -> isReadBy(request, "b") && (request.verb() == Verb.WATCH || denied.get()),
					Fault.status(403));
		ShardMember b = start("b");
		await().until(() -> b.owned().size() == 16);
		denied.set(true);
		long renewals = count(Verb.UPDATE, 0);
		long lists = count(Verb.LIST, 0);
		await().until(() -> count(Verb.UPDATE, renewals) >= 20);
		assertThat(count(Verb.LIST, lists)).isLessThan(10);
	}

	private long count(Verb verb, long before) {
		return this.kubernetes.requests().stream().filter((request) -> request.verb() == verb).count() - before;
	}

	@Test
	void watchThatCannotBeStarted_isStartedAgain() {
		AtomicInteger threads = new AtomicInteger();
		// the two threads of the run come first
		ThreadFactory failing = (action) -> {
			if (threads.incrementAndGet() == 3) {
				throw new NoClassDefFoundError("for the test");
			}
			return new Thread(action);
		};
		ShardMember a = start("a", failing);
		await().until(() -> a.owned().size() == 16);
		assertThat(threads).hasValueGreaterThan(3);
		await().until(() -> a.failure().isEmpty());
	}

	@Test
	void labelRemoved_isWrittenAgainAndNoSlotHasTwoOwners() {
		ShardMember a = start("a");
		ShardMember b = start("b");
		await().until(() -> a.owned().size() == 8 && b.owned().size() == 8);
		for (String identity : List.of("a", "b", "a")) {
			this.kubernetes.mergePatch("leases", "shop", name(identity),
					Map.of("metadata", Collections.singletonMap("labels", null)));
			await().until(() -> lease(identity).path("metadata").path("labels").has("informer.dev/shard-group"));
		}
		awaitLaterRenewal("a");
		awaitLaterRenewal("b");
		assertThat(a.owned()).hasSize(8).doesNotContainAnyElementsOf(b.owned());
		assertThat(b.owned()).hasSize(8);
	}

	@Test
	void annotationRemoved_isWrittenAgainAndNoSlotHasTwoOwners() {
		ShardMember a = start("a");
		ShardMember b = start("b");
		await().until(() -> a.owned().size() == 8 && b.owned().size() == 8);
		List<Integer> acquired = new CopyOnWriteArrayList<>();
		b.addListener((event) -> {
			if (event instanceof ReplicaEvent.SlotsAcquired gained) {
				acquired.addAll(gained.slots());
			}
		});
		for (int i = 0; i < 10; i++) {
			this.kubernetes.mergePatch("leases", "shop", name("a"),
					Map.of("metadata", Collections.singletonMap("annotations", null)));
			await().until(() -> lease("a").path("metadata").path("annotations").has("informer.dev/slots"));
		}
		awaitLaterRenewal("b");
		assertThat(acquired).isEmpty();
		assertThat(a.owned()).hasSize(8);
	}

	private void awaitLaterRenewal(String identity) {
		String renewed = lease(identity).path("spec").path("renewTime").asString();
		await().until(() -> !lease(identity).path("spec").path("renewTime").asString().equals(renewed));
	}

	private JsonNode lease(String identity) {
		return this.kubernetes.get("leases", "shop", name(identity)).orElseThrow();
	}

	private static String name(String identity) {
		return options(identity).location().name();
	}

	private static boolean isReadBy(ReceivedRequest request, String identity) {
		return (request.verb() == Verb.WATCH || request.verb() == Verb.LIST)
				&& request.headers().containsValue("member-" + identity);
	}

	private ShardMember start(String identity) {
		return start(identity, Thread::new);
	}

	private ShardMember start(String identity, ThreadFactory threads) {
		ShardMember member = new ShardMember(options(identity),
				() -> new ApiClient().setBasePath(this.kubernetes.url()).setUserAgent("member-" + identity), threads);
		this.started.add(member);
		member.start();
		return member;
	}

	private static ShardingOptions options(String identity) {
		return new ShardingOptions("shop", "shop", identity, 16, SlotKey.OBJECT, Duration.ofSeconds(3),
				Duration.ofSeconds(2), Duration.ofMillis(200));
	}

}

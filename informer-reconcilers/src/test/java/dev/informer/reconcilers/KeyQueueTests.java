/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.informer.InvocationGate.Access;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.KeyQueue.Place;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyQueue}. Times are in milliseconds; the clock overflows soon after
 * the begin of each test.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class KeyQueueTests {

	private static final long NEVER = -1;

	private final Map<String, Access> gate = new HashMap<>();

	private KeyQueue queue = queue(0);

	private long now = Long.MAX_VALUE - nanos(5);

	/**
	 * Metrics ask for the numbers with the lock of all calls.
	 */
	@Test
	@Timeout(30)
	void numbersOfManyKeys_areNoSearch() {
		int keys = 200_000;
		KeyQueue many = new KeyQueue(0, (key) -> Access.OPEN);
		for (int i = 0; i < keys; i++) {
			many.trigger("key" + i, Trigger.PRIMARY, 0);
			Duration retry = (i % 2 == 0) ? Duration.ofHours(1) : null;
			many.end(Objects.requireNonNull(many.take(0)), CallResult.failed(retry, null, List.of()), 0);
		}
		for (int i = 0; i < 10_000; i++) {
			assertThat(many.counts().failed() + many.counts().retrying()).isEqualTo(keys);
			assertThat(many.failing().limit(100)).hasSize(100).allMatch(Entry::isGivenUp);
			assertThat(many.isIdle()).isFalse();
		}
	}

	@Test
	void deletedKey_isNotTaken() {
		changed("a", "b");
		this.queue.deleted("a", this.now);
		assertThat(takeAll()).containsExactly("b");
		assertThat(this.queue.find("a")).isNull();
	}

	@Test
	void successorOfDeletedKey_isTakenOnce() {
		changed("a");
		this.queue.deleted("a", this.now);
		changed("a");
		assertThat(take()).isEqualTo("a");
		assertThat(take()).isNull();
	}

	@Test
	void deletedKeyWithDelay_isForgotten() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
		this.queue.deleted("a", this.now);
		assertForgotten("a");
		pass(20);
		assertThat(take()).isNull();
	}

	@Test
	void deletedKeyThatIsLimited_isForgottenAfterMinInterval() {
		this.queue = queue(10);
		succeed("a");
		changed("a");
		pass(1);
		this.queue.deleted("a", this.now);
		assertThat(counts().limited()).isZero();
		pass(9);
		assertThat(take()).isNull();
		assertForgotten("a");
	}

	@Test
	void deletedKeyAtClosedGate_isForgotten() {
		this.gate.put("a", Access.CLOSED);
		changed("a");
		this.queue.deleted("a", this.now);
		assertForgotten("a");
	}

	@Test
	void furtherChange_doesNotMoveKeyToTheEnd() {
		changed("a", "b", "a");
		assertThat(takeAll()).containsExactly("a", "b");
	}

	@Test
	void furtherResync_doesNotMoveKeyToTheEnd() {
		trigger(Trigger.RESYNC, "a", "b", "a");
		assertThat(takeAll()).containsExactly("a", "b");
	}

	@Test
	void changeOfGate_keepsOrder() {
		changed("a", "b", "c");
		this.gate.put("b", Access.CLOSED);
		this.queue.gateChanged(this.now);
		this.gate.put("b", Access.OPEN);
		this.queue.gateChanged(this.now);
		assertThat(takeAll()).containsExactly("a", "c", "b");
	}

	@Test
	void keyDeletedDuringCallThatFailsWithoutRetry_isForgotten() {
		changed("a");
		Entry entry = taken();
		this.queue.deleted("a", this.now);
		this.queue.end(entry, CallResult.failed(null, null, List.of()), this.now);
		assertForgotten("a");
	}

	@Test
	void keyDeletedDuringCall_isForgottenAtItsEnd() {
		for (int end = 0; end < 4; end++) {
			changed("a");
			Entry entry = taken();
			changed("a");
			this.queue.deleted("a", this.now);
			end(entry, end);
			assertForgotten("a");
		}
	}

	@Test
	void successorDuringCall_isFollowedByCall() {
		for (int end = 0; end < 4; end++) {
			changed("a");
			Entry entry = taken();
			this.queue.deleted("a", this.now);
			trigger(Trigger.OWNED, "a");
			end(entry, end);
			assertThat(take()).isEqualTo("a");
			this.queue.end(find("a"), CallResult.ENDED, this.now);
			assertForgotten("a");
		}
	}

	private void end(Entry entry, int end) {
		switch (end) {
			case 0 -> this.queue.end(entry, CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
			case 1 -> this.queue.end(entry, CallResult.failed(Duration.ofMillis(20), null, List.of()), this.now);
			case 2 -> this.queue.end(entry, CallResult.repeated(List.of()), this.now);
			default -> this.queue.end(entry, CallResult.ENDED, this.now);
		}
	}

	@Test
	void keyDeletedDuringCallThatWrites_isKeptUntilCachesHaveThem() {
		changed("a");
		Entry entry = taken();
		this.queue.deleted("a", this.now);
		FakeHold write = new FakeHold();
		this.queue.end(entry, CallResult.succeeded(Duration.ofMillis(20), List.of(write)), this.now);
		assertThat(this.queue.isIdle()).isFalse();
		assertThat(counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0, 0));
		changed("a");
		assertThat(take()).isNull();
		assertThat(counts().held()).isOne();
		this.queue.deleted("a", this.now);
		write.reached = true;
		pass(200);
		assertThat(take()).isNull();
		assertForgotten("a");
	}

	@Test
	void keyDeletedDuringLookUp_isForgottenAtItsEnd() {
		changed("a");
		FakeHold write = new FakeHold();
		write.lookUp = this.now;
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(20), List.of(write)), this.now);
		assertThat(this.queue.takeLookUps(this.now)).containsExactly(write);
		this.queue.deleted("a", this.now);
		write.reached = true;
		this.queue.lookedUp(this.now);
		assertForgotten("a");
	}

	@Test
	void retryOfInitialList_comesAfterChanges() {
		trigger(Trigger.INITIAL_LIST, "a", "b");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(1), null, List.of()), this.now);
		pass(1);
		assertThat(take()).isEqualTo("b");
		changed("c");
		assertThat(takeAll()).containsExactly("c", "a");
	}

	@Test
	void resyncBeforeRetryOfChange_comesBeforeInitialList() {
		changed("a");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(1), null, List.of()), this.now);
		trigger(Trigger.INITIAL_LIST, "b");
		trigger(Trigger.RESYNC, "a");
		assertThat(takeAll()).containsExactly("a", "b");
	}

	@Test
	void delayOfKeyThatWaitsForResync_comesBeforeInitialList() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(10), List.of()), this.now);
		trigger(Trigger.INITIAL_LIST, "b", "c");
		trigger(Trigger.RESYNC, "a");
		assertThat(take()).isEqualTo("b");
		pass(10);
		Entry entry = taken();
		assertThat(entry.key).isEqualTo("a");
		assertThat(entry.triggers()).containsExactlyInAnyOrder(Trigger.RESYNC, Trigger.DELAY);
	}

	@Test
	void delayThatEndsWhileKeyWaits_isOverWithItsCall() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(10), List.of()), this.now);
		changed("a");
		pass(10);
		Entry entry = taken();
		assertThat(entry.triggers()).containsExactlyInAnyOrder(Trigger.PRIMARY, Trigger.DELAY);
		this.queue.end(entry, CallResult.failed(Duration.ofMillis(30), null, List.of()), this.now);
		assertThat(take()).isNull();
		assertThat(next()).isEqualTo(30);
	}

	@Test
	void timeOfHold_endsWhenCachesHaveWrites() {
		this.queue = queue(10);
		FakeHold write = new FakeHold();
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(write)), this.now);
		pass(1);
		changed("a");
		pass(2);
		assertThat(take()).isNull();
		write.reached = true;
		pass(4);
		assertThat(take()).isNull();
		pass(3);
		Entry entry = taken();
		assertThat(entry.heldNanos()).isEqualTo(nanos(6));
		changed("a");
		this.queue.end(entry, CallResult.succeeded(null, List.of()), this.now);
		pass(10);
		assertThat(taken().heldNanos()).isZero();
	}

	@Test
	void queueWithoutKeys_hasNothingToDo() {
		assertThat(take()).isNull();
		assertForgotten("a");
		this.queue.deleted("a", this.now);
		assertForgotten("a");
	}

	@Test
	void changes_comeBeforeInitialListAndResync() {
		trigger(Trigger.INITIAL_LIST, "a");
		trigger(Trigger.RESYNC, "b");
		trigger(Trigger.PRIMARY, "c");
		trigger(Trigger.OWNED, "d");
		trigger(Trigger.WATCHED, "e");
		trigger(Trigger.REQUEST, "f");
		assertThat(takeAll()).containsExactly("c", "d", "e", "f", "a", "b");
	}

	@Test
	void eachTenthCall_takesOldestOfInitialList() {
		trigger(Trigger.INITIAL_LIST, "low1", "low2", "low3");
		for (int i = 1; i <= 20; i++) {
			changed("high" + i);
		}
		List<String> taken = takeAll();
		assertThat(taken).hasSize(23);
		assertThat(taken.get(9)).isEqualTo("low1");
		assertThat(taken.get(19)).isEqualTo("low2");
		assertThat(taken.get(22)).isEqualTo("low3");
		taken.removeIf((key) -> key.startsWith("low"));
		assertThat(taken.get(0)).isEqualTo("high1");
		assertThat(taken).containsExactlyElementsOf(taken.stream().sorted((a, b) -> number(a) - number(b)).toList());
	}

	private static int number(String key) {
		return Integer.parseInt(key.substring("high".length()));
	}

	@Test
	void changeOfKeyOfInitialList_comesBeforeInitialList() {
		trigger(Trigger.INITIAL_LIST, "a", "b", "c");
		changed("c");
		assertThat(takeAll()).containsExactly("c", "a", "b");
	}

	@Test
	void changesDuringCall_areFollowedByOneCall() {
		changed("a");
		Entry entry = taken();
		assertThat(entry.triggers()).containsExactly(Trigger.PRIMARY);
		trigger(Trigger.OWNED, "a");
		trigger(Trigger.WATCHED, "a");
		assertThat(take()).isNull();
		assertThat(next()).isEqualTo(NEVER);
		assertThat(entry.triggers()).containsExactly(Trigger.PRIMARY);
		this.queue.end(entry, CallResult.succeeded(null, List.of()), this.now);
		Entry again = taken();
		assertThat(again.triggers()).containsExactlyInAnyOrder(Trigger.OWNED, Trigger.WATCHED);
		this.queue.end(again, CallResult.succeeded(null, List.of()), this.now);
		assertForgotten("a");
	}

	@Test
	void minInterval_isKeptBetweenBegins() {
		this.queue = queue(100);
		changed("a");
		Entry entry = taken();
		pass(30);
		changed("a");
		this.queue.end(entry, CallResult.succeeded(null, List.of()), this.now);
		assertThat(counts().limited()).isOne();
		assertThat(next()).isEqualTo(70);
		changed("b");
		assertThat(take()).isEqualTo("b");
		pass(69);
		assertThat(take()).isNull();
		pass(1);
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void minInterval_holdsForRetryDelayAndPutBack() {
		this.queue = queue(100);
		changed("a", "b", "c");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(5), null, List.of()), this.now);
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(5), List.of()), this.now);
		this.queue.end(taken(), CallResult.repeated(List.of()), this.now);
		pass(99);
		assertThat(take()).isNull();
		pass(1);
		assertThat(takeAll()).containsExactlyInAnyOrder("a", "b", "c");
	}

	@Test
	void keyIsKnownUntilMinIntervalIsOver() {
		this.queue = queue(100);
		succeed("a");
		assertThat(this.queue.isIdle()).isTrue();
		assertThat(counts().limited()).isZero();
		pass(100);
		assertThat(take()).isNull();
		assertForgotten("a");
	}

	@Test
	void endlessMinIntervalAndDelay_doNotOverflow() {
		this.queue = queue(Duration.ofDays(36_525).toMillis());
		succeed("a");
		changed("a");
		assertThat(take()).isNull();
		this.queue = queue(0);
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofDays(36_525), List.of()), this.now);
		assertThat(take()).isNull();
		changed("b");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(1), List.of()), this.now);
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void delay_isFollowedByCall() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
		assertThat(counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 1, 0));
		assertThat(this.queue.isIdle()).isTrue();
		assertThat(next()).isEqualTo(20);
		pass(19);
		assertThat(take()).isNull();
		pass(1);
		Entry entry = taken();
		assertThat(entry.triggers()).containsExactly(Trigger.DELAY);
		this.queue.end(entry, CallResult.succeeded(null, List.of()), this.now);
		assertForgotten("a");
	}

	@Test
	void changeBeforeDelay_neitherCancelsNorReplacesIt() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
		pass(5);
		changed("a");
		Entry entry = taken();
		pass(5);
		this.queue.end(entry, CallResult.failed(Duration.ofMillis(100), null, List.of()), this.now);
		assertThat(next()).isEqualTo(10);
		pass(10);
		assertThat(taken().triggers()).containsExactlyInAnyOrder(Trigger.PRIMARY, Trigger.DELAY);
	}

	@Test
	void success_replacesDelay() {
		changed("a", "b");
		Entry one = taken();
		Entry other = taken();
		this.queue.end(one, CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
		this.queue.end(other, CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
		changed("a", "b");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(30), List.of()), this.now);
		this.queue.end(taken(), CallResult.succeeded(null, List.of()), this.now);
		pass(20);
		assertThat(take()).isNull();
		assertThat(this.queue.find("b")).isNull();
		pass(10);
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void delayOfZero_isFollowedByCallAtOnce() {
		changed("a", "b");
		this.queue.end(taken(), CallResult.succeeded(Duration.ZERO, List.of()), this.now);
		assertThat(takeAll()).containsExactly("b", "a");
	}

	@Test
	void retry_followsFailure_andSuccessResets() {
		changed("a");
		for (int failures = 0; failures < 5; failures++) {
			Entry entry = taken();
			assertThat(entry.failures()).isEqualTo(failures);
			assertThat(entry.triggers()).containsExactly(Trigger.PRIMARY);
			this.queue.end(entry, CallResult.failed(Duration.ofMillis(10), null, List.of()), this.now);
			assertThat(counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 1, 0, 0));
			assertThat(this.queue.isIdle()).isFalse();
			assertThat(next()).isEqualTo(10);
			pass(10);
		}
		this.queue.end(taken(), CallResult.succeeded(null, List.of()), this.now);
		assertForgotten("a");
		changed("a");
		assertThat(taken().failures()).isZero();
	}

	@Test
	void changeBeforeRetry_isFollowedByCall_whichReplacesRetry() {
		changed("a");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(10), null, List.of()), this.now);
		trigger(Trigger.OWNED, "a");
		Entry entry = taken();
		assertThat(entry.failures()).isOne();
		assertThat(entry.triggers()).containsExactlyInAnyOrder(Trigger.PRIMARY, Trigger.OWNED);
		this.queue.end(entry, CallResult.failed(Duration.ofMillis(50), null, List.of()), this.now);
		assertThat(find("a").failures()).isEqualTo(2);
		assertThat(next()).isEqualTo(50);
	}

	@Test
	void retryAndDelay_earlierOneWins() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(20), List.of()), this.now);
		changed("a");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(10), null, List.of()), this.now);
		assertThat(next()).isEqualTo(10);
		pass(10);
		Entry retry = taken();
		this.queue.end(retry, CallResult.failed(Duration.ofMillis(30), null, List.of()), this.now);
		assertThat(next()).isEqualTo(10);
		pass(10);
		assertThat(taken().triggers()).contains(Trigger.DELAY);
	}

	@Test
	void failureWithoutRetry_waitsForNextChange() {
		changed("a");
		this.queue.end(taken(), CallResult.failed(null, null, List.of()), this.now);
		assertThat(next()).isEqualTo(NEVER);
		assertThat(this.queue.isIdle()).isTrue();
		assertThat(counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0, 1));
		assertThat(this.queue.failing()).extracting(Entry::isGivenUp).containsExactly(true);
		trigger(Trigger.OWNED, "a");
		Entry entry = taken();
		assertThat(entry.triggers()).containsExactlyInAnyOrder(Trigger.PRIMARY, Trigger.OWNED);
		assertThat(entry.failures()).isZero();
		this.queue.end(entry, CallResult.failed(Duration.ofMillis(10), null, List.of()), this.now);
		assertThat(counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 1, 0, 0));
		changed("a");
		assertThat(taken().failures()).isOne();
	}

	@Test
	void heldKey_isTakenWhenCachesHaveAllWrites() {
		FakeHold one = new FakeHold();
		FakeHold other = new FakeHold();
		changed("a");
		Entry entry = taken();
		changed("a");
		this.queue.end(entry, CallResult.succeeded(null, List.of(one, other)), this.now);
		assertThat(counts()).isEqualTo(new Counts(0, 0, 1, 0, 0, 0, 0, 0));
		one.reached = true;
		pass(1000);
		assertThat(take()).isNull();
		assertThat(find("a").writes()).hasSize(1);
		other.reached = true;
		pass(200);
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void changeOfHeldKey_looksAtWritesAtOnce() {
		FakeHold write = new FakeHold();
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(write)), this.now);
		write.reached = true;
		changed("a");
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void writes_arePolledLessAndLessOften() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(new FakeHold())), this.now);
		List<Long> polls = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			polls.add(next());
			pass(next());
			assertThat(take()).isNull();
		}
		assertThat(polls).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 200L, 200L);
		assertThat(this.queue.isIdle()).isFalse();
	}

	@Test
	void writesOfFailure_holdRetry() {
		FakeHold write = new FakeHold();
		changed("a");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(10), null, List.of(write)), this.now);
		pass(10);
		assertThat(take()).isNull();
		write.reached = true;
		pass(200);
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void delayThatEndsDuringHold_isFollowedByCall() {
		FakeHold write = new FakeHold();
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(10), List.of(write)), this.now);
		pass(10);
		assertThat(take()).isNull();
		write.reached = true;
		pass(200);
		assertThat(taken().triggers()).containsExactly(Trigger.DELAY);
	}

	@Test
	void lookUp_isTakenForAllKeys_andRepeatedWhenDue() {
		FakeHold first = new FakeHold();
		FakeHold second = new FakeHold();
		first.lookUp = this.now + nanos(30);
		second.lookUp = this.now + nanos(30);
		changed("a", "b");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(first)), this.now);
		this.queue.end(taken(), CallResult.succeeded(null, List.of(second)), this.now);
		changed("a", "c");
		assertThat(this.queue.takeLookUps(this.now)).isEmpty();
		pass(300);
		assertThat(next()).isZero();
		assertThat(this.queue.threadsNeeded()).isEqualTo(2);
		assertThat(this.queue.takeLookUps(this.now)).containsExactlyInAnyOrder(first, second);
		assertThat(counts()).isEqualTo(new Counts(1, 0, 1, 0, 0, 0, 0, 0));
		assertThat(take()).isEqualTo("c");
		pass(300);
		assertThat(this.queue.takeLookUps(this.now)).as("one at a time").isEmpty();
		assertThat(next()).isPositive();
		first.reached = true;
		second.lookUp = this.now + nanos(30);
		this.queue.lookedUp(this.now);
		assertThat(take()).isEqualTo("a");
		assertThat(this.queue.takeLookUps(this.now)).isEmpty();
		pass(400);
		assertThat(this.queue.takeLookUps(this.now)).as("at most two a second").isEmpty();
		assertThat(next()).isPositive();
		pass(100);
		assertThat(this.queue.takeLookUps(this.now)).containsExactly(second);
	}

	@Test
	void closedQueue_takesNoLookUp() {
		FakeHold write = new FakeHold();
		write.lookUp = this.now;
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(write)), this.now);
		this.queue.setClosed(true);
		assertThat(this.queue.takeLookUps(this.now)).isEmpty();
		assertThat(this.queue.threadsNeeded()).isZero();
		this.queue.setClosed(false);
		assertThat(this.queue.takeLookUps(this.now)).containsExactly(write);
	}

	@Test
	void cachesThatReachAWriteDuringItsLookUp_endTheHold() {
		FakeHold write = new FakeHold();
		write.lookUp = this.now;
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(write)), this.now);
		changed("a");
		assertThat(this.queue.takeLookUps(this.now)).containsExactly(write);
		write.reached = true;
		pass(200);
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void holdWithoutAnEvent_triggersItsKey() {
		FakeHold write = new FakeHold();
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(null, List.of(write)), this.now);
		pass(200);
		assertThat(take()).isNull();
		write.ended = true;
		pass(200);
		assertThat(taken().triggers()).containsExactly(Trigger.OWNED);
	}

	@Test
	void closedGate_holdsKeyUntilItOpens() {
		this.gate.put("a", Access.CLOSED);
		changed("a", "b");
		assertThat(takeAll()).containsExactly("b");
		assertThat(counts().gated()).isOne();
		assertThat(this.queue.isIdle()).isFalse();
		this.gate.put("a", Access.OPEN);
		this.queue.gateChanged(this.now);
		assertThat(take()).isEqualTo("a");
	}

	@Test
	void gateThatCloses_holdsWaitingKeys() {
		changed("a");
		trigger(Trigger.RESYNC, "b");
		this.gate.put("a", Access.CLOSED);
		this.gate.put("b", Access.CLOSED);
		this.queue.gateChanged(this.now);
		assertThat(take()).isNull();
		assertThat(next()).isEqualTo(NEVER);
		assertThat(counts().gated()).isEqualTo(2);
	}

	@Test
	void keyThatIsGone_isForgotten_apartFromItsWrites() {
		this.gate.put("a", Access.GONE);
		changed("a");
		assertForgotten("a");
		this.gate.put("a", Access.OPEN);
		changed("a");
		FakeHold write = new FakeHold();
		Entry entry = taken();
		changed("a");
		this.gate.put("a", Access.GONE);
		this.queue.end(entry, CallResult.failed(Duration.ofMillis(10), null, List.of(write)), this.now);
		assertThat(counts().held()).isOne();
		write.reached = true;
		pass(1);
		assertThat(take()).isNull();
		assertForgotten("a");
	}

	@Test
	void waitingKeyThatGoes_isForgotten() {
		changed("a");
		this.gate.put("a", Access.GONE);
		this.queue.gateChanged(this.now);
		assertForgotten("a");
	}

	@Test
	void pausedQueue_hasNothingToDo_andLosesNothing() {
		changed("a");
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(10), List.of()), this.now);
		this.queue.setPaused(true);
		changed("b");
		pass(10);
		assertThat(take()).isNull();
		assertThat(next()).isEqualTo(NEVER);
		assertThat(counts().pending()).isEqualTo(2);
		this.queue.setPaused(false);
		assertThat(next()).isZero();
		assertThat(takeAll()).containsExactly("b", "a");
	}

	@Test
	void putBack_keepsTriggersFailuresAndLevel() {
		changed("a");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(10), null, List.of()), this.now);
		pass(10);
		Entry entry = taken();
		trigger(Trigger.RESYNC, "a", "b");
		FakeHold write = new FakeHold();
		this.queue.end(entry, CallResult.repeated(List.of(write)), this.now);
		write.reached = true;
		pass(1);
		assertThat(take()).isEqualTo("a");
		assertThat(entry.failures()).isOne();
		assertThat(entry.triggers()).containsExactlyInAnyOrder(Trigger.PRIMARY, Trigger.RESYNC);
	}

	@Test
	void ended_forgetsKey_apartFromLaterTriggers() {
		changed("a");
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(10), null, List.of()), this.now);
		pass(10);
		Entry entry = taken();
		trigger(Trigger.OWNED, "a");
		this.queue.end(entry, CallResult.ENDED, this.now);
		assertThat(take()).isEqualTo("a");
		assertThat(entry.failures()).isZero();
		assertThat(entry.triggers()).containsExactly(Trigger.OWNED);
		this.queue.end(entry, CallResult.ENDED, this.now);
		assertForgotten("a");
	}

	@Test
	void forgottenKey_isGarbage() {
		changed("a", "b");
		WeakReference<Entry> called = new WeakReference<>(find("a"));
		WeakReference<Entry> deleted = new WeakReference<>(find("b"));
		this.queue.end(taken(), CallResult.succeeded(null, List.of()), this.now);
		this.queue.deleted("b", this.now);
		await().until(() -> {
			System.gc();
			return called.get() == null && deleted.get() == null;
		});
	}

	@Test
	void counts_areThoseOfEachState() {
		this.queue = queue(10);
		changed("limited", "scheduled", "held", "retrying");
		this.queue.end(taken(), CallResult.succeeded(null, List.of()), this.now);
		this.queue.end(taken(), CallResult.succeeded(Duration.ofMillis(50), List.of()), this.now);
		this.queue.end(taken(), CallResult.succeeded(null, List.of(new FakeHold())), this.now);
		this.queue.end(taken(), CallResult.failed(Duration.ofMillis(50), null, List.of()), this.now);
		changed("active", "pending", "limited", "held");
		this.gate.put("gated", Access.CLOSED);
		changed("gated");
		trigger(Trigger.INITIAL_LIST, "pending2");
		assertThat(take()).isEqualTo("active");
		assertThat(counts()).isEqualTo(new Counts(2, 1, 1, 1, 1, 1, 1, 0));
		assertThat(find("active").place()).isEqualTo(Place.RUNNING);
		assertThat(find("pending").isWaiting()).isTrue();
		assertThat(find("retrying").isRetrying()).isTrue();
		assertThat(find("scheduled").due()).isEqualTo(this.now + nanos(50));
	}

	private KeyQueue queue(long minInterval) {
		return new KeyQueue(nanos(minInterval), (key) -> this.gate.getOrDefault(key, Access.OPEN));
	}

	private static long nanos(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

	private void pass(long millis) {
		this.now += nanos(millis);
	}

	private void changed(String... keys) {
		trigger(Trigger.PRIMARY, keys);
	}

	private void trigger(Trigger trigger, String... keys) {
		for (String key : keys) {
			this.queue.trigger(key, trigger, this.now);
		}
	}

	private void succeed(String key) {
		changed(key);
		this.queue.end(taken(), CallResult.succeeded(null, List.of()), this.now);
	}

	private @Nullable String take() {
		Entry entry = this.queue.take(this.now);
		return (entry != null) ? entry.key : null;
	}

	private Entry taken() {
		return Objects.requireNonNull(this.queue.take(this.now));
	}

	private List<String> takeAll() {
		List<String> keys = new ArrayList<>();
		String key;
		while ((key = take()) != null) {
			keys.add(key);
		}
		return keys;
	}

	private Entry find(String key) {
		return Objects.requireNonNull(this.queue.find(key));
	}

	private Counts counts() {
		return this.queue.counts();
	}

	private long next() {
		long nanos = this.queue.nanosToNext(this.now);
		return (nanos == Long.MAX_VALUE) ? NEVER : Duration.ofNanos(nanos).toMillis();
	}

	private void assertForgotten(String key) {
		assertThat(this.queue.find(key)).isNull();
		assertThat(next()).isEqualTo(NEVER);
		assertThat(this.queue.isIdle()).isTrue();
		assertThat(counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0, 0));
	}

	/**
	 * Write that the caches have when the test says so.
	 */
	private static final class FakeHold implements KeyQueue.Hold {

		private boolean reached;

		private boolean ended;

		private @Nullable Long lookUp;

		@Override
		public Progress progress() {
			if (this.ended) {
				return Progress.ENDED;
			}
			return this.reached ? Progress.REACHED : Progress.WAITING;
		}

		@Override
		public boolean isLookUpDue(long now) {
			return this.lookUp != null && this.lookUp - now <= 0;
		}

	}

}

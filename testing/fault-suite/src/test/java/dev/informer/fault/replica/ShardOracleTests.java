/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.fault.journal.Violation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShardOracle} with journals written by hand.
 */
class ShardOracleTests {

	/** Times below are in milliseconds. */
	private static final long NOW = 100_000;

	@TempDir
	private Path folder;

	private JournaledProcess a;

	private JournaledProcess b;

	@BeforeEach
	void createJournals() throws IOException {
		this.a = new JournaledProcess(this.folder, "a");
		this.b = new JournaledProcess(this.folder, "b");
	}

	@Test
	void invocationsOneAfterAnother_haveNoViolation() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 10, 20);
		invoke(this.b, ReplicaHandler.SLOW, 20, 30);
		invoke(this.a, ReplicaHandler.STUBBORN, 30, 40);
		assertVerdict();
	}

	@Test
	void invocationsOfOneProcess_mayOverlap() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 10, 20);
		invoke(this.a, ReplicaHandler.QUICK, 12, 14);
		assertVerdict();
	}

	@Test
	void invocationOfAnotherProcessBeforeTheEnd_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 10, 20);
		invoke(this.b, ReplicaHandler.SLOW, 19, 30);
		assertVerdict("overlapped another holder");
	}

	@Test
	void invocationWithinALongerOne_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 15, 16);
		invoke(this.b, ReplicaHandler.SLOW, 10, 20);
		assertVerdict("overlapped another holder");
	}

	@Test
	void invocationThatIsStillRunning_overlaps() throws IOException {
		begin(this.a, 10, 10);
		invoke(this.b, ReplicaHandler.QUICK, 30, 31);
		assertVerdict("overlapped another holder");
	}

	@Test
	void killedProcess_endsItsInvocations() throws IOException {
		begin(this.a, 10, 10);
		this.a.log().processEnded(nanos(20));
		invoke(this.b, ReplicaHandler.QUICK, 30, 31);
		assertVerdict();
	}

	@Test
	void handlerThatIgnoresTheInterruptAtTheLoss_isReported() throws IOException {
		invoke(this.a, ReplicaHandler.STUBBORN, 10, 30);
		this.a.own(nanos(5), 1).own(nanos(15));
		invoke(this.b, ReplicaHandler.QUICK, 20, 21);
		assertReports(Verdict.IGNORED_INTERRUPT);
	}

	@Test
	void handlerThatIgnoresInterrupts_whoseSlotMoves_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.STUBBORN, 10, 30);
		this.a.own(nanos(5), 1, 2).own(nanos(15), 2);
		invoke(this.b, ReplicaHandler.QUICK, 20, 21);
		assertVerdict("overlapped another holder");
	}

	@Test
	void suspendedWithinInvocation_isReported() throws IOException {
		begin(this.a, 10, 10);
		suspend(this.a, 15, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 20_000, 20_001);
		this.a.end(true, nanos(40_900));
		assertReports(Verdict.SUSPENDED_WITHIN);
	}

	@Test
	void suspendedWithinInvocation_notInterruptedWithinASecond_isViolation() throws IOException {
		begin(this.a, 10, 10);
		suspend(this.a, 15, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 20_000, 20_001);
		this.a.end(true, nanos(41_001));
		assertVerdict("not interrupted after SIGCONT");
	}

	@Test
	void suspendedBetweenCheckAndFirstStatement_isReported() throws IOException {
		suspend(this.a, 10, 40_000);
		invoke(this.b, ReplicaHandler.SLOW, 39_000, 41_000);
		begin(this.a, 9, 40_001);
		this.a.end(true, nanos(40_002));
		assertReports(Verdict.SUSPENDED_BEFORE);
	}

	@Test
	void checkedAfterItWasResumed_isViolation() throws IOException {
		suspend(this.a, 10, 40_000);
		invoke(this.b, ReplicaHandler.SLOW, 39_000, 41_000);
		begin(this.a, 40_001, 40_001);
		this.a.end(true, nanos(40_002));
		assertVerdict("overlapped another holder");
	}

	@Test
	void objectsOfOtherUids_mayOverlapInAShardedInformer() throws IOException {
		this.a.begin(ReplicaHandler.DIVIDED, "former@5", InvocationEntry.NO_TOKEN, nanos(10), nanos(10))
			.end(true, nanos(20));
		this.b.begin(ReplicaHandler.DIVIDED, "next@6", InvocationEntry.NO_TOKEN, nanos(15), nanos(15))
			.end(true, nanos(30));
		invoke(this.b, ReplicaHandler.QUICK, 16, 17);
		assertVerdict();
	}

	@Test
	void objectOfOneUid_overlapsInAShardedInformer() throws IOException {
		invoke(this.a, ReplicaHandler.DIVIDED, 10, 20);
		invoke(this.b, ReplicaHandler.DIVIDED, 19, 30);
		assertVerdict("overlapped another holder");
	}

	@Test
	void slotThatIsReleasedBefore_hasOneOwner() throws IOException {
		this.a.own(nanos(10), 1, 2).own(nanos(20), 1);
		this.b.own(nanos(15), 3).own(nanos(20), 2, 3);
		assertVerdict();
	}

	@Test
	void slotThatIsReleasedLater_isViolation() throws IOException {
		this.a.own(nanos(10), 1, 2).own(nanos(21), 1);
		this.b.own(nanos(20), 2, 3);
		assertVerdict("slot of two owners");
	}

	@Test
	void slotOfKilledProcess_hasOneOwner() throws IOException {
		this.a.own(nanos(10), 1);
		this.a.log().processEnded(nanos(20));
		this.b.own(nanos(30), 1);
		assertVerdict();
	}

	@Test
	void slotOfSuspendedProcess_isNoViolationIfItIsReleasedWithinASecond() throws IOException {
		this.a.own(nanos(10), 1).own(nanos(40_500));
		suspend(this.a, 20, 40_000);
		this.b.own(nanos(30_000), 1);
		assertVerdict();
	}

	@Test
	void slotOfSuspendedProcess_isViolationIfItIsReleasedLater() throws IOException {
		this.a.own(nanos(10), 1).own(nanos(41_001));
		suspend(this.a, 20, 40_000);
		this.b.own(nanos(30_000), 1);
		assertVerdict("slot of two owners");
	}

	@Test
	void changeThatNoProcessHasHandled_isViolation() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "uid@5", InvocationEntry.NO_TOKEN, 10, 10).end(true, 20);
		this.b.begin(ReplicaHandler.SLOW, "uid@6", InvocationEntry.NO_TOKEN, 30, 30).end(false, 40);
		assertThat(unhandled("uid@5")).isEmpty();
		assertThat(unhandled("uid@6")).extracting(Violation::kind).containsExactly("change not handled");
	}

	@Test
	void changeOfAFormerObjectOfTheSameName_isNotThatOfTheNextOne() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "next@6", InvocationEntry.NO_TOKEN, 10, 10)
			.end(true, 20)
			.beginDeleted(ReplicaHandler.SLOW, "former@5", 30)
			.end(true, 40);
		assertThat(unhandled("next@6")).isEmpty();
		assertThat(unhandled("other@6")).extracting(Violation::kind).containsExactly("change not handled");
	}

	@Test
	void existingObjectDeliveredAsDeleted_isViolation() throws IOException {
		this.a.beginDeleted(ReplicaHandler.DIVIDED, "former@5", 10).end(true, 20);
		assertThat(deletedInError("next@6")).isEmpty();
		assertThat(deletedInError("former@7")).extracting(Violation::kind)
			.containsExactly("existing object delivered as deleted");
	}

	@Test
	void objectBroughtBackByRestore_mayHaveBeenDeliveredAsDeleted() throws IOException {
		this.a.beginDeleted(ReplicaHandler.DIVIDED, "former@5", 10).end(true, 20);
		assertThat(deletedInError("former@4", "former")).isEmpty();
	}

	@Test
	void stateOfTheFutureHandledBeforeRestore_isHandledAgain() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "next@9", InvocationEntry.NO_TOKEN, 10, 10).end(true, 20);
		this.a.log().read();
		this.a.log().rolledBack(8);
		assertThat(unhandled("next@6")).extracting(Violation::kind).containsExactly("change not handled");
	}

	private List<Violation> deletedInError(String state, String... broughtBack) throws IOException {
		return Verdict.deletedInError(logs(), ObjectStates.parse("SECRETS " + JournaledProcess.KEY + " " + state),
				Set.of(broughtBack));
	}

	private List<Violation> unhandled(String state) throws IOException {
		return Verdict.unhandled(logs(), EnumSet.of(ReplicaHandler.SLOW),
				ObjectStates.parse("PODS " + JournaledProcess.KEY + " " + state));
	}

	private void assertVerdict(String... violations) throws IOException {
		Verdict verdict = ShardOracle.judge(logs(), nanos(NOW));
		assertThat(verdict.violations()).extracting(Violation::kind).containsExactly(violations);
		assertThat(verdict.reports()).isEmpty();
	}

	private void assertReports(String... reports) throws IOException {
		Verdict verdict = ShardOracle.judge(logs(), nanos(NOW));
		assertThat(verdict.violations()).isEmpty();
		assertThat(verdict.reports()).extracting(Violation::kind).containsExactly(reports);
	}

	private List<InvocationLog> logs() throws IOException {
		return List.of(this.a.log(), this.b.log());
	}

	private static void invoke(JournaledProcess process, ReplicaHandler handler, long begin, long end) {
		process.invoke(handler, InvocationEntry.NO_TOKEN, nanos(begin), nanos(end));
	}

	private static void begin(JournaledProcess process, long checkedAfter, long begin) {
		process.begin(ReplicaHandler.SLOW, InvocationEntry.NO_TOKEN, nanos(checkedAfter), nanos(begin));
	}

	private static void suspend(JournaledProcess process, long begin, long end) throws IOException {
		process.log().suspended(nanos(begin));
		process.log().resumed(nanos(end));
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.fault.journal.Violation;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderOracle} with journals written by hand.
 */
class LeaderOracleTests {

	/** Times below are in milliseconds. */
	private static final long NOW = 100_000;

	@TempDir
	private Path folder;

	private JournaledProcess a;

	private JournaledProcess b;

	private JournaledProcess c;

	@BeforeEach
	void createJournals() throws IOException {
		this.a = new JournaledProcess(this.folder, "a");
		this.b = new JournaledProcess(this.folder, "b");
		this.c = new JournaledProcess(this.folder, "c");
	}

	@Test
	void invocationsOneAfterAnother_haveNoViolation() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 20);
		invoke(this.a, ReplicaHandler.QUICK, 0, 12, 13);
		invoke(this.b, ReplicaHandler.SLOW, 1, 20, 30);
		invoke(this.a, ReplicaHandler.SLOW, 2, 30, 40);
		invoke(this.c, ReplicaHandler.STUBBORN, 3, 40, 50);
		assertVerdict();
	}

	@Test
	void invocationOfNextHolderBeforeTheEnd_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 20);
		invoke(this.b, ReplicaHandler.SLOW, 1, 19, 30);
		assertVerdict("overlapped another holder");
	}

	@Test
	void invocationOfNextHolderByAnotherHandler_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 20);
		invoke(this.b, ReplicaHandler.STUBBORN, 1, 15, 16);
		assertVerdict("overlapped another holder");
	}

	@Test
	void invocationThatBeginsAfterAnotherHolder_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 0, 10, 11);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20, 21);
		invoke(this.a, ReplicaHandler.QUICK, 0, 22, 23);
		assertVerdict("began after another holder");
	}

	@Test
	void handlerThatIgnoresInterrupts_beginsAfterAnotherHolder_isViolation() throws IOException {
		invoke(this.b, ReplicaHandler.QUICK, 1, 20, 21);
		invoke(this.a, ReplicaHandler.STUBBORN, 0, 20, 23);
		assertVerdict("began after another holder");
	}

	@Test
	void termThatIsRegained_doesNotExcuseTheOverlapWithTheOneBetween() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20, 21);
		end(this.a, 25);
		invoke(this.a, ReplicaHandler.QUICK, 2, 30, 31);
		assertVerdict("overlapped another holder");
	}

	@Test
	void termThatIsRegainedAtOnce_isNoOverlap() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 40);
		invoke(this.a, ReplicaHandler.QUICK, 1, 20, 21);
		invoke(this.b, ReplicaHandler.QUICK, 2, 40, 41);
		assertVerdict();
	}

	@Test
	void tokenOfAnEarlierTermOfItsProcess_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 1, 20, 21);
		invoke(this.a, ReplicaHandler.SLOW_RECONCILER, 0, 22, 23);
		assertVerdict("fencing token went back");
	}

	@Test
	void callOfReconciler_overlapsTheHandlerOfTheNextHolder() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW_RECONCILER, 0, 10, 20);
		invoke(this.b, ReplicaHandler.SLOW, 1, 19, 30);
		assertVerdict("overlapped another holder");
	}

	@Test
	void invocationThatOutlastsALaterTermOfItsProcess_overlapsTheNextHolder() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 40);
		invoke(this.a, ReplicaHandler.QUICK, 1, 20, 21);
		invoke(this.c, ReplicaHandler.QUICK, 2, 30, 31);
		assertVerdict("overlapped another holder");
	}

	@Test
	void termOfTwoHolders_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 4, 10, 11);
		invoke(this.b, ReplicaHandler.QUICK, 4, 20, 21);
		assertVerdict("term of two holders");
	}

	@Test
	void handlerThatIgnoresInterrupts_isReported() throws IOException {
		invoke(this.a, ReplicaHandler.STUBBORN, 0, 10, 30);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20, 21);
		assertReports(Verdict.IGNORED_INTERRUPT);
	}

	@Test
	void suspendedWithinInvocation_isReported() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		suspend(this.a, 15, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20_000, 20_001);
		end(this.a, 40_900);
		assertReports(Verdict.SUSPENDED_WITHIN);
	}

	@Test
	void suspendedWithinInvocation_takenOverAfterItWasResumed_isReported() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		suspend(this.a, 15, 12_000);
		invoke(this.b, ReplicaHandler.QUICK, 1, 12_001, 12_002);
		end(this.a, 12_003);
		assertReports(Verdict.SUSPENDED_WITHIN);
	}

	@Test
	void suspendedWithinInvocation_notInterruptedWithinASecond_isViolation() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		suspend(this.a, 15, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20_000, 20_001);
		end(this.a, 41_001);
		assertVerdict("not interrupted after SIGCONT");
	}

	@Test
	void suspendedAfterAnotherHolderHasBegun_isViolation() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		invoke(this.b, ReplicaHandler.QUICK, 1, 12, 13);
		suspend(this.a, 15, 400);
		end(this.a, 401);
		assertVerdict("overlapped another holder");
	}

	@Test
	void suspensionOutsideTheInvocation_isNoExcuse() throws IOException {
		suspend(this.a, 1, 5);
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 20);
		suspend(this.a, 30, 40);
		invoke(this.b, ReplicaHandler.QUICK, 1, 15, 16);
		assertVerdict("overlapped another holder");
	}

	@Test
	void suspensionOfAnotherProcess_isNoExcuse() throws IOException {
		invoke(this.a, ReplicaHandler.SLOW, 0, 10, 50);
		suspend(this.c, 15, 45);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20, 21);
		assertVerdict("overlapped another holder");
	}

	@Test
	void suspendedBetweenCheckAndFirstStatement_isReported() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 0, 5, 6);
		suspend(this.a, 10, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20_000, 20_001);
		begin(this.a, ReplicaHandler.QUICK, InvocationEntry.NO_TOKEN, 9, 40_001);
		end(this.a, 40_002);
		assertReports(Verdict.SUSPENDED_BEFORE);
	}

	@Test
	void suspendedBetweenCheckAndFirstStatement_notInterruptedWithinASecond_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 0, 5, 6);
		suspend(this.a, 10, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20_000, 20_001);
		begin(this.a, ReplicaHandler.SLOW, InvocationEntry.NO_TOKEN, 9, 40_001);
		end(this.a, 42_000);
		assertVerdict("not interrupted after SIGCONT");
	}

	@Test
	void checkedAfterItWasResumed_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 0, 5, 6);
		suspend(this.a, 10, 40_000);
		invoke(this.b, ReplicaHandler.QUICK, 1, 20_000, 20_001);
		begin(this.a, ReplicaHandler.QUICK, 0, 40_000, 40_001);
		end(this.a, 40_002);
		assertVerdict("began after another holder");
	}

	@Test
	void beginWithoutToken_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, InvocationEntry.NO_TOKEN, 10, 11);
		assertVerdict("began without leadership");
	}

	@Test
	void beginWithoutTokenAfterSigterm_isNone() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 0, 10, 11);
		this.a.log().terminated(nanos(12));
		invoke(this.a, ReplicaHandler.QUICK, InvocationEntry.NO_TOKEN, 13, 14);
		invoke(this.b, ReplicaHandler.QUICK, 1, 15, 16);
		assertVerdict();
	}

	@Test
	void beginWithoutTokenAfterSigterm_afterAnotherHolder_isViolation() throws IOException {
		invoke(this.a, ReplicaHandler.QUICK, 0, 10, 11);
		this.a.log().terminated(nanos(12));
		invoke(this.b, ReplicaHandler.QUICK, 1, 13, 14);
		invoke(this.a, ReplicaHandler.QUICK, InvocationEntry.NO_TOKEN, 15, 16);
		assertVerdict("began after another holder");
	}

	@Test
	void killedProcess_endsItsInvocations() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		this.a.log().processEnded(nanos(20));
		invoke(this.b, ReplicaHandler.QUICK, 1, 30, 31);
		assertVerdict();
	}

	@Test
	void invocationOfNextHolderBeforeTheEndOfTheProcess_isViolation() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		this.a.log().processEnded(nanos(40));
		invoke(this.b, ReplicaHandler.QUICK, 1, 30, 31);
		assertVerdict("overlapped another holder");
	}

	@Test
	void invocationThatIsStillRunning_overlaps() throws IOException {
		begin(this.a, ReplicaHandler.SLOW, 0, 10, 10);
		invoke(this.b, ReplicaHandler.QUICK, 1, 30, 31);
		assertVerdict("overlapped another holder");
	}

	@Test
	void stateHandledByAnyProcess_isHandled() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "uid@5", 0, 10, 10).end(true, 20);
		assertUnhandled("uid@5").isEmpty();
		assertUnhandled("uid@4").isEmpty();
	}

	@Test
	void laterState_isNotHandled() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "uid@5", 0, 10, 10).end(true, 20);
		this.b.begin(ReplicaHandler.SLOW, "uid@3", 1, 30, 30).end(true, 40);
		assertUnhandled("uid@6").extracting(Violation::kind).containsExactly("change not handled");
	}

	@Test
	void interruptedInvocation_hasNotHandledItsState() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "uid@5", 0, 10, 10).end(false, 20);
		assertUnhandled("uid@5").isNotEmpty();
		this.b.begin(ReplicaHandler.SLOW, "uid@5", 1, 30, 30);
		assertUnhandled("uid@5").isNotEmpty();
		this.b.end(true, 31);
		assertUnhandled("uid@5").isEmpty();
	}

	@Test
	void recreatedObject_isNotHandled() throws IOException {
		this.a.begin(ReplicaHandler.SLOW, "uid@9", 0, 10, 10).end(true, 20);
		assertUnhandled("other@5").isNotEmpty();
	}

	@Test
	void stateHandledByAnotherHandler_isNotHandled() throws IOException {
		this.a.begin(ReplicaHandler.QUICK, "uid@5", 0, 10, 10).end(true, 20);
		assertUnhandled("uid@5").isNotEmpty();
	}

	private ListAssert<Violation> assertUnhandled(String state) throws IOException {
		return assertThat(Verdict.unhandled(logs(), EnumSet.of(ReplicaHandler.SLOW),
				ObjectStates.parse("PODS " + JournaledProcess.KEY + " " + state)));
	}

	private void assertVerdict(String... violations) throws IOException {
		Verdict verdict = LeaderOracle.judge(logs(), nanos(NOW));
		assertThat(verdict.violations()).extracting(Violation::kind).containsExactly(violations);
		assertThat(verdict.reports()).isEmpty();
	}

	private void assertReports(String... reports) throws IOException {
		Verdict verdict = LeaderOracle.judge(logs(), nanos(NOW));
		assertThat(verdict.violations()).isEmpty();
		assertThat(verdict.reports()).extracting(Violation::kind).containsExactly(reports);
	}

	private List<InvocationLog> logs() throws IOException {
		return List.of(this.a.log(), this.b.log(), this.c.log());
	}

	private static void invoke(JournaledProcess process, ReplicaHandler handler, int token, long begin, long end) {
		process.invoke(handler, token, nanos(begin), nanos(end));
	}

	private static void begin(JournaledProcess process, ReplicaHandler handler, int token, long checkedAfter,
			long begin) {
		process.begin(handler, token, nanos(checkedAfter), nanos(begin));
	}

	private static void end(JournaledProcess process, long end) {
		process.end(true, nanos(end));
	}

	private static void suspend(JournaledProcess process, long begin, long end) throws IOException {
		process.log().suspended(nanos(begin));
		process.log().resumed(nanos(end));
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}

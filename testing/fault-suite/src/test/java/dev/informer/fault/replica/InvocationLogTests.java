/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.ReplicaHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link InvocationLog}.
 */
class InvocationLogTests {

	@TempDir
	private Path folder;

	@Test
	void lineThatAKilledProcessHasNotCompleted_isIgnored() throws IOException {
		JournaledProcess process = new JournaledProcess(this.folder, "a").invoke(ReplicaHandler.SLOW, 3, 10, 20)
			.begin(ReplicaHandler.SLOW, 3, 30, 31);
		Files.writeString(this.folder.resolve("a.txt"), "END a 2 tr", StandardOpenOption.APPEND);
		InvocationLog log = process.log();
		log.processEnded(50);
		assertThat(log.invocations(100)).extracting(Invocation::end).containsExactly(20L, 50L);
		assertThat(log.isRunning(ReplicaHandler.SLOW)).isTrue();
		assertThat(log.lastEnd()).isEqualTo(50);
	}

	@Test
	void terms_haveTheirFirstBegin() throws IOException {
		InvocationLog log = new JournaledProcess(this.folder, "a").invoke(ReplicaHandler.SLOW, 3, 10, 20)
			.invoke(ReplicaHandler.QUICK, 3, 11, 12)
			.invoke(ReplicaHandler.QUICK, InvocationEntry.NO_TOKEN, 13, 14)
			.invoke(ReplicaHandler.QUICK, 7, 30, 31)
			.log();
		assertThat(log.terms()).hasSize(2).containsEntry(3, 10L).containsEntry(7, 30L);
		assertThat(log.lastToken()).isEqualTo(7);
		assertThat(log.holder()).isEqualTo("a");
		assertThat(log.invocations(100)).extracting(Invocation::token).containsExactly(3, 3, 3, 7);
	}

	@Test
	void endWithoutBegin_isRejected() throws IOException {
		JournaledProcess process = new JournaledProcess(this.folder, "a").end(true, 10);
		assertThatIllegalStateException().isThrownBy(process::log).withMessageContaining("END a 0 true 10");
	}

	@Test
	void resumedWithoutSuspension_isNone() throws IOException {
		InvocationLog log = new JournaledProcess(this.folder, "a").log();
		log.resumed(10);
		assertThat(log.suspensions()).isEmpty();
		log.suspended(20);
		log.resumed(30);
		log.resumed(40);
		assertThat(log.suspensions()).containsExactly(new Suspension(20, 30));
	}

}

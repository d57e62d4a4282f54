/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import dev.informer.fault.journal.Violation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ownership}.
 */
class OwnershipTests {

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
	void eachSlotHasOneOwner_isComplete() throws IOException {
		this.a.own(10, slots(0, 31));
		this.b.own(20, slots(31, 64));
		assertThat(ownership().violations()).isEmpty();
		assertThat(ownership().isComplete(2)).isTrue();
		assertThat(ownership().since()).isEqualTo(20);
	}

	@Test
	void slotWithoutOwner_isViolation() throws IOException {
		this.a.own(10, slots(0, 31));
		this.b.own(20, slots(32, 64));
		assertIncomplete("slots without an owner");
	}

	@Test
	void slotOfTwoOwners_isViolation() throws IOException {
		this.a.own(10, slots(0, 32));
		this.b.own(20, slots(31, 64));
		assertIncomplete("slots with several owners");
	}

	@Test
	void processThatHasEnded_ownsNothing() throws IOException {
		this.a.own(10, slots(0, 32));
		this.b.own(20, slots(32, 64)).log().processEnded(30);
		assertIncomplete("slots without an owner");
	}

	@Test
	void processThatIsSuspended_ownsNothing() throws IOException {
		this.a.own(10, slots(0, 64));
		this.b.own(5, slots(32, 64)).log().suspended(7);
		assertThat(ownership().isComplete(1)).isTrue();
		this.b.log().resumed(20);
		assertIncomplete("slots with several owners");
	}

	@Test
	void memberWithoutItsPart_isNotComplete() throws IOException {
		this.a.own(10, slots(0, 40));
		this.b.own(20, slots(40, 64));
		assertThat(ownership().violations()).isEmpty();
		assertThat(ownership().isComplete(2)).isFalse();
		assertThat(ownership().isComplete(1)).isFalse();
	}

	@Test
	void moved_areTheSlotsWithOtherOwners() throws IOException {
		this.a.own(10, slots(0, 64));
		Ownership before = ownership();
		this.a.own(20, slots(0, 50));
		this.b.own(20, slots(50, 64));
		assertThat(ownership().movedFrom(before)).isEqualTo(14);
	}

	private void assertIncomplete(String kind) throws IOException {
		assertThat(ownership().violations()).extracting(Violation::kind).containsExactly(kind);
		assertThat(ownership().isComplete(2)).isFalse();
	}

	private Ownership ownership() throws IOException {
		return Ownership.of(List.of(this.a.log(), this.b.log()));
	}

	private static Integer[] slots(int from, int to) {
		return IntStream.range(from, to).boxed().toArray(Integer[]::new);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.time.Duration;
import java.util.Set;

import dev.informer.fault.journal.InvocationEntry.Owned;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.replicas.Sharding;
import dev.informer.replicas.ShardingListener;
import org.jspecify.annotations.Nullable;

/**
 * Journal of the slots that a replica owns. A line follows each change and each time at
 * which the replica has joined. The notifications precede the requests that withdraw a
 * claim, so a slot of two lines at a time has two owners.
 */
final class SlotJournal implements ShardingListener {

	private final JournalWriter journal;

	/** Slots of the last line; {@code null} before this replica has joined. */
	private @Nullable Set<Integer> last;

	SlotJournal(JournalWriter journal) {
		this.journal = journal;
	}

	@Override
	public void acquired(Sharding sharding, Set<Integer> slots) {
		write(sharding);
	}

	@Override
	public void released(Sharding sharding, Set<Integer> slots) {
		write(sharding);
	}

	@Override
	public void lost(Sharding sharding, Set<Integer> slots, String reason) {
		write(sharding);
		this.last = null;
	}

	@Override
	public void requested(Sharding sharding, Duration duration, boolean success) {
		if (success) {
			write(sharding);
		}
	}

	private void write(Sharding sharding) {
		Set<Integer> owned = sharding.owned();
		if (!owned.equals(this.last)) {
			this.journal.write(new Owned(sharding.identity(), System.nanoTime(), owned).toLine());
			this.last = owned;
		}
	}

}

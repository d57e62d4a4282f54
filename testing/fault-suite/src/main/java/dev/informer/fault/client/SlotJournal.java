/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.util.Set;

import dev.informer.fault.journal.InvocationEntry.Owned;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import org.jspecify.annotations.Nullable;

/**
 * Journal of the slots that a replica owns. A line follows each change and each time at
 * which the replica has joined. The notifications precede the requests that withdraw a
 * claim, so a slot of two lines at a time has two owners.
 */
final class SlotJournal implements ReplicaListener {

	private final JournalWriter journal;

	/** Slots of the last line; {@code null} before this replica has joined. */
	private @Nullable Set<Integer> last;

	SlotJournal(JournalWriter journal) {
		this.journal = journal;
	}

	@Override
	public void onEvent(ReplicaEvent event) {
		if (event instanceof SlotsAcquired acquired) {
			write(acquired.sharding());
		}
		else if (event instanceof SlotsReleased released) {
			write(released.sharding());
		}
		else if (event instanceof SlotsLost lost) {
			write(lost.sharding());
			this.last = null;
		}
		else if (event instanceof Requested requested && requested.success()
				&& requested.coordination() instanceof Sharding sharding) {
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

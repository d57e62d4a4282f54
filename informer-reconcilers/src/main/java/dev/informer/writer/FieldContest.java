/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Set;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Applies of the same fields to one object, each of which has changed it: another manager
 * changes them in between. The server notes the time of such a change, with a precision
 * of a second, and none for an apply that changes nothing.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 */
final class FieldContest {

	private static final int MIN_ROUNDS = 5;

	/** A longer time between two changes is no contest. */
	private static final long MAX_GAP = TimeSource.nanos(Duration.ofMinutes(10));

	/** Time after which a change has another time. */
	private static final long PRECISION = TimeSource.nanos(Duration.ofSeconds(2));

	private static final int MAX_REPORTED = 8;

	private final Set<String> reported = new HashSet<>();

	private @Nullable OffsetDateTime time;

	private long last;

	private int rounds;

	/**
	 * Note the managers after an apply.
	 * @return the round; {@code null} if the apply is not known to have changed anything
	 */
	@Nullable Round applied(FieldManagers managers, long now) {
		OffsetDateTime before = this.time;
		OffsetDateTime changed = managers.ownTime();
		long gap = now - this.last;
		boolean effective = before != null && changed != null && !changed.isEqual(before);
		if (effective || before == null || gap >= PRECISION) {
			this.last = now;
		}
		this.time = changed;
		if (!effective) {
			this.rounds = (gap >= PRECISION) ? 0 : this.rounds;
			return null;
		}
		this.rounds = (gap > MAX_GAP) ? 1 : this.rounds + 1;
		String other = managers.other();
		boolean news = this.rounds >= MIN_ROUNDS && this.reported.size() < MAX_REPORTED && this.reported.add(other);
		return new Round(this.rounds, other, news);
	}

	/**
	 * Change of the same fields.
	 *
	 * @param number the number of such changes in a row
	 * @param other the other manager; empty if it is not known
	 * @param news whether it is to be reported: once per object and other manager
	 */
	record Round(int number, String other, boolean news) {
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.time.Instant;

/**
 * Point in time: the wall-clock time to show it, and the monotonic time to measure from
 * it. The wall clock may be set at any time, forward or back, so a difference of two of
 * its times is no duration.
 * <p>
 * Moments of one {@link TimeSource} are comparable, also when the clock was set between
 * them.
 * <p>
 * <b>Suspended machines.</b> On Linux and macOS the monotonic time stands still while a
 * laptop or a virtual machine is suspended. An {@linkplain #age age} contains only the
 * time in which this process could have received something: an informer is not reported
 * as failing because its machine was suspended. Its connections are found dead after the
 * resume, like those of a server that no longer answers.
 *
 * @param time the wall-clock time, to be shown only
 * @param nanoTime the {@link TimeSource#nanoTime()} of the same moment
 */
public record Moment(Instant time, long nanoTime) implements Comparable<Moment> {

	/**
	 * Return the time since this moment.
	 * @param source the time source that this moment comes from
	 * @return the time; negative if this moment is yet to come
	 */
	public Duration age(TimeSource source) {
		return Duration.ofNanos(source.nanoTime() - this.nanoTime);
	}

	/**
	 * Return an earlier moment.
	 * @param duration the difference
	 * @return the earlier moment
	 */
	public Moment minus(Duration duration) {
		long nanos = TimeSource.nanos(duration);
		return new Moment(this.time.minusNanos(nanos), this.nanoTime - nanos);
	}

	/**
	 * Compare the monotonic times.
	 * @param other a moment of the same time source
	 */
	@Override
	public int compareTo(Moment other) {
		// Monotonic times may overflow: only their difference has a meaning.
		int order = Long.signum(this.nanoTime - other.nanoTime);
		return (order != 0) ? order : this.time.compareTo(other.time);
	}

}

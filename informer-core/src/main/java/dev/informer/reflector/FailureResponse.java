/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerState.Phase;
import dev.informer.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What is done about failures: reports them, waits, and says whether the state has to be
 * listed again after that or whether there is no use in going on. Belongs to the thread
 * of its reflector.
 */
final class FailureResponse {

	private static final int VERY_SHORT_IN_ROW = 3;

	private static final int MALFORMED_IN_ROW = 2;

	/** How often the state is listed while only watching is denied. */
	private static final long WATCH_DENIED_RELIST_NANOS = Duration.ofMinutes(5).toNanos();

	private final ReflectorSettings settings;

	private final ReflectorStatus status;

	private final Pause pause;

	private final TimeSource time;

	private final Backoff backoff;

	private int veryShortInRow;

	private int malformedInRow;

	private long lastList;

	private boolean givenUp;

	FailureResponse(ReflectorSettings settings, ReflectorStatus status, Pause pause, TimeSource time) {
		this.settings = settings;
		this.status = status;
		this.pause = pause;
		this.time = time;
		this.backoff = new Backoff(settings.options().backoff(), time, () -> ThreadLocalRandom.current().nextDouble());
	}

	/**
	 * Whether there is no use in asking again.
	 */
	boolean isGivenUp() {
		return this.givenUp;
	}

	/**
	 * Forgets that it was given up, for another run.
	 */
	void reset() {
		this.givenUp = false;
	}

	/**
	 * Whether the last watches were open as well and of no use all the same.
	 */
	boolean isWatchDoubtful() {
		return this.veryShortInRow > 0 || this.malformedInRow > 0;
	}

	/**
	 * Notes that the state was listed.
	 */
	void listed() {
		this.lastList = this.time.nanoTime();
		this.malformedInRow = 0;
	}

	/**
	 * Notes that a watch has brought a new version.
	 */
	void progressed() {
		this.malformedInRow = 0;
	}

	/**
	 * Notes that a watch was of use.
	 */
	void watchProven() {
		this.veryShortInRow = 0;
	}

	/**
	 * Reacts to a watch that ended at once.
	 * @return why to list again; {@code null} for watching again
	 */
	@Nullable RelistReason afterVeryShortWatch(@Nullable Throwable failure) {
		this.veryShortInRow++;
		backOff(FailureClassification.ofVeryShortWatch(failure, this.settings), Phase.BACKING_OFF);
		if (this.veryShortInRow < VERY_SHORT_IN_ROW) {
			return null;
		}
		this.veryShortInRow = 0;
		return RelistReason.UNUSABLE_WATCH;
	}

	/**
	 * Reacts to a failed list, which is asked for again in any case.
	 */
	void afterFailedList(Throwable failure) {
		respond(FailureClassification.of(failure, "list", this.settings));
	}

	/**
	 * Reacts to a failed watch.
	 * @return why to list again; {@code null} for watching again
	 */
	@Nullable RelistReason afterFailedWatch(Throwable failure) {
		return afterFailed(failure, "watch");
	}

	/**
	 * Reacts to a failed look at the server's version before a watch.
	 * @return why to list again; {@code null} for looking again
	 */
	@Nullable RelistReason afterFailedLook(Throwable failure) {
		return afterFailed(failure, "list");
	}

	private @Nullable RelistReason afterFailed(Throwable failure, String verb) {
		FailureClassification analysis = FailureClassification.of(failure, verb, this.settings);
		respond(analysis);
		return switch (analysis.kind()) {
			case EXPIRED -> RelistReason.EXPIRED;
			case NOT_FOUND -> RelistReason.RECOVERED;
			case OTHER -> RelistReason.FAILURE;
			case MALFORMED_RESPONSE -> (this.malformedInRow >= MALFORMED_IN_ROW) ? RelistReason.UNUSABLE_WATCH : null;
			case FORBIDDEN ->
				(this.time.nanoTime() - this.lastList >= WATCH_DENIED_RELIST_NANOS) ? RelistReason.WATCH_DENIED : null;
			default -> null;
		};
	}

	private void respond(FailureClassification analysis) {
		switch (analysis.kind()) {
			case INVALID -> {
				this.givenUp = true;
				this.status.failed(analysis, Phase.FAILED, Duration.ZERO);
			}
			case NOT_FOUND -> backOff(analysis, Phase.DORMANT);
			case MALFORMED_RESPONSE -> {
				this.malformedInRow++;
				backOff(analysis, Phase.BACKING_OFF);
			}
			default -> backOff(analysis, Phase.BACKING_OFF);
		}
	}

	private void backOff(FailureClassification analysis, Phase phase) {
		Duration delay = this.backoff.next(analysis.cap());
		if (delay.compareTo(analysis.atLeast()) < 0) {
			delay = analysis.atLeast();
		}
		this.status.failed(analysis, phase, delay);
		this.pause.await(delay);
	}

}

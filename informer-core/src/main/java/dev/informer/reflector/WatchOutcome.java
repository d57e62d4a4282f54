/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;

import dev.informer.InformerEvent.WatchEnd;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatusException;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a watch.
 */
sealed interface WatchOutcome extends AttemptOutcome {

	/**
	 * Classify the end of a watch.
	 * @param progress the progress that the watch made
	 * @param failure the failure that ended it; {@code null} if the server closed it
	 */
	static WatchOutcome of(Progress progress, @Nullable Throwable failure) {
		if (failure instanceof ServerStatusException refusal) {
			return refusal.status().isExpired() ? new Expired(progress, refusal) : new Refused(progress, refusal);
		}
		if (failure instanceof MalformedResponseException malformed) {
			return new Malformed(progress, malformed);
		}
		if (failure instanceof IOException broken) {
			if (!progress.opened()) {
				return new Unreachable(progress, broken);
			}
			return progress.proven() ? new Broken(progress, broken) : new VeryShort(progress, broken);
		}
		if (failure != null) {
			return new Failed(progress, failure);
		}
		return progress.proven() ? new Closed(progress) : new VeryShort(progress, null);
	}

	/**
	 * Return the progress that the watch made.
	 */
	Progress progress();

	/**
	 * Return the failure that ended the watch.
	 * @return the failure; {@code null} without one
	 */
	default @Nullable Throwable cause() {
		return null;
	}

	/**
	 * Return the end of the watch as listeners know it.
	 */
	WatchEnd end();

	/**
	 * Progress of a watch.
	 *
	 * @param opened whether the response headers of the server arrived
	 * @param received whether an event or a bookmark arrived
	 * @param advanced whether the resource version changed
	 * @param open the time for which the watch was open
	 * @param resumable whether another watch can continue from the current version
	 * @param verified whether the last changes came again, if that was required
	 * @param onTime whether the watch was open for the requested time
	 */
	record Progress(boolean opened, boolean received, boolean advanced, Duration open, boolean resumable,
			boolean verified, boolean onTime) {

		/** No watch was opened. */
		static final Progress NONE = new Progress(false, false, false, Duration.ZERO, true, false, false);

		/** Time after which an open watch is known to work, even if it is quiet. */
		static final Duration PROOF = Duration.ofSeconds(1);

		/** Time after which failures before an open watch no longer count. */
		private static final Duration LASTING = Duration.ofSeconds(5);

		/**
		 * Return whether the watch was a working one: its version changed, or it was open
		 * for a second.
		 */
		boolean proven() {
			return this.advanced || this.open.compareTo(PROOF) >= 0;
		}

		/**
		 * Return whether the informer followed the server: an event arrived, or the watch
		 * was open for a second.
		 */
		boolean following() {
			return this.received || this.open.compareTo(PROOF) >= 0;
		}

		/**
		 * Return whether earlier failures no longer count.
		 */
		boolean steady() {
			return (proven() && this.received) || lasting();
		}

		boolean lasting() {
			return this.open.compareTo(LASTING) >= 0;
		}

	}

	/** The server closed the watch, as it does after the requested time. */
	record Closed(Progress progress) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.CLOSED;
		}

	}

	/** The connection of a working watch broke. */
	record Broken(Progress progress, IOException cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.BROKEN;
		}

	}

	/** The watch ended within a second without a new version. */
	record VeryShort(Progress progress, @Nullable IOException cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.VERY_SHORT;
		}

	}

	/** The watch could not be opened because the server is unreachable. */
	record Unreachable(Progress progress, IOException cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.UNREACHABLE;
		}

	}

	/** The server no longer has the version that the watch started from (410). */
	record Expired(Progress progress, ServerStatusException cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.EXPIRED;
		}

	}

	/** The server refused the watch, or ended it by an ERROR event. */
	record Refused(Progress progress, ServerStatusException cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.REFUSED;
		}

	}

	/** The response is not a stream of watch events. */
	record Malformed(Progress progress, MalformedResponseException cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.REFUSED;
		}

	}

	/**
	 * Opening the watch or handing over an event threw an unexpected exception or error.
	 */
	record Failed(Progress progress, Throwable cause) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.REFUSED;
		}

	}

	/**
	 * It could not be verified that the server has the changes that an earlier watch
	 * reported.
	 */
	record Unverified(Progress progress) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.CLOSED;
		}

	}

	/** The events show that the server was rolled back. */
	record RolledBack(Progress progress) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.CLOSED;
		}

	}

	/** A stop or a requested relist ended the watch. */
	record Cancelled(Progress progress) implements WatchOutcome {

		@Override
		public WatchEnd end() {
			return WatchEnd.STOPPED;
		}

	}

}

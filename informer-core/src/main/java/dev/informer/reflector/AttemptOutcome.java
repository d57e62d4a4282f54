/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchStream;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of one attempt of a {@link Reflector}: a list, a check for a rollback, or a
 * watch.
 *
 * @param listed the list; {@code null} if none is complete
 * @param progress the progress of a watch; {@code null} if the attempt was no watch
 */
record AttemptOutcome<T>(Result result, @Nullable Throwable cause, @Nullable Listed<T> listed,
		@Nullable Progress progress) {

	static <T> AttemptOutcome<T> of(Result result) {
		return new AttemptOutcome<>(result, null, null, null);
	}

	static <T> AttemptOutcome<T> of(Result result, Throwable cause) {
		return new AttemptOutcome<>(result, cause, null, null);
	}

	static <T> AttemptOutcome<T> of(Listed<T> listed) {
		return new AttemptOutcome<>(Result.LISTED, null, listed, null);
	}

	static <T> AttemptOutcome<T> of(Result result, Progress progress) {
		return new AttemptOutcome<>(result, null, null, progress);
	}

	/**
	 * Classify the end of a watch by the failure that ended it, if any.
	 */
	static <T> AttemptOutcome<T> of(Progress progress, @Nullable Throwable failure) {
		return new AttemptOutcome<>(result(progress, failure), failure, null, progress);
	}

	private static Result result(Progress progress, @Nullable Throwable failure) {
		if (failure instanceof ServerStatusException refusal) {
			return refusal.status().isExpired() ? Result.EXPIRED : Result.REFUSED;
		}
		if (failure instanceof MalformedResponseException) {
			return Result.MALFORMED;
		}
		if (failure != null && !(failure instanceof IOException)) {
			return Result.FAILED;
		}
		if (failure != null && !progress.opened()) {
			return Result.UNREACHABLE;
		}
		if (!progress.proven()) {
			return Result.VERY_SHORT;
		}
		return (failure != null) ? Result.BROKEN : Result.CLOSED;
	}

	/**
	 * Result of an attempt.
	 */
	enum Result {

		/** A stop, a requested relist or another selection ended the attempt. */
		CANCELLED,

		/** The list is complete. */
		LISTED,

		/**
		 * A continuation page could not be read for a temporary reason. The list can be
		 * resumed with the same token.
		 */
		LIST_INTERRUPTED,

		/** The streaming list failed before the response headers of the server. */
		STREAM_NOT_OPENED,

		/** The streaming list failed later. */
		STREAM_FAILED,

		/** The list by pages failed before a page was read. */
		FIRST_PAGE_FAILED,

		/** The list by pages failed later, or its result could not be handed over. */
		LIST_FAILED,

		/** The request of a check failed. */
		CHECK_FAILED,

		/** The server has reached the last version. */
		UNCHANGED,

		/**
		 * The server has not reached the last version, or has other objects; or the
		 * events of a watch show it.
		 */
		ROLLED_BACK,

		/**
		 * The cache is not at the last version yet, so there is nothing to compare with.
		 */
		NOT_COMPARABLE,

		/** The server closed the watch, as it does after the requested time. */
		CLOSED,

		/** The connection of a working watch broke. */
		BROKEN,

		/** The watch ended within a second without a new version. */
		VERY_SHORT,

		/** The watch could not be opened because the server is unreachable. */
		UNREACHABLE,

		/** The server no longer has the version that the watch started from (410). */
		EXPIRED,

		/** The server refused the watch, or ended it by an ERROR event. */
		REFUSED,

		/** The response is not a stream of watch events. */
		MALFORMED,

		/**
		 * Opening the watch or handing over an event threw an unexpected exception or
		 * error.
		 */
		FAILED,

		/**
		 * It could not be verified that the server has the changes that an earlier watch
		 * reported.
		 */
		UNVERIFIED

	}

	/**
	 * Complete list.
	 *
	 * @param deleted the keys that a streaming list reported as deleted. These are
	 * certain even if an undecodable object has no name, in which case a missing key
	 * proves nothing
	 * @param stream the stream that continues a streaming list as a watch; {@code null}
	 * after a list by pages
	 * @param remaining the time after which the server ends the stream
	 */
	record Listed<T>(List<T> objects, List<UndecodableObject> undecodable, Set<String> deleted, String resourceVersion,
			@Nullable WatchStream<T> stream, Duration remaining) {

		/**
		 * Return what is left once the objects have been handed over.
		 */
		Listed<T> withoutObjects() {
			return new Listed<>(List.of(), List.of(), Set.of(), this.resourceVersion, this.stream, this.remaining);
		}

	}

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

}

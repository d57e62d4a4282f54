/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchStream;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a list.
 *
 * @param <T> the type of the objects
 */
sealed interface ListOutcome<T> extends AttemptOutcome {

	/**
	 * The list is complete.
	 *
	 * @param <T> the type of the objects
	 * @param objects the decoded objects
	 * @param undecodable the objects that exist but could not be decoded
	 * @param deleted the keys that a streaming list reported as deleted. These are
	 * certain even if an undecodable object has no name, in which case a missing key
	 * proves nothing
	 * @param resourceVersion the version of the list
	 * @param stream the stream that continues a streaming list as a watch; {@code null}
	 * after a list by pages
	 * @param remaining the time after which the server ends the stream
	 */
	record Listed<T>(List<T> objects, List<UndecodableObject> undecodable, Set<String> deleted, String resourceVersion,
			@Nullable WatchStream<T> stream, Duration remaining) implements ListOutcome<T> {

		/**
		 * Return what is left once the objects have been handed over.
		 */
		Listed<T> withoutObjects() {
			return new Listed<>(List.of(), List.of(), Set.of(), this.resourceVersion, this.stream, this.remaining);
		}

	}

	/**
	 * A continuation page could not be read for a temporary reason. The list can be
	 * resumed with the same token.
	 */
	record Interrupted<T>(IOException cause) implements ListOutcome<T> {
	}

	/**
	 * The streaming list failed.
	 *
	 * @param opened whether the response headers of the server arrived
	 */
	record StreamFailed<T>(Throwable cause, boolean opened) implements ListOutcome<T> {
	}

	/**
	 * The list by pages failed, or its result could not be handed over.
	 *
	 * @param onFirstPage whether no page was read
	 */
	record Failed<T>(Throwable cause, boolean onFirstPage) implements ListOutcome<T> {
	}

	/** A stop or a requested relist ended the list. */
	record Cancelled<T>() implements ListOutcome<T> {
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Hears what happens inside informers, for metrics and for the like. Called on the
 * threads that do the work, so it must be quick; what it throws is logged and ignored.
 * The namespace is the one that a part of the informer looks at, empty for all.
 */
public interface InformerListener {

	/**
	 * The state for a namespace has changed.
	 * @param informer the informer
	 * @param namespace the namespace
	 * @param state the new state
	 */
	default void stateChanged(SharedIndexInformer<?> informer, String namespace, InformerState state) {
	}

	/**
	 * A list has been read, or has failed.
	 * @param informer the informer
	 * @param namespace the namespace
	 * @param mode how it was read
	 * @param time how long it took, all pages together
	 * @param success whether it is complete
	 */
	default void listed(SharedIndexInformer<?> informer, String namespace, ListMode mode, Duration time,
			boolean success) {
	}

	/**
	 * A watch has ended, or could not be opened.
	 * @param informer the informer
	 * @param namespace the namespace
	 * @param reason why
	 */
	default void watchEnded(SharedIndexInformer<?> informer, String namespace, WatchEnd reason) {
	}

	/**
	 * The state of the server is about to be listed again.
	 * @param informer the informer
	 * @param namespace the namespace
	 * @param reason why
	 */
	default void relisting(SharedIndexInformer<?> informer, String namespace, RelistReason reason) {
	}

	/**
	 * Something went wrong.
	 * @param informer the informer
	 * @param namespace the namespace; {@code null} when it has nothing to do with one
	 * @param failure what went wrong
	 */
	default void failed(SharedIndexInformer<?> informer, @Nullable String namespace, InformerFailure failure) {
	}

	/**
	 * The informer has synced for the first time since it was started.
	 * @param informer the informer
	 * @param time how long that took
	 */
	default void synced(SharedIndexInformer<?> informer, Duration time) {
	}

	/**
	 * A change was applied to the store.
	 * @param informer the informer
	 * @param type what kind of change
	 */
	default void changed(SharedIndexInformer<?> informer, ResourceEvent.Type type) {
	}

	/**
	 * An informer was removed from its factory, see {@link InformerFactory#remove}.
	 * @param informer the informer, which is closed
	 */
	default void removed(SharedIndexInformer<?> informer) {
	}

	/**
	 * A handler was added or removed.
	 * @param informer the informer
	 */
	default void handlersChanged(SharedIndexInformer<?> informer) {
	}

	/**
	 * A handler was called.
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event what it was told; the object in it is shared and belongs in no log
	 * @param time how long it took
	 * @param attempt how often it has been told this by now: 1, and more when it has
	 * thrown before
	 * @param failure what it has thrown; {@code null} when it returned
	 */
	default void handled(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration time,
			int attempt, @Nullable Throwable failure) {
	}

	/**
	 * A handler has returned and knows now what it was told: called after
	 * {@link #handled}, and not for resyncs.
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event what it was told; the object in it is shared and belongs in no log
	 * @param lag how long ago that had come from the server and was decoded, of several
	 * changes in one the first; for what was there already when the handler was added,
	 * how long ago that was
	 */
	default void delivered(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration lag) {
	}

	/**
	 * How a list is read.
	 */
	enum ListMode {

		/** By LIST, page by page where that costs nothing. */
		PAGES,

		/** As the first events of a watch. */
		STREAM

	}

	/**
	 * Why a watch ended.
	 */
	enum WatchEnd {

		/** The server ended it cleanly, as it does after some minutes. */
		CLOSED,

		/** It was closed within a second without having brought anything. */
		VERY_SHORT,

		/** The connection broke, or what came over it was not readable. */
		BROKEN,

		/** It could not be opened: the server cannot be reached. */
		UNREACHABLE,

		/** Its resource version has expired. */
		EXPIRED,

		/** The server refused it or gave it up for another reason. */
		REFUSED,

		/** The informer was stopped. */
		STOPPED

	}

	/**
	 * Why the state is listed again.
	 */
	enum RelistReason {

		/** The resource version of the watch has expired (410). */
		EXPIRED,

		/**
		 * Watches keep ending at once, what they bring stays unreadable, or there is no
		 * resource version from which another one could go on.
		 */
		UNUSABLE_WATCH,

		/** The server had refused the watch, and says now that it would not. */
		RECOVERED,

		/**
		 * The server is not as far as it was: restored from a backup, or another one that
		 * lags behind.
		 */
		HISTORY_WENT_BACK,

		/** Watching is denied while listing is not: the only way to see what changes. */
		WATCH_DENIED,

		/** A failure after which only a list tells what is true. */
		FAILURE,

		/** Somebody asked for it, see {@link SharedIndexInformer#relist()}. */
		REQUESTED

	}

}

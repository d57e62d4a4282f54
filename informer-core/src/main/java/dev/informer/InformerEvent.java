/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened inside an informer, for metrics, logs and the like. Immutable.
 * Events of one handler are published on the thread that invoked it, events of one
 * namespace on the thread of its reflector.
 * <p>
 * Kubernetes objects in an event are shared with the cache: do not modify them and do not
 * log them.
 *
 * @see InformerListener
 */
public sealed interface InformerEvent {

	/**
	 * Return the informer.
	 * @return the informer
	 */
	SharedIndexInformer<?> informer();

	/**
	 * The state of the informer has changed for one namespace.
	 *
	 * @param informer the informer
	 * @param namespace the namespace; empty for all namespaces
	 * @param state the new state
	 */
	record StateChanged(SharedIndexInformer<?> informer, String namespace,
			InformerState state) implements InformerEvent {
	}

	/**
	 * Namespaces have joined or left an informer with a namespace selector, or other
	 * namespaces are omitted. No event for another namespace follows, apart from those
	 * that are being published.
	 *
	 * @param informer the informer
	 * @param namespaces the namespaces that the informer watches from now on
	 */
	record NamespacesChanged(SharedIndexInformer<?> informer, Set<String> namespaces) implements InformerEvent {
	}

	/**
	 * A list has been read or has failed.
	 *
	 * @param informer the informer
	 * @param namespace the namespace; empty for all namespaces
	 * @param mode how the list was read
	 * @param duration the duration of the list, including all of its pages
	 * @param success whether the list is complete
	 */
	record Listed(SharedIndexInformer<?> informer, String namespace, ListMode mode, Duration duration,
			boolean success) implements InformerEvent {
	}

	/**
	 * A watch has ended or could not be opened.
	 *
	 * @param informer the informer
	 * @param namespace the namespace; empty for all namespaces
	 * @param reason the reason
	 */
	record WatchEnded(SharedIndexInformer<?> informer, String namespace, WatchEnd reason) implements InformerEvent {
	}

	/**
	 * A relist is about to begin.
	 *
	 * @param informer the informer
	 * @param namespace the namespace; empty for all namespaces
	 * @param reason the reason
	 */
	record Relisting(SharedIndexInformer<?> informer, String namespace, RelistReason reason) implements InformerEvent {
	}

	/**
	 * Something has failed.
	 *
	 * @param informer the informer
	 * @param namespace the namespace, empty for all namespaces; {@code null} when the
	 * failure concerns the informer as a whole, or a handler
	 * @param handler the name of the handler that failed; {@code null} when none has
	 * @param failure the failure
	 */
	record Failed(SharedIndexInformer<?> informer, @Nullable String namespace, @Nullable String handler,
			InformerFailure failure) implements InformerEvent {
	}

	/**
	 * The informer has synced for the first time since it was started.
	 *
	 * @param informer the informer
	 * @param duration the time since the start
	 */
	record Synced(SharedIndexInformer<?> informer, Duration duration) implements InformerEvent {
	}

	/**
	 * A change has been applied to the cache.
	 *
	 * @param informer the informer
	 * @param type the type of the change
	 */
	record CacheChanged(SharedIndexInformer<?> informer, ResourceEvent.Type type) implements InformerEvent {
	}

	/**
	 * The informer has been closed and removed from its factory.
	 *
	 * @param informer the informer
	 * @see InformerFactory#remove
	 */
	record Removed(SharedIndexInformer<?> informer) implements InformerEvent {
	}

	/**
	 * A handler has been added or removed.
	 *
	 * @param informer the informer
	 */
	record HandlersChanged(SharedIndexInformer<?> informer) implements InformerEvent {
	}

	/**
	 * A handler has been invoked and has returned or thrown.
	 *
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event the event that the handler was invoked with
	 * @param duration the duration of the invocation
	 * @param attempt the number of the attempt, starting with 1
	 * @param failure the exception or error thrown; {@code null} when the handler
	 * returned, or asked for a later invocation by a {@link RetryLaterException}
	 */
	record HandlerInvoked(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration duration,
			int attempt, @Nullable Throwable failure) implements InformerEvent {
	}

	/**
	 * An event has been delivered: its handler has returned. Published after
	 * {@link HandlerInvoked}, and not for resyncs.
	 *
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event the event
	 * @param lag the time since the change was received and decoded. When several changes
	 * were coalesced, the time since the first of them; for an object that was in the
	 * cache when the handler was added, the time since then
	 */
	record EventDelivered(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event,
			Duration lag) implements InformerEvent {
	}

	/**
	 * Ways to read a list.
	 */
	enum ListMode {

		/** By LIST requests, paginated where the server can do that cheaply. */
		PAGES,

		/** As the initial events of a watch (KEP-3157). */
		STREAM

	}

	/**
	 * Reasons for the end of a watch.
	 */
	enum WatchEnd {

		/** The server closed the watch cleanly, as it does after some minutes. */
		CLOSED,

		/** The watch was closed within a second and without an event. */
		VERY_SHORT,

		/** The connection broke, or the response could not be decoded. */
		BROKEN,

		/** The watch could not be opened: the server is unreachable. */
		UNREACHABLE,

		/** The resource version has expired (410). */
		EXPIRED,

		/** The server rejected or terminated the watch for another reason. */
		REFUSED,

		/** The informer was stopped, is to list again, or watches other objects now. */
		STOPPED

	}

	/**
	 * Reasons for a relist.
	 */
	enum RelistReason {

		/** The resource version of the watch has expired (410). */
		EXPIRED,

		/**
		 * Watches end at once or cannot be decoded several times in a row, or have no
		 * resource version to resume from.
		 */
		UNUSABLE_WATCH,

		/** The resource is served again after it was not found. */
		RECOVERED,

		/**
		 * The resource version of the server is lower than that of the cache, or it has
		 * other objects: the server was restored from a backup, another server lags
		 * behind, or bits of a response changed on the way.
		 */
		ROLLBACK,

		/** Only watching is forbidden; lists are the only way to see changes. */
		WATCH_DENIED,

		/** A failure after which only a list gives the current state. */
		FAILURE,

		/** Requested by {@link SharedIndexInformer#relist()}. */
		REQUESTED,

		/** The informer is to watch other objects. */
		WATCHED_SET

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.client.Cancellation;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectKey;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import io.kubernetes.client.common.KubernetesObject;

/**
 * List as the first events of a watch: the initial objects as ADDED events, a bookmark at
 * their end, and then the changes, on the same stream.
 * <p>
 * Old servers, proxies and aggregated API servers drop the bookmark, which nothing else
 * can replace. Then streaming lists are not used for an hour. Confined to the thread of
 * its reflector.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists">Streaming
 * lists</a>
 * @see <a href=
 * "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/3157-watch-list">KEP-3157</a>
 */
final class StreamingList<T extends KubernetesObject> {

	/** Maximum time between two initial events. */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * Maximum time between the first event that is not an initial one and the bookmark.
	 */
	private static final Duration BOOKMARK_TIMEOUT = Duration.ofSeconds(60);

	private static final Duration UNUSABLE_TIME = Duration.ofHours(1);

	private static final int UNFINISHED_IN_ROW = 2;

	private final ListerWatcher<T> source;

	private final TimeSource time;

	private boolean unusable;

	private long unusableSince;

	private int unfinishedInRow;

	private boolean opened;

	StreamingList(ListerWatcher<T> source, TimeSource time) {
		this.source = source;
		this.time = time;
	}

	/**
	 * Return whether the server is expected to support streaming lists.
	 */
	boolean isUsable() {
		if (this.unusable && this.time.nanoTime() - this.unusableSince >= TimeSource.nanos(UNUSABLE_TIME)) {
			this.unusable = false;
			this.unfinishedInRow = 0;
		}
		return !this.unusable;
	}

	/**
	 * Read the initial objects.
	 * @throws ServerStatusException if the server refuses, or sends an ERROR event
	 * @throws IOException if the initial events do not end with a bookmark
	 */
	AttemptOutcome.Listed<T> open(WatchRequest request, Cancellation cancellation) throws IOException {
		this.opened = false;
		WatchStream<T> stream = this.source.watch(request, cancellation);
		this.opened = true;
		try {
			stream.idleTimeout(IDLE_TIMEOUT);
			AttemptOutcome.Listed<T> listed = new Collector(request.timeout()).collect(stream);
			stream.idleTimeout(Duration.ZERO);
			this.unfinishedInRow = 0;
			return listed;
		}
		catch (IOException | RuntimeException | Error ex) {
			stream.close();
			if (ex instanceof SocketTimeoutException && !cancellation.isCancelled()) {
				disable();
			}
			throw ex;
		}
	}

	/**
	 * Return whether the server answered the last request.
	 */
	boolean isOpened() {
		return this.opened;
	}

	private IOException closed() {
		// A reset says nothing about the server's support for streaming lists, but two
		// complete responses without the bookmark do.
		this.unfinishedInRow++;
		if (this.unfinishedInRow >= UNFINISHED_IN_ROW) {
			disable();
		}
		return unfinished("the server closed the stream");
	}

	private void disable() {
		this.unusable = true;
		this.unusableSince = this.time.nanoTime();
	}

	private static IOException unfinished(String reason) {
		return new IOException("Streaming list ended without its bookmark: " + reason);
	}

	/**
	 * Collects the initial objects: the last event of each key counts.
	 */
	private final class Collector {

		private final Map<String, T> objects = new LinkedHashMap<>();

		private final Map<String, UndecodableObject> undecodable = new LinkedHashMap<>();

		private final List<UndecodableObject> unnamed = new ArrayList<>();

		private final Set<String> deleted = new HashSet<>();

		private final Duration timeout;

		private final long began = StreamingList.this.time.nanoTime();

		private boolean initialOnly = true;

		private long overdueSince;

		Collector(Duration timeout) {
			this.timeout = timeout;
		}

		private AttemptOutcome.Listed<T> collect(WatchStream<T> stream) throws IOException {
			WatchEvent<T> event = stream.next();
			while (event != null) {
				if (event instanceof WatchEvent.Failure<T> failure) {
					throw new ServerStatusException(failure.status());
				}
				if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
					this.unnamed.addAll(this.undecodable.values());
					return new AttemptOutcome.Listed<>(List.copyOf(this.objects.values()), this.unnamed, this.deleted,
							bookmark.resourceVersion(), stream,
							this.timeout.minusNanos(StreamingList.this.time.nanoTime() - this.began));
				}
				collect(event);
				checkOverdue();
				event = stream.next();
			}
			throw closed();
		}

		private void collect(WatchEvent<T> event) {
			boolean initial = false;
			if (event instanceof WatchEvent.Change<T> change) {
				collect(change);
				initial = change.type() == ChangeType.ADDED;
			}
			else if (event instanceof WatchEvent.Undecodable<T> broken) {
				collect(broken);
				initial = broken.type() == ChangeType.ADDED;
			}
			else if (event instanceof WatchEvent.Unwanted<T> unwanted) {
				initial = unwanted.type() == ChangeType.ADDED;
			}
			if (this.initialOnly && !initial) {
				this.initialOnly = false;
				this.overdueSince = StreamingList.this.time.nanoTime();
			}
		}

		private void collect(WatchEvent.Change<T> change) {
			String key = ObjectKey.of(change.object());
			remove(key);
			if (change.type() == ChangeType.DELETED) {
				this.deleted.add(key);
			}
			else {
				this.objects.put(key, change.object());
			}
		}

		private void collect(WatchEvent.Undecodable<T> broken) {
			String key = broken.object().state().key();
			if (key == null) {
				this.unnamed.add(broken.object());
				return;
			}
			remove(key);
			if (broken.type() == ChangeType.DELETED) {
				this.deleted.add(key);
			}
			else {
				this.undecodable.put(key, broken.object());
			}
		}

		private void remove(String key) {
			this.objects.remove(key);
			this.undecodable.remove(key);
			this.deleted.remove(key);
		}

		private void checkOverdue() throws IOException {
			if (!this.initialOnly
					&& StreamingList.this.time.nanoTime() - this.overdueSince >= TimeSource.nanos(BOOKMARK_TIMEOUT)) {
				disable();
				throw unfinished("other events arrived for " + BOOKMARK_TIMEOUT.toSeconds() + " s");
			}
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.client.ObjectKey;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchStream;
import dev.informer.reflector.AttemptOutcome.Listed;
import io.kubernetes.client.common.KubernetesObject;

/**
 * List as the first events of a watch, the initial objects: the last event of each key
 * counts. Confined to the thread of its reflector.
 */
final class StreamedList<T extends KubernetesObject> {

	/**
	 * Maximum time between the first event that is not an initial one and the bookmark.
	 */
	private static final Duration BOOKMARK_TIMEOUT = Duration.ofSeconds(60);

	private final Map<String, T> objects = new LinkedHashMap<>();

	private final Map<String, UndecodableObject> undecodable = new LinkedHashMap<>();

	private final List<UndecodableObject> unnamed = new ArrayList<>();

	private final Set<String> deleted = new HashSet<>();

	private final Duration timeout;

	private final TimeSource time;

	private final long began;

	private boolean initialOnly = true;

	private long overdueSince;

	private boolean overdue;

	private boolean ended;

	/**
	 * Create a list without objects.
	 * @param timeout the time after which the server ends the stream
	 */
	StreamedList(Duration timeout, TimeSource time) {
		this.timeout = timeout;
		this.time = time;
		this.began = time.nanoTime();
	}

	/**
	 * Read the initial objects.
	 * @throws ServerStatusException if the server sends an ERROR event
	 * @throws IOException if the initial events do not end with a bookmark
	 */
	Listed<T> collect(WatchStream<T> stream) throws IOException {
		WatchEvent<T> event = stream.next();
		while (event != null) {
			if (event instanceof WatchEvent.Failure<T> failure) {
				throw new ServerStatusException(failure.status());
			}
			if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
				this.unnamed.addAll(this.undecodable.values());
				return new Listed<>(List.copyOf(this.objects.values()), this.unnamed, this.deleted,
						bookmark.resourceVersion(), stream, this.timeout.minusNanos(this.time.nanoTime() - this.began));
			}
			collect(event);
			checkOverdue();
			event = stream.next();
		}
		this.ended = true;
		throw unfinished("the server closed the stream");
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
			this.overdueSince = this.time.nanoTime();
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
		if (!this.initialOnly && this.time.nanoTime() - this.overdueSince >= TimeSource.nanos(BOOKMARK_TIMEOUT)) {
			this.overdue = true;
			throw unfinished("other events arrived for " + BOOKMARK_TIMEOUT.toSeconds() + " s");
		}
	}

	private static IOException unfinished(String reason) {
		return new IOException("Streaming list ended without its bookmark: " + reason);
	}

	/**
	 * Return whether the server has closed the stream before the bookmark.
	 */
	boolean hasEnded() {
		return this.ended;
	}

	/**
	 * Return whether the bookmark is overdue, although other events arrived.
	 */
	boolean isOverdue() {
		return this.overdue;
	}

}

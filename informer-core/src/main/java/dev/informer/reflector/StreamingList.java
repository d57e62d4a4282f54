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

import dev.informer.TimeSource;
import dev.informer.client.Cancellation;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectKey;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Reads the whole state as the first events of a watch. Old servers, proxies and
 * aggregated APIs may swallow the bookmark at its end; then it is done without for an
 * hour. Belongs to the thread of its reflector.
 *
 * @param <T> the type of the objects
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists">Streaming
 * lists</a>
 */
final class StreamingList<T extends KubernetesObject> {

	private static final Duration SILENCE = Duration.ofSeconds(10);

	/**
	 * How long the bookmark may take from the first event on that is not an initial one.
	 */
	private static final Duration OVERDUE = Duration.ofSeconds(60);

	private static final Duration PENALTY = Duration.ofHours(1);

	private static final int UNFINISHED_IN_ROW = 2;

	private final ListerWatcher<T> source;

	private final TimeSource time;

	private boolean unusable;

	private long unusableSince;

	private int unfinishedInRow;

	StreamingList(ListerWatcher<T> source, TimeSource time) {
		this.source = source;
		this.time = time;
	}

	/**
	 * Whether it makes sense to try.
	 */
	boolean isUsable() {
		if (this.unusable && this.time.nanoTime() - this.unusableSince >= PENALTY.toNanos()) {
			this.unusable = false;
			this.unfinishedInRow = 0;
		}
		return !this.unusable;
	}

	/**
	 * Reads the state.
	 * @param version how fresh it has to be at least
	 * @param timeout when the server shall end the watch
	 * @param scope ends the request
	 * @return the state, and the watch that goes on behind it
	 * @throws ServerStatusException when the server refuses or gives up
	 * @throws IOException when there is no end to the initial events
	 */
	Streamed<T> open(String version, Duration timeout, Cancellation scope) throws IOException {
		WatchStream<T> stream = this.source.watch(new WatchRequest(version, timeout, true), scope);
		try {
			stream.idleTimeout(SILENCE);
			Streamed<T> state = new Collector().collect(stream);
			stream.idleTimeout(Duration.ZERO);
			this.unfinishedInRow = 0;
			return state;
		}
		catch (SocketTimeoutException ex) {
			giveUp();
			stream.close();
			throw ex;
		}
		catch (ServerStatusException ex) {
			stream.close();
			throw ex;
		}
		catch (IOException ex) {
			stream.close();
			if (!scope.isCancelled()) {
				noteUnfinished();
			}
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			stream.close();
			throw ex;
		}
	}

	private void giveUp() {
		this.unusable = true;
		this.unusableSince = this.time.nanoTime();
	}

	private void noteUnfinished() {
		this.unfinishedInRow++;
		if (this.unfinishedInRow >= UNFINISHED_IN_ROW) {
			giveUp();
		}
	}

	private static IOException unfinished(String reason) {
		return new IOException("a streaming list ended without its bookmark: " + reason);
	}

	/**
	 * The whole state, and the stream behind it.
	 *
	 * @param <T> the type of the objects
	 * @param objects the objects
	 * @param undecodable what is there, too, but could not be decoded
	 * @param deleted the keys that the stream itself says to be gone
	 * @param resourceVersion the version of the state
	 * @param stream goes on from there
	 */
	record Streamed<T>(List<T> objects, List<UndecodableObject> undecodable, Set<String> deleted,
			String resourceVersion, WatchStream<T> stream) {
	}

	/**
	 * Puts the events together: of each key the last one counts.
	 */
	private final class Collector {

		private final Map<String, T> objects = new LinkedHashMap<>();

		private final Map<String, UndecodableObject> undecodable = new LinkedHashMap<>();

		private final List<UndecodableObject> nameless = new ArrayList<>();

		private final Set<String> deleted = new HashSet<>();

		private boolean initialOnly = true;

		private long overdueFrom;

		private Streamed<T> collect(WatchStream<T> stream) throws IOException {
			WatchEvent<T> event = stream.next();
			while (event != null) {
				if (event instanceof WatchEvent.Failure<T> failure) {
					throw new ServerStatusException(failure.status());
				}
				if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
					this.nameless.addAll(this.undecodable.values());
					return new Streamed<>(List.copyOf(this.objects.values()), this.nameless, this.deleted,
							bookmark.resourceVersion(), stream);
				}
				take(event);
				checkOverdue();
				event = stream.next();
			}
			throw unfinished("the server has closed it");
		}

		private void take(WatchEvent<T> event) {
			if (event instanceof WatchEvent.Change<T> change) {
				String key = ObjectKey.of(change.object());
				forget(key);
				if (change.type() == ChangeType.DELETED) {
					this.deleted.add(key);
				}
				else {
					this.objects.put(key, change.object());
				}
				noteType(change.type() == ChangeType.ADDED);
			}
			else if (event instanceof WatchEvent.Undecodable<T> broken) {
				take(broken);
				noteType(broken.type() == ChangeType.ADDED);
			}
			else {
				noteType(false);
			}
		}

		private void take(WatchEvent.Undecodable<T> broken) {
			String key = broken.object().state().key();
			if (key == null) {
				this.nameless.add(broken.object());
				return;
			}
			forget(key);
			if (broken.type() == ChangeType.DELETED) {
				this.deleted.add(key);
			}
			else {
				this.undecodable.put(key, broken.object());
			}
		}

		private void forget(String key) {
			this.objects.remove(key);
			this.undecodable.remove(key);
			this.deleted.remove(key);
		}

		private void noteType(boolean initial) {
			if (this.initialOnly && !initial) {
				this.initialOnly = false;
				this.overdueFrom = StreamingList.this.time.nanoTime();
			}
		}

		private void checkOverdue() throws IOException {
			if (!this.initialOnly && StreamingList.this.time.nanoTime() - this.overdueFrom >= OVERDUE.toNanos()) {
				giveUp();
				throw unfinished("other events have come for " + OVERDUE.toSeconds() + " s");
			}
		}

	}

}

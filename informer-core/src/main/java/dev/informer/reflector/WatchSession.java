/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;

import dev.informer.InformerState.Phase;
import dev.informer.Moment;
import dev.informer.TimeSource;
import dev.informer.cache.Delta;
import dev.informer.client.Cancellation;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Opens a watch, hands its events to the sink, and classifies its end. Never waits: after
 * a failure the reflector does. Confined to the thread of its reflector.
 *
 * @param <T> the type of the objects
 */
final class WatchSession<T extends KubernetesObject> {

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final Consumer<Delta<T>> sink;

	private final ResourceVersionState versions;

	private final RollbackCheck<T> rollbackCheck;

	private final ReflectorStatus status;

	private final ReflectorControl control;

	private final TimeSource time;

	/** Whether the server sends bookmarks of this resource. */
	private boolean bookmarked;

	/** Whether the current watch received an event. */
	private boolean received;

	/** Whether an event of the current watch proved a rollback. */
	private boolean rolledBack;

	/**
	 * Create a session.
	 * @param settings the informer and the namespace
	 * @param source watches the resource
	 * @param sink takes the events
	 * @param versions the resource version
	 * @param rollbackCheck the check before the watch, which its events complete
	 * @param status takes reports
	 * @param control may end a watch
	 * @param time the time
	 */
	WatchSession(ReflectorSettings settings, ListerWatcher<T> source, Consumer<Delta<T>> sink,
			ResourceVersionState versions, RollbackCheck<T> rollbackCheck, ReflectorStatus status,
			ReflectorControl control, TimeSource time) {
		this.settings = settings;
		this.source = source;
		this.sink = sink;
		this.versions = versions;
		this.rollbackCheck = rollbackCheck;
		this.status = status;
		this.control = control;
		this.time = time;
	}

	/**
	 * Watch from the last version until the watch ends.
	 * @param cancellation cancels the request and the stream
	 */
	WatchOutcome watch(Cancellation cancellation) {
		this.status.enter(Phase.CONNECTING);
		return follow(() -> this.source
			.watch(new WatchRequest(this.versions.lastSync(), this.settings.randomWatchTimeout(), false), cancellation),
				cancellation);
	}

	/**
	 * Continue a streaming list as a watch until it ends.
	 * @param stream the stream behind the initial events, closed at the end
	 * @param cancellation cancels the stream
	 */
	WatchOutcome follow(WatchStream<T> stream, Cancellation cancellation) {
		return follow(() -> stream, cancellation);
	}

	private WatchOutcome follow(WatchOpener<T> opener, Cancellation cancellation) {
		String from = this.versions.lastSync();
		long opened = 0;
		boolean open = false;
		Throwable failure = null;
		Duration silence = Duration.ZERO;
		this.received = false;
		this.rolledBack = false;
		this.control.watching();
		try (WatchStream<T> stream = opener.open()) {
			open = true;
			opened = this.time.nanoTime();
			this.status.watchOpened();
			try {
				read(stream);
			}
			finally {
				silence = stream.silence();
			}
		}
		catch (IOException | RuntimeException | Error ex) {
			failure = ex;
		}
		Duration duration = open ? Duration.ofNanos(this.time.nanoTime() - opened) : Duration.ZERO;
		WatchOutcome.Progress progress = new WatchOutcome.Progress(open, this.received,
				!from.equals(this.versions.lastSync()), duration, !this.versions.isUnset());
		if (progress.following()) {
			this.status.recovered();
		}
		if (cancellation.isCancelled()) {
			return ended(new WatchOutcome.Cancelled(progress), silence);
		}
		if (this.rolledBack) {
			this.versions.rolledBack();
			return ended(new WatchOutcome.RolledBack(progress), silence);
		}
		return ended(WatchOutcome.of(progress, failure), silence);
	}

	private WatchOutcome ended(WatchOutcome outcome, Duration silence) {
		if (!(outcome instanceof WatchOutcome.Cancelled) || outcome.progress().opened()) {
			this.status.watchEnded(outcome.end(), unseenSince(outcome, silence));
		}
		return outcome;
	}

	/**
	 * Return the time since which changes may have been missed. A watch that ends by an
	 * idle timeout, or because its connection is silent, has been dead for a while.
	 */
	private Moment unseenSince(WatchOutcome outcome, Duration silence) {
		Moment last = this.status.lastActivity();
		boolean idle = outcome.progress().opened() && this.bookmarked
				&& outcome.cause() instanceof SocketTimeoutException;
		return (idle && last != null) ? last : this.time.moment().minus(silence);
	}

	private void read(WatchStream<T> stream) throws IOException {
		if (this.bookmarked) {
			stream.idleTimeout(this.settings.options().watchIdleTimeout());
		}
		boolean more = true;
		while (more && !this.rolledBack) {
			more = readNext(stream);
		}
	}

	/**
	 * Handle the next event. The frame of this method ends with it, so that an idle watch
	 * does not retain its last object.
	 * @return whether there may be another one
	 */
	private boolean readNext(WatchStream<T> stream) throws IOException {
		WatchEvent<T> event = stream.next();
		if (event == null) {
			return false;
		}
		this.status.active();
		if (event instanceof WatchEvent.Failure<T> refusal) {
			throw new ServerStatusException(refusal.status());
		}
		this.status.recovered();
		this.received = true;
		handle(event);
		// A flag that user code left would end the next read, and with it the watch.
		Thread.interrupted();
		this.rolledBack = this.rollbackCheck.isRolledBackAfter(event);
		if (event instanceof WatchEvent.Bookmark<T> && !this.bookmarked) {
			// The watch cache sends a bookmark a minute. Resources that it does not
			// serve, such as events, get none: there a quiet watch is no dead one.
			this.bookmarked = true;
			stream.idleTimeout(this.settings.options().watchIdleTimeout());
		}
		return true;
	}

	private void handle(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Change<T> change) {
			reached(change.type(), change.object().getMetadata().getResourceVersion());
			this.sink.accept(Delta.of(this.settings.namespace(), change, this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			this.versions.reached(bookmark.resourceVersion());
			this.sink.accept(new Delta.Bookmark<>(this.settings.namespace(), this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Undecodable<T> broken) {
			reached(broken.type(), broken.object().state().resourceVersion());
			this.status.undecodable(broken.object());
			this.sink.accept(Delta.of(this.settings.namespace(), broken, this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Unwanted<T> unwanted) {
			reached(unwanted.type(), unwanted.state().resourceVersion());
			this.sink.accept(new Delta.Bookmark<>(this.settings.namespace(), this.versions.lastSync()));
		}
	}

	private void reached(ChangeType type, @Nullable String resourceVersion) {
		// A watch from "" or "0" begins with synthetic ADDED events in arbitrary order:
		// their versions are those of the objects, and older than the watch itself.
		// https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-watch
		if (type != ChangeType.ADDED || !this.versions.isUnset()) {
			this.versions.reached(resourceVersion);
		}
	}

	/**
	 * Opens the stream to follow.
	 */
	private interface WatchOpener<T> {

		WatchStream<T> open() throws IOException;

	}

}

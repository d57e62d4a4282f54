/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerState.Phase;
import dev.informer.client.Cancellation;
import dev.informer.client.Moment;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchStream;
import dev.informer.reflector.AttemptOutcome.Result;
import dev.informer.reflector.ResourceVersionState.Reported;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Opens a watch, hands its events to the sink, and classifies its end. Never waits: after
 * a failure the reflector does. Confined to the thread of its reflector.
 */
final class WatchSession<T extends KubernetesObject> {

	/** Maximum time until each event that verifies the next watch. */
	private static final Duration FIRST_EVENT = Duration.ofSeconds(5);

	/** Time that an opened watch may be shorter than requested. */
	private static final Duration EARLY = Duration.ofSeconds(1);

	/** Time that an opened watch may be longer than requested. */
	private static final Duration LATE = Duration.ofSeconds(10);

	private final WatchOpener<T> opener;

	private final WatchedEvents<T> events;

	private final ResourceVersionState versions;

	private final ReflectorStatus status;

	private final ReflectorControl control;

	private final TimeSource time;

	/** Whether the server sends bookmarks of this resource. */
	private boolean bookmarked;

	/** Whether the current watch received an event. */
	private boolean received;

	/** Whether an event of the current watch proved a rollback. */
	private boolean rolledBack;

	/** Changes that have to be the next events. */
	private final Deque<Reported> expected = new ArrayDeque<>();

	/** Version up to which the current watch has nothing new to report. */
	private @Nullable String known;

	/** Whether an event of the current watch was not the expected one. */
	private boolean unexpected;

	/**
	 * Create a session. {@code control} may end a watch.
	 */
	WatchSession(WatchOpener<T> opener, WatchedEvents<T> events, ResourceVersionState versions, ReflectorStatus status,
			ReflectorControl control, TimeSource time) {
		this.opener = opener;
		this.events = events;
		this.versions = versions;
		this.status = status;
		this.control = control;
		this.time = time;
	}

	/**
	 * Watch from the last version until the watch ends.
	 */
	AttemptOutcome<T> watch(Cancellation cancellation) {
		return watch(this.versions.lastSync(), List.of(), cancellation);
	}

	/**
	 * Watch from the version before the last changes. A server that has the changes which
	 * the cache contains sends these again, and then only later ones. Any other answer,
	 * or none, means that the objects have to be compared.
	 * <p>
	 * Let the other server have diverged after version v. If it was before the last
	 * change, that version is another write there. It may be one of the same object, but
	 * hardly for several changes in a row. If it was later, the cache has seen no change
	 * since v, and this watch reports those of the other server. A single object, or a
	 * list at exactly the last version, would miss the second case: the last version is
	 * that of a bookmark, and v may be in between. The proof costs no request. A watch
	 * from an older version is answered from the server's watch cache.
	 * @see <a href=
	 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes">Efficient
	 * detection of changes</a>
	 */
	AttemptOutcome<T> verifyAndWatch(Cancellation cancellation) {
		List<Reported> changes = this.versions.lastChanges();
		return changes.isEmpty() ? AttemptOutcome.of(Result.UNVERIFIED, AttemptOutcome.Progress.NONE)
				: watch(changes.get(0).before(), changes, cancellation);
	}

	private AttemptOutcome<T> watch(String from, List<Reported> first, Cancellation cancellation) {
		this.status.enter(Phase.CONNECTING);
		Duration timeout = this.opener.randomTimeout();
		return follow(() -> this.opener.open(from, timeout, cancellation), first, timeout, cancellation);
	}

	/**
	 * Continue a streaming list as a watch until it ends.
	 * @param stream the stream behind the initial events, closed at the end
	 * @param remaining the time after which the server ends the stream
	 */
	AttemptOutcome<T> follow(WatchStream<T> stream, Duration remaining, Cancellation cancellation) {
		return follow(() -> stream, List.of(), remaining, cancellation);
	}

	private AttemptOutcome<T> follow(Opening<T> opening, List<Reported> first, Duration timeout,
			Cancellation cancellation) {
		String from = this.versions.lastSync();
		long opened = 0;
		boolean open = false;
		Throwable failure = null;
		Duration silence = Duration.ZERO;
		this.received = false;
		this.rolledBack = false;
		this.expected.clear();
		this.expected.addAll(first);
		this.known = first.isEmpty() ? null : from;
		this.unexpected = false;
		if (first.isEmpty()) {
			this.control.watching();
		}
		try (WatchStream<T> stream = opening.open()) {
			open = true;
			opened = this.time.nanoTime();
			if (first.isEmpty()) {
				this.status.watchOpened();
			}
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
		boolean verified = this.expected.isEmpty() && !this.unexpected;
		Duration duration = (open && this.expected.isEmpty()) ? Duration.ofNanos(this.time.nanoTime() - opened)
				: Duration.ZERO;
		AttemptOutcome.Progress progress = new AttemptOutcome.Progress(open, this.received,
				!from.equals(this.versions.lastSync()), duration, !this.versions.isUnset(), verified,
				isOnTime(duration, timeout));
		if (progress.following()) {
			this.status.recovered();
		}
		if (cancellation.isCancelled()) {
			return ended(AttemptOutcome.of(Result.CANCELLED, progress), progress, silence);
		}
		if (this.rolledBack) {
			this.versions.rolledBack();
			return ended(AttemptOutcome.of(Result.ROLLED_BACK, progress), progress, silence);
		}
		if (this.unexpected || (!this.expected.isEmpty() && isUnanswered(open, failure))) {
			AttemptOutcome<T> unverified = AttemptOutcome.of(Result.UNVERIFIED, progress);
			return this.expected.isEmpty() ? ended(unverified, progress, silence) : unverified;
		}
		return ended(AttemptOutcome.of(progress, failure), progress, silence);
	}

	/**
	 * Return whether a watch ended when the server was requested to end it. Earlier, the
	 * server may have been replaced; much later, this process may have been frozen.
	 */
	private static boolean isOnTime(Duration duration, Duration timeout) {
		long late = TimeSource.nanos(duration) - TimeSource.nanos(timeout);
		return late >= -TimeSource.nanos(EARLY) && late <= TimeSource.nanos(LATE);
	}

	/**
	 * Return whether the server no longer has the changes that were expected, or does not
	 * send them.
	 */
	private static boolean isUnanswered(boolean open, @Nullable Throwable failure) {
		return (open && failure instanceof SocketTimeoutException)
				|| (failure instanceof ServerStatusException refusal && refusal.status().isExpired());
	}

	private AttemptOutcome<T> ended(AttemptOutcome<T> outcome, AttemptOutcome.Progress progress, Duration silence) {
		Result result = outcome.result();
		if (result == Result.MALFORMED) {
			this.control.corrupted();
		}
		if (progress.opened() || result == Result.UNREACHABLE) {
			this.status.unverified();
		}
		if (progress.opened() || result != Result.CANCELLED) {
			// A watch that ends by an idle timeout, or because its connection is silent,
			// has been dead for a while.
			Moment last = this.status.lastActivity();
			boolean idle = progress.opened() && this.bookmarked && outcome.cause() instanceof SocketTimeoutException;
			this.status.watchEnded(end(result), (idle && last != null) ? last : this.time.moment().minus(silence));
		}
		return outcome;
	}

	private static WatchEnd end(Result result) {
		return switch (result) {
			case CANCELLED -> WatchEnd.STOPPED;
			case BROKEN -> WatchEnd.BROKEN;
			case VERY_SHORT -> WatchEnd.VERY_SHORT;
			case UNREACHABLE -> WatchEnd.UNREACHABLE;
			case EXPIRED -> WatchEnd.EXPIRED;
			case REFUSED, MALFORMED, FAILED -> WatchEnd.REFUSED;
			default -> WatchEnd.CLOSED;
		};
	}

	private void read(WatchStream<T> stream) throws IOException {
		if (!this.expected.isEmpty() && !isRepeated(stream)) {
			return;
		}
		if (this.bookmarked) {
			this.opener.limitSilence(stream);
		}
		boolean more = true;
		while (more && !this.rolledBack && !this.unexpected) {
			more = readNext(stream);
		}
	}

	/**
	 * Return whether the first events are the expected ones.
	 */
	private boolean isRepeated(WatchStream<T> stream) throws IOException {
		stream.idleTimeout(FIRST_EVENT);
		while (!this.expected.isEmpty()) {
			WatchEvent<T> event = stream.next();
			if (event == null) {
				return false;
			}
			if (event instanceof WatchEvent.Failure<T> refusal) {
				throw new ServerStatusException(refusal.status());
			}
			ObjectState state = this.expected.getFirst().state();
			ObjectState received = event.state();
			if (!Objects.equals(received.key(), state.key()) || !received.isSameAs(state)) {
				this.unexpected = true;
				return false;
			}
			this.expected.removeFirst();
		}
		this.received = true;
		stream.idleTimeout(Duration.ZERO);
		// first: when the watch is reported, the store computes how long it may last
		this.control.watching();
		this.status.watchOpened();
		this.status.recovered();
		return true;
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
		if (isKnown(event)) {
			this.unexpected = !(event instanceof WatchEvent.Bookmark<T>);
			return true;
		}
		this.rolledBack = this.events.handOver(event);
		if (event instanceof WatchEvent.Bookmark<T> && !this.bookmarked) {
			// The watch cache sends a bookmark a minute. Resources that it does not
			// serve, such as events, get none: there a quiet watch is no dead one.
			this.bookmarked = true;
			this.opener.limitSilence(stream);
		}
		return true;
	}

	/**
	 * Return whether an event is not later than the last version, although no event
	 * between the last change and that version was reported before.
	 */
	private boolean isKnown(WatchEvent<T> event) {
		if (this.known == null) {
			return false;
		}
		boolean bookmark = event instanceof WatchEvent.Bookmark<T>;
		String version = (event instanceof WatchEvent.Bookmark<T> reached) ? reached.resourceVersion()
				: event.state().resourceVersion();
		boolean known = version != null
				&& (ResourceVersions.isBefore(version, this.known) || (!bookmark && version.equals(this.known)));
		if (!known) {
			this.known = null;
		}
		return known;
	}

	/**
	 * Opens the stream to follow.
	 */
	private interface Opening<T> {

		WatchStream<T> open() throws IOException;

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.StaleObjects;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.RetryDecider.Attempt;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * State of a {@link Reflector}. Publishes each change and each failure to the listener,
 * and logs them.
 * <p>
 * From the end of a watch until the next one is proven, the informer is failing: it does
 * not follow the server. An open watch proves nothing, because the server may end it with
 * a 410 after some milliseconds. A watch is proven by its first event, or after a second.
 * <p>
 * <b>Concurrency.</b> Thread-safe. This object's monitor guards the state and the events
 * that are not published yet. Usually the reflector's thread changes the state. It is
 * blocked while a watch is quiet, so the thread of the store reports the end of that
 * second. One thread at a time publishes events, without the monitor, so their order is
 * that of the changes.
 */
final class ReflectorStatus {

	private final ReflectorSettings settings;

	private final TimeSource time;

	private final InformerListener listener;

	private final StaleObjects staleObjects;

	private final ReflectorLog log;

	private final Queue<InformerEvent> events = new ArrayDeque<>();

	private boolean publishing;

	private InformerState state;

	private volatile @Nullable Moment lastActivity;

	/** Whether the server is known to have the changes that the cache contains. */
	private volatile boolean verified;

	private @Nullable InformerFailure failure;

	private @Nullable Moment failingSince;

	/** Whether the open watch has yet to be proven. */
	private boolean unproven;

	private long openedAt;

	ReflectorStatus(ReflectorSettings settings, TimeSource time, InformerListener listener, StaleObjects staleObjects,
			ReflectorLog log) {
		this.settings = settings;
		this.time = time;
		this.listener = listener;
		this.staleObjects = staleObjects;
		this.log = log;
		this.state = new InformerState(Phase.NOT_STARTED, time.moment(), null, null, null);
	}

	synchronized InformerState state() {
		return isProofDue() ? new InformerState(this.state.phase(), this.state.since(), null, null, null) : this.state;
	}

	@Nullable Moment lastActivity() {
		return this.lastActivity;
	}

	/**
	 * Record a response or an event of the server.
	 */
	void active() {
		this.lastActivity = this.time.moment();
	}

	/**
	 * Report that another server may answer the next request.
	 */
	void unverified() {
		this.verified = false;
	}

	/**
	 * Report that the server has the changes that the cache contains, or will contain
	 * after a list.
	 */
	void verified() {
		this.verified = true;
	}

	boolean isVerified() {
		return this.verified;
	}

	void listGrows(int pages, int objects) {
		this.log.listGrows(pages, objects);
	}

	void listed(ListMode mode, Duration duration, boolean success) {
		publish(new InformerEvent.Listed(this.settings.informer(), this.settings.namespace(), mode, duration, success));
	}

	void relisting(RelistReason reason) {
		publish(new InformerEvent.Relisting(this.settings.informer(), this.settings.namespace(), reason));
	}

	/**
	 * Prepare another run. State and failures of an earlier one do not count.
	 */
	void reset() {
		forgetFailure();
		synchronized (this) {
			this.state = new InformerState(Phase.NOT_STARTED, this.time.moment(), null, null, null);
		}
	}

	private void forgetFailure() {
		synchronized (this) {
			this.failure = null;
			this.failingSince = null;
		}
		ended();
	}

	/**
	 * Report that no recovery follows.
	 */
	void ended() {
		this.log.ended(this.settings);
	}

	void stopped() {
		forgetFailure();
		enter(Phase.STOPPED);
	}

	void enter(Phase phase) {
		enter(phase, null);
	}

	/**
	 * Report that the server has opened a watch.
	 */
	void watchOpened() {
		active();
		verified();
		synchronized (this) {
			this.unproven = this.failure != null || this.failingSince != null;
			this.openedAt = this.time.nanoTime();
		}
		enter(Phase.WATCHING);
	}

	/**
	 * Report that a list without a watch has succeeded, and return the moment.
	 */
	Moment polled() {
		Moment now = this.time.moment();
		enter(Phase.WATCHING);
		recovered();
		return now;
	}

	/**
	 * Report that a watch has ended or could not be opened.
	 */
	void watchEnded(WatchEnd end) {
		watchEnded(end, this.time.moment());
	}

	/**
	 * Report the end of a watch, after which the informer does not follow the server.
	 * @param since the time since which it does not, at the latest now
	 */
	void watchEnded(WatchEnd end, Moment since) {
		synchronized (this) {
			this.unproven = false;
			if (this.failingSince == null) {
				this.failingSince = since;
			}
		}
		publish(new InformerEvent.WatchEnded(this.settings.informer(), this.settings.namespace(), end));
		if (end != WatchEnd.STOPPED) {
			enter(Phase.CONNECTING);
		}
	}

	/**
	 * Return the nanoseconds until the open watch is proven, if it stays quiet;
	 * {@link Long#MAX_VALUE} if it is proven, or if no watch is open.
	 */
	synchronized long nanosToProof() {
		return this.unproven ? nanosToSecondAfterOpening() : Long.MAX_VALUE;
	}

	private long nanosToSecondAfterOpening() {
		return Math.max(0, TimeSource.nanos(AttemptOutcome.Progress.PROOF) - (this.time.nanoTime() - this.openedAt));
	}

	/**
	 * Return the nanoseconds until a watch has been open for a second,
	 * {@link Long#MAX_VALUE} if no watch is open.
	 */
	synchronized long nanosToSecond() {
		return (this.state.phase() == Phase.WATCHING) ? nanosToSecondAfterOpening() : Long.MAX_VALUE;
	}

	private boolean isProofDue() {
		return nanosToProof() == 0;
	}

	/**
	 * Report that the open watch is proven, if it has been open for a second.
	 */
	void checkProof() {
		recovered(false);
	}

	/**
	 * Report that the informer follows the server, after an event that proves it.
	 */
	void recovered() {
		recovered(true);
	}

	private void recovered(boolean proven) {
		String line;
		synchronized (this) {
			if ((this.failure == null && this.failingSince == null) || !(proven || isProofDue())) {
				return;
			}
			this.unproven = false;
			this.failure = null;
			this.failingSince = null;
			line = this.log.takeRecovery(this.settings);
			change(this.state.phase(), null);
		}
		if (line != null) {
			this.log.recovered(line);
		}
		publish();
	}

	/**
	 * Report a failure after which the next attempt waits, and return its moment, at
	 * which the delay begins.
	 */
	Moment retrying(FailureClassification failure, Phase phase, Duration delay, Attempt next) {
		Moment failed = failed(failure, action(next) + " in " + TimeSource.millis(delay) + " ms");
		enter(phase, TimeSource.plus(failed.time(), delay));
		return failed;
	}

	/**
	 * Report a permanent failure.
	 */
	void gaveUp(FailureClassification failure) {
		failed(failure, "giving up");
		enter(Phase.FAILED);
	}

	private Moment failed(FailureClassification classification, String action) {
		Moment now = this.time.moment();
		InformerFailure current = classification.toFailure(now.time(), "");
		InformerFailure previous;
		synchronized (this) {
			previous = this.failure;
			this.failure = current;
			if (this.failingSince == null) {
				this.failingSince = now;
			}
		}
		if (previous == null || previous.kind() != current.kind()) {
			this.log.failed(this.settings, classification, action);
		}
		publish(failedEvent(current));
		return now;
	}

	/**
	 * Report a failure after which the next attempt follows at once.
	 */
	void mentioned(FailureClassification classification, Attempt next) {
		String action = (next == Attempt.LIST_BY_PAGES) ? "listing by pages instead of a stream"
				: action(next) + " at once";
		this.log.mentioned(classification, action);
		publish(failedEvent(classification.toFailure(this.time.now(), action)));
	}

	private static String action(Attempt next) {
		return switch (next) {
			case LIST -> "listing again";
			case LIST_BY_PAGES -> "reading the page again";
			case CHECK_ROLLBACK, COMPARE, VERIFY_AND_WATCH, WATCH -> "reconnecting";
		};
	}

	/**
	 * Report an object that could not be decoded, which is no failure of the reflector.
	 */
	void undecodable(UndecodableObject object) {
		String key = object.state().key();
		String name = this.settings.resourceType().qualifiedName() + " "
				+ ((key != null) ? UntrustedText.of(key) : "with an unreadable name");
		this.staleObjects.add((key != null) ? key : StaleObjects.unnamed(this.settings.namespace()), object.reason(),
				this.time.now());
		this.log.undecodable(name, object.reason());
		publish(failedEvent(new InformerFailure(Kind.UNDECODABLE_OBJECT,
				"Cannot decode " + name + ": " + object.reason() + ". Its last readable state is kept, if it has one.",
				this.time.now(), new IllegalArgumentException(object.reason()))));
	}

	private InformerEvent failedEvent(InformerFailure failure) {
		return new InformerEvent.Failed(this.settings.informer(), this.settings.namespace(), null, failure);
	}

	private void enter(Phase phase, @Nullable Instant nextAttempt) {
		synchronized (this) {
			change(phase, nextAttempt);
		}
		publish();
	}

	private void change(Phase phase, @Nullable Instant nextAttempt) {
		Moment since = (this.state.phase() == phase) ? this.state.since() : this.time.moment();
		InformerState next = new InformerState(phase, since, this.failure, this.failingSince, nextAttempt);
		if (!next.equals(this.state)) {
			this.state = next;
			this.events.add(new InformerEvent.StateChanged(this.settings.informer(), this.settings.namespace(), next));
		}
	}

	private void publish(InformerEvent event) {
		synchronized (this) {
			this.events.add(event);
		}
		publish();
	}

	/**
	 * Publish the events, unless another thread is doing so.
	 */
	private void publish() {
		InformerEvent event = next(true);
		while (event != null) {
			try {
				this.listener.onEvent(event);
			}
			catch (RuntimeException | Error ex) {
				// the next change publishes the rest
				publishFailed();
				throw ex;
			}
			// A flag that a listener left would end the next request.
			Thread.interrupted();
			event = next(false);
		}
	}

	private synchronized void publishFailed() {
		this.publishing = false;
	}

	private synchronized @Nullable InformerEvent next(boolean first) {
		if (first && this.publishing) {
			return null;
		}
		InformerEvent event = this.events.poll();
		this.publishing = event != null;
		return event;
	}

}

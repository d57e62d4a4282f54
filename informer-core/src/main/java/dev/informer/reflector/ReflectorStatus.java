/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
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
import dev.informer.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.RetryDecision.Attempt;
import dev.informer.support.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * State of a {@link Reflector}. Publishes each change and each failure to the listener,
 * and logs one line per change of state, at a limited rate.
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

	private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

	/** Time without a failure after which the next one is logged as a new one. */
	private static final Duration QUIET = Duration.ofMinutes(1);

	/** Number of undecodable objects that are logged by name. */
	private static final int NAMED_OBJECTS = 5;

	private final ReflectorSettings settings;

	private final TimeSource time;

	private final InformerListener listener;

	private final Queue<InformerEvent> events = new ArrayDeque<>();

	private final FailureLog undecodable;

	private boolean publishing;

	private InformerState state;

	private volatile @Nullable Instant lastActivity;

	private @Nullable InformerFailure failure;

	private @Nullable Instant failingSince;

	/** Whether the open watch has yet to be proven. */
	private boolean unproven;

	private long openedAt;

	private FailureLog failures;

	private long lastFailure;

	/** Whether a failure was logged since the last recovery. */
	private boolean logged;

	ReflectorStatus(ReflectorSettings settings, TimeSource time, InformerListener listener) {
		this.settings = settings;
		this.time = time;
		this.listener = listener;
		this.state = new InformerState(Phase.NOT_STARTED, time.now(), null, null, null);
		this.failures = failureLog("", 1);
		this.undecodable = failureLog(": decoding", NAMED_OBJECTS);
	}

	private FailureLog failureLog(String subject, int lines) {
		String informer = this.settings.informer().name();
		return new FailureLog(logger, this.time, "Informer '" + informer + "'" + subject, Map.of("informer", informer),
				lines);
	}

	synchronized InformerState state() {
		return isProofDue() ? new InformerState(this.state.phase(), this.state.since(), null, null, null) : this.state;
	}

	@Nullable Instant lastActivity() {
		return this.lastActivity;
	}

	/**
	 * Record a response or an event of the server.
	 */
	void active() {
		this.lastActivity = this.time.now();
	}

	void listed(ListMode mode, Duration duration, boolean success) {
		publish(new InformerEvent.Listed(this.settings.informer(), this.settings.namespace(), mode, duration, success));
	}

	void relisting(RelistReason reason) {
		publish(new InformerEvent.Relisting(this.settings.informer(), this.settings.namespace(), reason));
	}

	/**
	 * Prepare another run. Failures of an earlier one do not count.
	 */
	synchronized void reset() {
		this.failure = null;
		this.failingSince = null;
		this.logged = false;
	}

	void stopped() {
		reset();
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
		synchronized (this) {
			this.unproven = this.failure != null || this.failingSince != null;
			this.openedAt = this.time.nanoTime();
		}
		enter(Phase.WATCHING);
	}

	/**
	 * Report that a watch has ended or could not be opened.
	 */
	void watchEnded(WatchEnd end) {
		watchEnded(end, this.time.now());
	}

	/**
	 * Report the end of a watch, after which the informer does not follow the server.
	 * @param end the end
	 * @param since the time since which it does not, at the latest now
	 */
	void watchEnded(WatchEnd end, Instant since) {
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
	 * Return the time until the open watch is proven, if it stays quiet.
	 * @return the time in nanoseconds; {@link Long#MAX_VALUE} if it is proven, or if no
	 * watch is open
	 */
	synchronized long nanosToProof() {
		long proof = TimeSource.nanos(WatchOutcome.Progress.PROOF);
		return this.unproven ? Math.max(0, proof - (this.time.nanoTime() - this.openedAt)) : Long.MAX_VALUE;
	}

	private boolean isProofDue() {
		return nanosToProof() == 0;
	}

	/**
	 * Report that the open watch is proven, if it has been open for a second.
	 * @return whether it was reported
	 */
	boolean checkProof() {
		return recovered(false);
	}

	/**
	 * Report that the informer follows the server, after an event that proves it.
	 */
	void recovered() {
		recovered(true);
	}

	private boolean recovered(boolean proven) {
		boolean log;
		synchronized (this) {
			if ((this.failure == null && this.failingSince == null) || !(proven || isProofDue())) {
				return false;
			}
			this.unproven = false;
			this.failure = null;
			this.failingSince = null;
			log = this.logged;
			this.logged = false;
			change(this.state.phase(), null);
		}
		if (log) {
			log(Level.INFO, "recovered, watching " + this.settings.where());
		}
		publish();
		return true;
	}

	/**
	 * Report a failure after which the next attempt waits.
	 */
	void retrying(FailureClassification failure, Phase phase, Duration delay, Attempt next) {
		failed(failure, action(next) + " in " + TimeSource.millis(delay) + " ms");
		enter(phase, TimeSource.plus(this.time.now(), delay));
	}

	/**
	 * Report a permanent failure.
	 */
	void gaveUp(FailureClassification failure) {
		failed(failure, "giving up");
		enter(Phase.FAILED);
	}

	private void failed(FailureClassification classification, String action) {
		InformerFailure current = classification.toFailure(this.time.now(), "");
		InformerFailure previous;
		synchronized (this) {
			previous = this.failure;
			this.failure = current;
			if (this.failingSince == null) {
				this.failingSince = current.time();
			}
		}
		if (previous == null || previous.kind() != current.kind()) {
			logFailure(current.kind(), classification.toLog(action));
		}
		publish(failedEvent(current));
	}

	/**
	 * Log the first failure of its kind. If the informer fails and recovers, or fails for
	 * another reason, again and again, the further ones are counted.
	 */
	private void logFailure(Kind kind, String line) {
		long now = this.time.nanoTime();
		if (now - this.lastFailure >= TimeSource.nanos(QUIET)) {
			this.failures.logSummary();
			this.failures = failureLog("", 1);
		}
		this.lastFailure = now;
		// A 410 is part of normal operation: the version was compacted.
		Level level = (kind == Kind.EXPIRED) ? Level.INFO : Level.WARN;
		boolean separately = this.failures.report(level, kind.name(), line(line), null);
		synchronized (this) {
			this.logged |= separately;
		}
	}

	/**
	 * Report a failure after which the next attempt follows at once.
	 */
	void mentioned(FailureClassification classification, Attempt next) {
		String action = (next == Attempt.LIST_BY_PAGES) ? "listing by pages instead of a stream"
				: action(next) + " at once";
		log(Level.DEBUG, classification.toLog(action));
		publish(failedEvent(classification.toFailure(this.time.now(), action)));
	}

	private static String action(Attempt next) {
		return switch (next) {
			case LIST -> "listing again";
			case LIST_BY_PAGES -> "reading the page again";
			case CHECK_ROLLBACK, COMPARE, WATCH -> "reconnecting";
		};
	}

	/**
	 * Report an object that could not be decoded, which is no failure of the reflector.
	 */
	void undecodable(UndecodableObject object) {
		String key = object.state().key();
		String name = this.settings.resourceType().qualifiedName() + " "
				+ ((key != null) ? key : "with an unreadable name");
		this.undecodable.report(Level.WARN, "undecodable objects",
				line("could not decode " + name + " (" + object.reason() + "); keeping its cached state"), null);
		publish(failedEvent(new InformerFailure(Kind.UNDECODABLE_OBJECT,
				"Cannot decode " + name + ": " + object.reason() + ". Its cached state is kept.", this.time.now(),
				new IllegalArgumentException(object.reason()))));
	}

	private void log(Level level, String line) {
		logger.atLevel(level).addKeyValue("informer", this.settings.informer().name()).log(line(line));
	}

	private String line(String predicate) {
		return "Informer '" + this.settings.informer().name() + "' " + predicate;
	}

	private InformerEvent failedEvent(InformerFailure failure) {
		return new InformerEvent.Failed(this.settings.informer(), this.settings.namespace(), failure);
	}

	private void enter(Phase phase, @Nullable Instant nextAttempt) {
		synchronized (this) {
			change(phase, nextAttempt);
		}
		publish();
	}

	private void change(Phase phase, @Nullable Instant nextAttempt) {
		Instant since = (this.state.phase() == phase) ? this.state.since() : this.time.now();
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
			this.listener.onEvent(event);
			// A flag that a listener left would end the next request.
			Thread.interrupted();
			event = next(false);
		}
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

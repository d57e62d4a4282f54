/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.time.Instant;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState.Phase;
import dev.informer.InformerState;
import dev.informer.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.RetryDecision.Attempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * State of a {@link Reflector}. Publishes each change and each failure to the listener,
 * and logs one line per change of state.
 * <p>
 * <b>Concurrency.</b> Written by the reflector's thread, read by any.
 */
final class ReflectorStatus {

	private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

	private final ReflectorSettings settings;

	private final TimeSource time;

	private final InformerListener listener;

	private volatile InformerState state;

	private volatile @Nullable Instant lastActivity;

	private @Nullable InformerFailure failure;

	private @Nullable Instant failingSince;

	ReflectorStatus(ReflectorSettings settings, TimeSource time, InformerListener listener) {
		this.settings = settings;
		this.time = time;
		this.listener = listener;
		this.state = new InformerState(Phase.NOT_STARTED, time.now(), null, null, null);
	}

	InformerState state() {
		return this.state;
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
		this.listener.onEvent(
				new InformerEvent.Listed(this.settings.informer(), this.settings.namespace(), mode, duration, success));
	}

	void watchEnded(WatchEnd end) {
		this.listener.onEvent(new InformerEvent.WatchEnded(this.settings.informer(), this.settings.namespace(), end));
	}

	void relisting(RelistReason reason) {
		this.listener.onEvent(new InformerEvent.Relisting(this.settings.informer(), this.settings.namespace(), reason));
	}

	void enter(Phase phase) {
		enter(phase, null);
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
		InformerFailure previous = this.failure;
		InformerFailure current = classification.toFailure(this.time.now(), "");
		this.failure = current;
		if (this.failingSince == null) {
			this.failingSince = current.time();
		}
		if (previous == null || previous.kind() != current.kind()) {
			// A 410 is part of normal operation: the version was compacted.
			log((current.kind() == Kind.EXPIRED) ? Level.INFO : Level.WARN, classification.toLog(action));
		}
		publish(current);
	}

	/**
	 * Report a failure after which the next attempt follows at once.
	 */
	void mentioned(FailureClassification failure, Attempt next) {
		String action = (next == Attempt.LIST_BY_PAGES) ? "listing by pages instead of a stream"
				: action(next) + " at once";
		log(Level.DEBUG, failure.toLog(action));
		publish(failure.toFailure(this.time.now(), action));
	}

	private static String action(Attempt next) {
		return switch (next) {
			case LIST -> "listing again";
			case LIST_BY_PAGES -> "reading the page again";
			case CHECK_ROLLBACK, WATCH -> "reconnecting";
		};
	}

	/**
	 * Report that the server answers again, after an attempt that proves it.
	 */
	void recovered() {
		if (this.failure == null) {
			return;
		}
		this.failure = null;
		this.failingSince = null;
		log(Level.INFO, "recovered, watching " + this.settings.where());
		enter(this.state.phase());
	}

	/**
	 * Report an object that could not be decoded, which is no failure of the reflector.
	 */
	void undecodable(UndecodableObject object) {
		String key = object.state().key();
		String name = this.settings.resourceType().qualifiedName() + " "
				+ ((key != null) ? key : "with an unreadable name");
		log(Level.WARN, "could not decode " + name + " (" + object.reason() + "); keeping its cached state");
		publish(new InformerFailure(Kind.UNDECODABLE_OBJECT,
				"Cannot decode " + name + ": " + object.reason() + ". Its cached state is kept.", this.time.now(),
				new IllegalArgumentException(object.reason())));
	}

	private void log(Level level, String line) {
		String informer = this.settings.informer().name();
		logger.atLevel(level).addKeyValue("informer", informer).log("Informer '{}' {}", informer, line);
	}

	private void publish(InformerFailure failure) {
		this.listener.onEvent(new InformerEvent.Failed(this.settings.informer(), this.settings.namespace(), failure));
	}

	private void enter(Phase phase, @Nullable Instant nextAttempt) {
		Instant since = (this.state.phase() == phase) ? this.state.since() : this.time.now();
		InformerState next = new InformerState(phase, since, this.failure, this.failingSince, nextAttempt);
		if (!next.equals(this.state)) {
			this.state = next;
			this.listener
				.onEvent(new InformerEvent.StateChanged(this.settings.informer(), this.settings.namespace(), next));
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.RetryDecision.Attempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What a {@link Reflector} is doing, told to its listener and, one line per change of
 * state, to the log. Written by the reflector's thread, read by any.
 */
final class ReflectorStatus {

	private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

	private final ReflectorSettings settings;

	private final TimeSource time;

	private final ReflectorListener listener;

	private volatile InformerState state;

	private volatile @Nullable Instant lastActivity;

	private @Nullable InformerFailure failure;

	private @Nullable Instant failingSince;

	ReflectorStatus(ReflectorSettings settings, TimeSource time, ReflectorListener listener) {
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
	 * The server was heard.
	 */
	void active() {
		this.lastActivity = this.time.now();
	}

	void listed(ListMode mode, Duration duration, boolean success) {
		this.listener.listed(mode, duration, success);
	}

	void watchEnded(WatchEnd end) {
		this.listener.watchEnded(end);
	}

	void relisting(RelistReason reason) {
		this.listener.relisting(reason);
	}

	void enter(Phase phase) {
		enter(phase, null);
	}

	/**
	 * Report a failure after which the next attempt waits.
	 */
	void retrying(FailureClassification failure, Phase phase, Duration delay) {
		failed(failure, "tries again in " + delay.toMillis() + " ms");
		enter(phase, Objects.requireNonNull(this.failure).time().plus(delay));
	}

	/**
	 * Report a permanent failure.
	 */
	void gaveUp(FailureClassification failure) {
		failed(failure, "gives up");
		enter(Phase.FAILED);
	}

	private void failed(FailureClassification failure, String action) {
		Instant now = this.time.now();
		InformerFailure previous = this.failure;
		this.failure = failure.toFailure(now);
		if (this.failingSince == null) {
			this.failingSince = now;
		}
		if (previous == null || previous.kind() != failure.kind()) {
			logger.atLevel((failure.kind() == Kind.EXPIRED) ? Level.INFO : Level.WARN)
				.addKeyValue("informer", this.settings.informer())
				.log("Informer '{}': {}; {}", this.settings.informer(), failure.message(), action);
		}
		this.listener.failed(this.failure);
	}

	/**
	 * Report a failure after which the next attempt follows at once.
	 */
	void mentioned(FailureClassification failure, Attempt next) {
		String message = failure.message() + "; "
				+ (next.isList() ? "lists by pages instead of a stream" : "watches again at once");
		logger.atDebug()
			.addKeyValue("informer", this.settings.informer())
			.log("Informer '{}': {}", this.settings.informer(), message);
		this.listener.failed(new InformerFailure(failure.kind(), message, this.time.now(), failure.cause()));
	}

	/**
	 * The last attempt was a success that can be relied on.
	 */
	void recovered() {
		InformerFailure previous = this.failure;
		if (previous == null) {
			return;
		}
		this.failure = null;
		this.failingSince = null;
		logger.atInfo()
			.addKeyValue("informer", this.settings.informer())
			.log("Informer '{}' follows {} again", this.settings.informer(), this.settings.where());
		enter(this.state.phase());
	}

	/**
	 * One object could not be decoded, which is no failure of the reflector.
	 */
	void undecodable(UndecodableObject object) {
		String name = Objects.requireNonNullElse(object.state().key(), "(name unreadable)");
		String message = "An object of " + this.settings.resourceType().qualifiedName()
				+ " does not fit its model and stays as it was: " + name + ": " + object.reason();
		logger.atWarn()
			.addKeyValue("informer", this.settings.informer())
			.log("Informer '{}': {}", this.settings.informer(), message);
		this.listener.failed(new InformerFailure(Kind.UNDECODABLE_OBJECT, message, this.time.now(),
				new IllegalArgumentException(object.reason())));
	}

	private void enter(Phase phase, @Nullable Instant nextAttempt) {
		Instant since = (this.state.phase() == phase) ? this.state.since() : this.time.now();
		InformerState next = new InformerState(phase, since, this.failure, this.failingSince, nextAttempt);
		if (!next.equals(this.state)) {
			this.state = next;
			this.listener.stateChanged(next);
		}
	}

}

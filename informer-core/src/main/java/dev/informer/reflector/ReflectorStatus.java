/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.TimeSource;
import dev.informer.client.UndecodableObject;
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

	void enter(Phase phase) {
		enter(phase, null);
	}

	/**
	 * Something failed, and is tried again after a delay.
	 */
	void failed(FailureClassification analysis, Phase phase, Duration delay) {
		Instant now = this.time.now();
		InformerFailure previous = this.failure;
		this.failure = analysis.toFailure(now);
		if (this.failingSince == null) {
			this.failingSince = now;
		}
		if (previous == null || previous.kind() != analysis.kind()) {
			logger.atLevel((analysis.kind() == Kind.EXPIRED) ? Level.INFO : Level.WARN)
				.addKeyValue("informer", this.settings.informer())
				.log("Informer '{}': {}; {}", this.settings.informer(), analysis.message(),
						(phase == Phase.FAILED) ? "gives up" : "tries again in " + delay.toMillis() + " ms");
		}
		this.listener.failed(this.failure);
		enter(phase, (phase != Phase.FAILED) ? now.plus(delay) : null);
	}

	/**
	 * Something failed that does not hold anything up.
	 * @param next what happens next
	 */
	void mentioned(FailureClassification analysis, String next) {
		String message = analysis.message() + "; " + next;
		logger.atDebug()
			.addKeyValue("informer", this.settings.informer())
			.log("Informer '{}': {}", this.settings.informer(), message);
		this.listener.failed(new InformerFailure(analysis.kind(), message, this.time.now(), analysis.cause()));
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

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.InformerFailure.Kind;
import dev.informer.TimeSource;
import dev.informer.support.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Log of a {@link Reflector}: one line per change of its state, at a limited rate. The
 * thread of the reflector logs failures, any thread logs recoveries.
 */
final class ReflectorLog {

	private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

	/** Time without a failure after which the next one is logged as a new one. */
	private static final Duration QUIET = Duration.ofMinutes(1);

	/** Number of undecodable objects that are logged by name. */
	private static final int NAMED_OBJECTS = 5;

	private final ReflectorSettings settings;

	private final TimeSource time;

	private final FailureLog undecodable;

	private FailureLog failures;

	private long lastFailure;

	private final AtomicBoolean failed = new AtomicBoolean();

	ReflectorLog(ReflectorSettings settings, TimeSource time) {
		this.settings = settings;
		this.time = time;
		this.failures = failureLog("", 1);
		this.undecodable = failureLog(": decoding", NAMED_OBJECTS);
	}

	private FailureLog failureLog(String subject, int lines) {
		String informer = this.settings.informer().name();
		return new FailureLog(logger, this.time, "Informer '" + informer + "'" + subject, Map.of("informer", informer),
				lines);
	}

	/**
	 * Log the first failure of its kind. If the informer fails and recovers, or fails for
	 * another reason, again and again, the further ones are counted.
	 */
	void failed(FailureClassification failure, String action) {
		long now = this.time.nanoTime();
		if (now - this.lastFailure >= TimeSource.nanos(QUIET)) {
			this.failures.logSummary();
			this.failures = failureLog("", 1);
		}
		this.lastFailure = now;
		// A 410 is part of normal operation: the version was compacted.
		Level level = (failure.kind() == Kind.EXPIRED) ? Level.INFO : Level.WARN;
		if (this.failures.report(level, failure.kind().name(), line(failure.toLog(action)), null)) {
			this.failed.set(true);
		}
	}

	/**
	 * Log a failure after which the next attempt follows at once.
	 */
	void mentioned(FailureClassification failure, String action) {
		log(Level.DEBUG, failure.toLog(action));
	}

	/**
	 * Return whether a failure was logged since the last call. If so, a recovery has to
	 * be logged as well.
	 */
	boolean takeFailed() {
		return this.failed.getAndSet(false);
	}

	void recovered() {
		log(Level.INFO, "recovered, watching " + this.settings.where());
	}

	void undecodable(String object, String reason) {
		this.undecodable.report(Level.WARN, "undecodable objects",
				line("could not decode " + object + " (" + reason + "); keeping its last state, if it has one"), null);
	}

	private void log(Level level, String line) {
		logger.atLevel(level).addKeyValue("informer", this.settings.informer().name()).log(line(line));
	}

	private String line(String predicate) {
		return "Informer '" + this.settings.informer().name() + "' " + predicate;
	}

}

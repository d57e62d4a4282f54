/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.client.FailureReason;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.CallResult.Kind;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.KeyQueue.Hold;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import dev.informer.work.WorkerThreads.Running;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Lines of the log about a reconciler and its calls. Thread-safe.
 */
final class CallLog {

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	/** Conflicts in a row that are not worth a warning: the cache is late. */
	private static final int EXPECTED_CONFLICTS = 4;

	private final String name;

	private final Map<String, String> context;

	private final FailureLog failures;

	CallLog(String name, TimeSource time) {
		this.name = name;
		this.context = Map.of("reconciler", name);
		this.failures = new FailureLog(logger, time::nanoTime, "Reconciler '" + name + "'", this.context, 1);
	}

	/**
	 * Return what each line has.
	 */
	Map<String, String> context() {
		return this.context;
	}

	void succeeded() {
		this.failures.logSummaryIfDue();
	}

	void stopped() {
		this.failures.logSummary();
	}

	/**
	 * Report a call that has failed, or is to be repeated.
	 */
	void ended(Entry entry, CallResult result, Throwable failure) {
		Duration delay = result.delay();
		String next = next(delay);
		int conflicts = entry.conflicts() + 1;
		if (result.kind() == Kind.FAILED) {
			this.failures.report((delay == null || failure instanceof Error) ? Level.ERROR : Level.WARN, "",
					message(entry, next), failure);
		}
		else if (result.kind() == Kind.CONFLICT && conflicts > EXPECTED_CONFLICTS) {
			this.failures.report(Level.WARN, "conflict",
					"Reconciler '" + this.name + "' had a conflict with another writer of "
							+ UntrustedText.of(entry.key) + " " + conflicts + " times in a row; " + next,
					failure);
		}
		else {
			this.failures.debug(
					"Reconciler '" + this.name + "' is called again for " + UntrustedText.of(entry.key) + "; " + next,
					failure);
		}
	}

	private static String next(@Nullable Duration delay) {
		return (delay != null) ? "retrying in " + TimeSource.millis(delay) + " ms"
				: "not retrying before the next change";
	}

	private String message(Entry entry, String next) {
		return "Reconciler '" + this.name + "' failed on " + UntrustedText.of(entry.key) + " (attempt "
				+ (entry.failures() + 1) + "); " + next;
	}

	void interrupted(Entry entry, Throwable failure) {
		this.failures.debug(message(entry, "interrupted, and repeated later"), failure);
	}

	void interrupted(String reason, List<Running<String>> calls) {
		calls.forEach((running) -> logger.atWarn()
			.addKeyValue("reconciler", this.name)
			.log("Reconciler '{}' {} and interrupted its call for {}, which has been running for {} ms", this.name,
					reason, UntrustedText.of(running.call()), TimeSource.millis(running.duration())));
	}

	/**
	 * Report a failure of what surrounds a call.
	 */
	void notCalled(String key, Throwable failure) {
		this.failures.report(Level.ERROR, "call",
				"Reconciler '" + this.name + "' could not be called for " + UntrustedText.of(key) + "; trying again",
				failure);
	}

	void interceptorFailed(String key, Throwable failure) {
		this.failures.report(Level.ERROR, "interceptor", "An interceptor of reconciler '" + this.name
				+ "' failed after the call for " + UntrustedText.of(key) + ", which has succeeded", failure);
	}

	/**
	 * Report what concerns no call.
	 * @param kind of several failures of a kind and a class in a row, all but the first
	 * are summed up
	 */
	void report(Level level, String kind, String message, @Nullable Throwable failure) {
		this.failures.report(level, kind, message, failure);
	}

	/**
	 * Report a question that the gate has not answered.
	 */
	void gateFailed(String question, Throwable failure) {
		this.failures.report(Level.ERROR, "gate", "Reconciler '" + this.name + "' could not ask its gate " + question
				+ "; asking again in " + TimeSource.millis(KeyQueue.GATE_RETRY) + " ms", failure);
	}

	void gateFailedToEnd(@Nullable String key, Throwable failure) {
		this.failures.report(Level.ERROR, "gate",
				"Reconciler '" + this.name + "' could not end its call for " + UntrustedText.of(key) + " at its gate",
				failure);
	}

	/**
	 * Report a list that held keys, or a takeover, wait for.
	 */
	void notListed(Throwable failure) {
		this.failures.report(Level.WARN, "list",
				"Reconciler '" + this.name + "' could not list what its informers select ("
						+ FailureReason.of(failure).text() + "); calls wait for that, and it is repeated",
				failure);
	}

	/**
	 * Report the writes of objects that no call sees.
	 */
	void written(List<? extends Hold> holds) {
		for (Hold hold : holds) {
			if (hold instanceof OwnWrite write && write.isHidden()) {
				this.failures.report(Level.WARN, "selector",
						"Reconciler '" + this.name + "' has written " + write.object() + ", which informer '"
								+ write.informer().name() + "' does not select: its calls do not see it",
						null);
			}
		}
	}

	void looping(String key, String loop) {
		logger.atWarn()
			.addKeyValue("reconciler", this.name)
			.log("Reconciler '{}' has been called for {} {}, and each call seems to cause the next one; "
					+ "write nothing that differs with each call, return a longer delay, or raise the minimum interval",
					this.name, UntrustedText.of(key), loop);
	}

}

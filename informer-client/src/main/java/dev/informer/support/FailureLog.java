/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Rate-limited log of failures that may repeat with each event. The first failure of each
 * kind and exception class is logged with its stack trace. Later ones are counted, and
 * the counts are logged as a summary at most once a minute. Each failure is logged at
 * DEBUG.
 * <p>
 * A summary is logged by the next failure or by {@link #logSummaryIfDue()} after the
 * minute, or by {@link #logSummary()}, so that no count is lost. A kind of failure that
 * did not occur for an hour is logged with its stack trace again.
 * <p>
 * The memory is bounded: names of exception classes are kept, neither exceptions nor
 * classes, and only {@value #MAX_KINDS} of them.
 * <p>
 * <b>Concurrency.</b> Thread-safe. This object's monitor guards the counts and is not
 * held while a line is logged, because an appender or the exception's own methods may
 * call anything.
 */
public final class FailureLog {

	private static final long SUMMARY_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final long FORGET_NANOS = TimeUnit.HOURS.toNanos(1);

	private static final int MAX_KINDS = 32;

	private static final int MAX_LINE = 1800;

	private static final int MAX_MESSAGE = 300;

	private static final String OTHER_KINDS = "other";

	private final Map<String, Occurrences> occurrences = new LinkedHashMap<>();

	private final Logger logger;

	private final LongSupplier nanoTime;

	private final String subject;

	private final Map<String, String> keyValues;

	private final int lines;

	/** Time since which failures are counted for the next summary. */
	private long countedSince;

	/** Number of failures to report in the next summary. */
	private long counted;

	private Level summaryLevel = Level.WARN;

	/**
	 * Create a log without failures. The subject is that of the sentence of a summary,
	 * for example {@code Informer 'pods': handler 'audit'}. Of each kind, the first
	 * {@code lines} failures are logged separately, and only the first one has its stack
	 * trace.
	 */
	public FailureLog(Logger logger, LongSupplier nanoTime, String subject, Map<String, String> keyValues, int lines) {
		this.logger = logger;
		this.nanoTime = nanoTime;
		this.subject = subject;
		this.keyValues = keyValues;
		this.lines = lines;
	}

	/**
	 * Log or count a failure. Its kind distinguishes failures of one exception class, and
	 * is empty for none; the message may contain names of objects.
	 * @return whether it was logged separately, not only counted
	 */
	public boolean report(Level level, String kind, String message, @Nullable Throwable cause) {
		String line = UntrustedText.line(message, MAX_LINE);
		logSummaryIfDue();
		long number = count(level, kind, cause);
		if (number <= this.lines) {
			log(level, line, (number == 1) ? cause : null);
		}
		else {
			log(Level.DEBUG, line, cause);
		}
		return number <= this.lines;
	}

	/**
	 * Log a failure that is expected, at DEBUG.
	 */
	public void debug(String message, Throwable cause) {
		log(Level.DEBUG, message, cause);
	}

	/**
	 * Return whether a failure of this class and without a kind was reported within the
	 * last hour, so that its stack trace was logged.
	 */
	public synchronized boolean isKnown(Throwable cause) {
		Occurrences same = this.occurrences.get(label("", cause));
		return same != null && this.nanoTime.getAsLong() - same.last <= FORGET_NANOS;
	}

	/**
	 * Return the class and the message of an exception, whose methods may throw, in one
	 * line of at most {@value #MAX_MESSAGE} characters and the name of the class.
	 */
	public static String describe(Throwable cause) {
		String message = FailureText.message(cause);
		if (message == null || message.isEmpty()) {
			return cause.getClass().getName();
		}
		return cause.getClass().getName() + ": " + UntrustedText.of(message, MAX_MESSAGE);
	}

	/**
	 * Log the summary if a minute has passed since the first failure in it. Call this
	 * with events that do not fail, so that the last summary is logged as well.
	 */
	public void logSummaryIfDue() {
		logSummary(SUMMARY_NANOS);
	}

	/**
	 * Log the summary of the failures that were counted since the last one, if there are
	 * any.
	 */
	public void logSummary() {
		logSummary(0);
	}

	private void logSummary(long minNanos) {
		Level level;
		String message;
		synchronized (this) {
			long nanos = this.nanoTime.getAsLong() - this.countedSince;
			if (this.counted == 0 || nanos < minNanos) {
				return;
			}
			String counts = this.occurrences.entrySet()
				.stream()
				.filter((entry) -> entry.getValue().counted > 0)
				.sorted((one, other) -> Long.compare(other.getValue().counted, one.getValue().counted))
				.map((entry) -> String.format(Locale.ROOT, "%s %,d", entry.getKey(), entry.getValue().counted))
				.collect(Collectors.joining(", "));
			level = this.summaryLevel;
			message = String.format(Locale.ROOT, "%s failed %,d more %s in the last %,d s (%s)", this.subject,
					this.counted, (this.counted == 1) ? "time" : "times", Math.max(1, Math.round(nanos / 1e9)), counts);
			this.counted = 0;
			this.occurrences.values().forEach((each) -> each.counted = 0);
		}
		log(level, message, null);
	}

	/**
	 * Count a failure, and return its number among the failures of its kind.
	 */
	private synchronized long count(Level level, String kind, @Nullable Throwable cause) {
		long now = this.nanoTime.getAsLong();
		String label = label(kind, cause);
		Occurrences same = this.occurrences.get(label);
		if (same == null || now - same.last > FORGET_NANOS) {
			this.occurrences.values().removeIf((each) -> each.counted == 0 && now - each.last > FORGET_NANOS);
			label = (this.occurrences.size() < MAX_KINDS) ? label : OTHER_KINDS;
			same = this.occurrences.computeIfAbsent(label, (key) -> new Occurrences());
		}
		same.last = now;
		same.total++;
		if (same.total > this.lines) {
			if (this.counted == 0) {
				this.countedSince = now;
				this.summaryLevel = level;
			}
			this.counted++;
			same.counted++;
			this.summaryLevel = (level.toInt() > this.summaryLevel.toInt()) ? level : this.summaryLevel;
		}
		return same.total;
	}

	private static String label(String kind, @Nullable Throwable cause) {
		if (cause == null) {
			return kind.isEmpty() ? OTHER_KINDS : kind;
		}
		String name = cause.getClass().getName();
		return (kind.isEmpty() ? "" : kind + ": ") + name.substring(name.lastIndexOf('.') + 1);
	}

	private void log(Level level, String message, @Nullable Throwable cause) {
		log(() -> builder(level), message, cause);
	}

	/**
	 * Log a line. Neither the logger nor the cause, whose methods it calls, can fail the
	 * caller: a line with a cause that cannot be logged has the name of its class.
	 */
	public static void log(Supplier<LoggingEventBuilder> line, String message, @Nullable Throwable cause) {
		try {
			line.get().setCause(cause).log(message);
		}
		catch (Throwable ex) {
			logWithoutCause(line, message, cause);
		}
	}

	private static void logWithoutCause(Supplier<LoggingEventBuilder> line, String message, @Nullable Throwable cause) {
		try {
			line.get().log((cause != null) ? message + " (" + label("", cause) + ")" : message);
		}
		catch (Throwable ex) {
			// a logger that fails twice has no place to report it
		}
	}

	private LoggingEventBuilder builder(Level level) {
		LoggingEventBuilder builder = this.logger.atLevel(level);
		this.keyValues.forEach(builder::addKeyValue);
		return builder;
	}

	/**
	 * Occurrences of one kind of failure.
	 */
	private static final class Occurrences {

		private long last;

		private long total;

		private long counted;

	}

}

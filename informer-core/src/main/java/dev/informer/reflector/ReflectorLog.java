/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

import dev.informer.InformerFailure.Kind;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.support.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Log of the {@link Reflector}s of an informer: one line per change of their state, at a
 * limited rate. A kind of failure is logged for the first namespace that has it. It is
 * logged again when the last one has recovered, whose line has the number of namespaces.
 * Permissions are granted in each namespace by itself, so several are logged.
 * <p>
 * <b>Concurrency.</b> Thread-safe. This object's monitor guards the outages and is not
 * held while a line is logged. A reflector is identified by its settings: that of a
 * namespace that has left may end after the next one of the namespace has begun.
 */
public final class ReflectorLog {

	private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

	/** Time without a failure after which the next one is logged as a new one. */
	private static final Duration QUIET = Duration.ofMinutes(1);

	/** Time between the beginnings of two outages that are both logged. */
	private static final Duration OUTAGES = Duration.ofSeconds(10);

	/** Number of outages in quick succession that are logged. */
	private static final int QUICK_OUTAGES = 3;

	/** Number of namespaces that are logged because of missing permissions. */
	private static final int FORBIDDEN_NAMESPACES = 10;

	/** Number of undecodable objects that are logged by name. */
	private static final int NAMED_OBJECTS = 5;

	private final SharedIndexInformer<?> informer;

	private final TimeSource time;

	private final FailureLog undecodable;

	private final Map<Kind, Outage> outages = new EnumMap<>(Kind.class);

	private FailureLog failures;

	private long lastFailure;

	/** Whether a namespace has recovered since the last failure. */
	private boolean recovered;

	public ReflectorLog(SharedIndexInformer<?> informer, TimeSource time) {
		this.informer = informer;
		this.time = time;
		this.failures = failureLog("", QUICK_OUTAGES);
		this.undecodable = failureLog(": decoding", NAMED_OBJECTS);
	}

	private FailureLog failureLog(String subject, int lines) {
		String name = this.informer.name();
		return new FailureLog(logger, this.time::nanoTime, "Informer '" + name + "'" + subject,
				Map.of("informer", name), lines);
	}

	/**
	 * Log the beginning of an outage, or another reason for it. If the informer fails and
	 * recovers, or fails for another reason, again and again, the further ones are
	 * counted.
	 */
	void failed(ReflectorSettings reflector, FailureClassification failure, String action) {
		Kind kind = failure.kind();
		FailureLog before;
		FailureLog current;
		synchronized (this) {
			before = this.failures;
			current = begin(reflector, kind) ? failures() : null;
		}
		if (current == null) {
			mentioned(failure, action);
			return;
		}
		if (current != before) {
			before.logSummary();
		}
		String label = (kind == Kind.FORBIDDEN && !reflector.namespace().isEmpty())
				? kind.name() + " in " + reflector.namespace() : kind.name();
		// A 410 is part of normal operation: the version was compacted.
		Level level = (kind == Kind.EXPIRED) ? Level.INFO : Level.WARN;
		if (current.report(level, label, line(failure.toLog(action)), null)) {
			logged(kind);
		}
	}

	/**
	 * Add a reflector to the outage of a kind, remove it from that of another one, and
	 * return whether it is to be logged.
	 */
	private boolean begin(ReflectorSettings reflector, Kind kind) {
		Outage next = this.outages.computeIfAbsent(kind, (any) -> new Outage());
		boolean first = next.failing.size() < lines(kind);
		this.outages.values().stream().filter((outage) -> outage.failing.remove(reflector)).forEach((outage) -> {
			if (outage.failing.isEmpty()) {
				// nothing else would log that recovery
				next.logged |= outage.logged;
				next.recovered.addAll(outage.recovered);
			}
		});
		next.failing.add(reflector);
		next.recovered.remove(reflector.namespace());
		this.outages.values().removeIf((outage) -> outage.failing.isEmpty());
		return first;
	}

	/**
	 * Return the log of failures, which is another one for a failure that is a new one.
	 */
	private FailureLog failures() {
		long now = this.time.nanoTime();
		if (now - this.lastFailure >= TimeSource.nanos(this.recovered ? OUTAGES : QUIET)) {
			this.failures = failureLog("", QUICK_OUTAGES);
		}
		this.recovered = false;
		this.lastFailure = now;
		return this.failures;
	}

	private synchronized void logged(Kind kind) {
		Outage outage = this.outages.get(kind);
		if (outage != null) {
			outage.logged = true;
		}
	}

	private static int lines(Kind kind) {
		return (kind == Kind.FORBIDDEN) ? FORBIDDEN_NAMESPACES : 1;
	}

	/**
	 * Log a failure after which the next attempt follows at once, or that another
	 * namespace has as well.
	 */
	void mentioned(FailureClassification failure, String action) {
		log(Level.DEBUG, failure.toLog(action));
	}

	/**
	 * Record that a reflector has recovered, and return the line for
	 * {@link #recovered(String)}, if any. Does not log, so that it can be called under a
	 * lock, with which it comes before the next failure of the reflector.
	 */
	synchronized @Nullable String takeRecovery(ReflectorSettings reflector) {
		return remove(reflector, true);
	}

	void listGrows(int pages, int objects) {
		log(Level.WARN, "has not reached the end of its list (" + pages + " pages with " + objects
				+ " objects); reading the next page");
	}

	void recovered(String line) {
		log(Level.INFO, line);
	}

	/**
	 * Forget the failure of a reflector that has ended. If it was the last one that
	 * failed, the others have recovered.
	 */
	void ended(ReflectorSettings reflector) {
		String line;
		synchronized (this) {
			line = remove(reflector, false);
		}
		if (line != null) {
			recovered(line);
		}
	}

	private @Nullable String remove(ReflectorSettings reflector, boolean recovered) {
		this.recovered = true;
		for (Map.Entry<Kind, Outage> entry : this.outages.entrySet()) {
			Outage outage = entry.getValue();
			if (outage.failing.remove(reflector)) {
				if (recovered) {
					outage.recovered.add(reflector.namespace());
				}
				if (outage.failing.isEmpty()) {
					this.outages.remove(entry.getKey());
				}
				return (outage.failing.size() < lines(entry.getKey())) ? line(outage) : null;
			}
		}
		return null;
	}

	private @Nullable String line(Outage outage) {
		Set<String> namespaces = Set.copyOf(outage.recovered);
		outage.recovered.clear();
		if (namespaces.isEmpty() || !outage.logged) {
			return null;
		}
		return "recovered, " + (this.informer.options().watch() ? "watching " : "polling ")
				+ ((namespaces.size() == 1) ? new ReflectorSettings(this.informer, namespaces.iterator().next()).where()
						: this.informer.resourceType().qualifiedName() + " in " + namespaces.size() + " namespaces");
	}

	void undecodable(String object, String reason) {
		this.undecodable.report(Level.WARN, "undecodable objects",
				line("could not decode " + object + " (" + reason + "); keeping its last state, if it has one"), null);
	}

	private void log(Level level, String line) {
		FailureLog.log(() -> logger.atLevel(level).addKeyValue("informer", this.informer.name()), line(line), null);
	}

	private String line(String predicate) {
		return "Informer '" + this.informer.name() + "' " + predicate;
	}

	/**
	 * Namespaces that fail, or have failed, for one reason.
	 */
	private static final class Outage {

		private final Set<ReflectorSettings> failing = Collections.newSetFromMap(new IdentityHashMap<>());

		/** Namespaces whose recovery was not logged, because others are failing. */
		private final Set<String> recovered = new HashSet<>();

		private boolean logged;

	}

}

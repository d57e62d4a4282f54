/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;
import dev.informer.fault.journal.InvocationEntry.End;
import dev.informer.fault.journal.InvocationEntry.Owned;
import dev.informer.fault.journal.JournalReader;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ReplicaHandler;
import org.jspecify.annotations.Nullable;

/**
 * Invocations and slots of one process, read from its journal while the process writes
 * it, and what the suite has done to the process. Not thread-safe.
 */
final class InvocationLog implements AutoCloseable {

	private final JournalReader<InvocationEntry> journal;

	/** Running invocations by number, without an end. */
	private final Map<Long, Invocation> running = new HashMap<>();

	private final List<Invocation> ended = new ArrayList<>();

	/** First begin of an invocation in each term. */
	private final NavigableMap<Integer, Long> terms = new TreeMap<>();

	/** Last handled states by UID. */
	private final Map<ReplicaHandler, Map<String, ObjectState>> handled = new EnumMap<>(ReplicaHandler.class);

	/** UIDs of objects that were delivered as deleted. */
	private final Set<String> deleted = new HashSet<>();

	private final List<Suspension> suspensions = new ArrayList<>();

	/** Owned slots in the order of time. */
	private final List<Owned> owned = new ArrayList<>();

	private @Nullable String holder;

	private int lastToken = InvocationEntry.NO_TOKEN;

	private @Nullable Long suspendedAt;

	private long terminatedAt = Long.MAX_VALUE;

	private @Nullable Long processEnd;

	/**
	 * Open the journal of a process.
	 */
	InvocationLog(Path path) throws IOException {
		this.journal = new JournalReader<>(path, InvocationEntry::parse);
	}

	/**
	 * Read the entries that were written since the last call.
	 */
	void read() throws IOException {
		for (InvocationEntry entry : this.journal.read()) {
			if (entry instanceof Begin begin) {
				begun(begin);
			}
			else if (entry instanceof End end) {
				ended(end);
			}
			else if (entry instanceof Owned slots) {
				this.owned.add(slots);
			}
		}
	}

	private void begun(Begin begin) {
		this.holder = begin.holder();
		if (begin.token() != InvocationEntry.NO_TOKEN) {
			this.lastToken = begin.token();
			this.terms.merge(begin.token(), begin.time(), Math::min);
		}
		if (begin.deleted()) {
			this.deleted.add(begin.state().uid());
		}
		this.running.put(begin.number(), new Invocation(begin, this.lastToken, Long.MAX_VALUE));
	}

	private void ended(End end) {
		Invocation invocation = this.running.remove(end.number());
		if (invocation == null) {
			throw new IllegalStateException("End without begin in the journal: " + end.toLine());
		}
		this.ended.add(invocation.until(end.time()));
		if (end.handled()) {
			Begin begin = invocation.entry();
			ObjectState state = begin.state();
			this.handled.computeIfAbsent(begin.handler(), (handler) -> new HashMap<>()).put(state.uid(), state);
		}
	}

	/**
	 * Return the identity of the process.
	 * @return the identity; {@code null} before its first invocation
	 */
	@Nullable String holder() {
		return this.holder;
	}

	/**
	 * Return the fencing token of the last invocation.
	 */
	int lastToken() {
		return this.lastToken;
	}

	/**
	 * Return the time of the first invocation in each term by fencing token.
	 */
	NavigableMap<Integer, Long> terms() {
		return this.terms;
	}

	/**
	 * Return all invocations.
	 * @param now the end of those that are running
	 */
	List<Invocation> invocations(long now) {
		long end = (this.processEnd != null) ? this.processEnd : now;
		List<Invocation> all = new ArrayList<>(this.ended);
		this.running.values().forEach((invocation) -> all.add(invocation.until(end)));
		return all;
	}

	/**
	 * Return the time at which the last invocation has ended, that of the end of the
	 * process if it has ended before.
	 */
	long lastEnd() {
		return invocations(System.nanoTime()).stream().mapToLong(Invocation::end).max().orElse(Long.MIN_VALUE);
	}

	boolean isRunning(ReplicaHandler handler) {
		return this.running.values().stream().anyMatch((invocation) -> invocation.entry().handler() == handler);
	}

	/**
	 * Return whether a handler has completed an invocation for a state or a later one.
	 */
	boolean hasHandled(ReplicaHandler handler, ObjectState state) {
		ObjectState last = this.handled.getOrDefault(handler, Map.of()).get(state.uid());
		return last != null && !state.isNewerThan(last);
	}

	/**
	 * Note that the server has gone back: an object of an older version has to be handled
	 * again.
	 * @param version the highest resource version of the server
	 */
	void rolledBack(long version) {
		this.handled.values()
			.forEach((states) -> states.values().removeIf((state) -> Long.parseLong(state.version()) > version));
	}

	/**
	 * Return the UIDs of the objects that were delivered as deleted.
	 */
	Set<String> deleted() {
		return this.deleted;
	}

	/**
	 * Return the owned slots at each change, in the order of time.
	 */
	List<Owned> owned() {
		return this.owned;
	}

	/**
	 * Return the latest owned slots.
	 * @return the slots; {@code null} if the process has never joined
	 */
	@Nullable Owned lastOwned() {
		return this.owned.isEmpty() ? null : this.owned.get(this.owned.size() - 1);
	}

	/**
	 * Return the slots that the process owned at a time.
	 * @return the slots; {@code null} if it was no member or has ended
	 */
	@Nullable Owned ownedAt(long time) {
		Owned last = null;
		for (Owned slots : this.owned) {
			if (slots.time() <= time) {
				last = slots;
			}
		}
		return (this.processEnd == null || time < this.processEnd) ? last : null;
	}

	/**
	 * Return the time at which the owned slots have changed, or the process has ended.
	 */
	long ownedUntil(Owned slots) {
		int next = this.owned.indexOf(slots) + 1;
		if (next < this.owned.size()) {
			return this.owned.get(next).time();
		}
		return (this.processEnd != null) ? this.processEnd : Long.MAX_VALUE;
	}

	/**
	 * Return whether the process has lost all its slots between two times.
	 */
	boolean hasLostSlots(long from, long to) {
		return this.owned.stream()
			.anyMatch((slots) -> slots.slots().isEmpty() && slots.time() >= from && slots.time() <= to);
	}

	/**
	 * Return whether the process has neither ended nor is suspended.
	 */
	boolean isRunning() {
		return this.processEnd == null && this.suspendedAt == null;
	}

	/**
	 * Find a suspension within a time that began before another one.
	 */
	Optional<Suspension> suspendedWithin(long begin, long end, long before) {
		return this.suspensions.stream()
			.filter((suspension) -> begin <= suspension.begin() && end >= suspension.end()
					&& suspension.begin() < before)
			.findFirst();
	}

	List<Suspension> suspensions() {
		return this.suspensions;
	}

	/**
	 * Note that all threads of the process are suspended.
	 */
	void suspended(long time) {
		this.suspendedAt = time;
	}

	/**
	 * Note that the process is about to be resumed.
	 */
	void resumed(long time) {
		if (this.suspendedAt != null) {
			this.suspensions.add(new Suspension(this.suspendedAt, time));
			this.suspendedAt = null;
		}
	}

	/**
	 * Note that the process is about to receive SIGTERM. Invocations that begin after
	 * that may not be leader any more, although none is cut off.
	 */
	void terminated(long time) {
		this.terminatedAt = time;
	}

	long terminatedAt() {
		return this.terminatedAt;
	}

	/**
	 * Note that the process has ended.
	 */
	void processEnded(long time) {
		this.processEnd = time;
	}

	@Override
	public void close() throws IOException {
		this.journal.close();
	}

}

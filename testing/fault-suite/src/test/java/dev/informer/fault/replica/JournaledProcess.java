/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;
import dev.informer.fault.journal.InvocationEntry.End;
import dev.informer.fault.journal.InvocationEntry.Owned;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ReplicaHandler;

/**
 * Process whose journal a test writes by hand.
 */
final class JournaledProcess {

	static final String KEY = "fault/object";

	private final String holder;

	private final JournalWriter writer;

	private final InvocationLog log;

	private long number;

	JournaledProcess(Path folder, String holder) throws IOException {
		this.holder = holder;
		Path file = folder.resolve(holder + ".txt");
		this.writer = new JournalWriter(file);
		this.log = new InvocationLog(file);
	}

	/**
	 * Write the begin and the end of an invocation.
	 */
	JournaledProcess invoke(ReplicaHandler handler, int token, long begin, long end) {
		return begin(handler, token, begin, begin).end(true, end);
	}

	/**
	 * Write the begin of an invocation.
	 */
	JournaledProcess begin(ReplicaHandler handler, int token, long checkedAfter, long begin) {
		return begin(handler, "uid@5", token, checkedAfter, begin);
	}

	/**
	 * Write the begin of an invocation for a state of the object.
	 */
	JournaledProcess begin(ReplicaHandler handler, String state, int token, long checkedAfter, long begin) {
		return begin(handler, state, false, token, checkedAfter, begin);
	}

	/**
	 * Write the begin of an invocation for the last state of a deleted object.
	 */
	JournaledProcess beginDeleted(ReplicaHandler handler, String state, long begin) {
		return begin(handler, state, true, InvocationEntry.NO_TOKEN, begin, begin);
	}

	private JournaledProcess begin(ReplicaHandler handler, String state, boolean deleted, int token, long checkedAfter,
			long begin) {
		String[] parts = state.split("@");
		this.writer.write(new Begin(this.holder, ++this.number, handler, KEY, new ObjectState(parts[0], parts[1]),
				deleted, token, checkedAfter, begin)
			.toLine());
		return this;
	}

	/**
	 * Write the end of the last invocation.
	 */
	JournaledProcess end(boolean handled, long end) {
		this.writer.write(new End(this.holder, this.number, handled, end).toLine());
		return this;
	}

	/**
	 * Write the owned slots.
	 */
	JournaledProcess own(long time, Integer... slots) {
		this.writer.write(new Owned(this.holder, time, Set.of(slots)).toLine());
		return this;
	}

	/**
	 * Return what the suite knows of the process.
	 */
	InvocationLog log() throws IOException {
		this.log.read();
		return this.log;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Begin or end of an invocation of a handler of a replica, or slots that the replica
 * owns, one line of a journal.
 * <p>
 * Times are those of {@link System#nanoTime()}. On Linux that is {@code CLOCK_MONOTONIC},
 * which all processes of a machine share, which continues while a process is suspended,
 * and which no change of the wall clock affects.
 */
public sealed interface InvocationEntry {

	/**
	 * Token of an invocation whose process was not leader at its first statement, or that
	 * has no leader.
	 */
	int NO_TOKEN = -1;

	/**
	 * Return the identity of the process in the election or in the group.
	 */
	String holder();

	/**
	 * Return the time of the first or the last statement of the handler, or of the change
	 * of the slots.
	 */
	long time();

	/**
	 * Return the line of the journal.
	 */
	String toLine();

	/**
	 * Parse the text of a line.
	 */
	static InvocationEntry parse(String line) {
		String[] parts = line.split(" ");
		return switch (parts[0]) {
			case "BEGIN" -> new Begin(parts[1], Long.parseLong(parts[2]), ReplicaHandler.valueOf(parts[3]), parts[4],
					ObjectState.parse(parts[5]), Boolean.parseBoolean(parts[6]), Integer.parseInt(parts[7]),
					Long.parseLong(parts[8]), Long.parseLong(parts[9]));
			case "END" ->
				new End(parts[1], Long.parseLong(parts[2]), Boolean.parseBoolean(parts[3]), Long.parseLong(parts[4]));
			case "OWNED" -> new Owned(parts[1], Long.parseLong(parts[2]),
					Stream.of(parts).skip(3).map(Integer::valueOf).collect(Collectors.toUnmodifiableSet()));
			default -> throw new IllegalArgumentException("Unknown line in the journal: " + line);
		};
	}

	private static String join(Object... parts) {
		String[] words = new String[parts.length];
		for (int i = 0; i < parts.length; i++) {
			words[i] = parts[i].toString();
		}
		return String.join(" ", words);
	}

	/**
	 * Begin of an invocation.
	 *
	 * @param holder the identity of the process
	 * @param number the number of the invocation, unique in the process
	 * @param handler the handler
	 * @param key the namespace and name of the object
	 * @param state the delivered state
	 * @param deleted whether it is the last state of a deleted object
	 * @param token the fencing token, {@link #NO_TOKEN} for none
	 * @param checkedAfter the time before the leadership was checked
	 * @param time the time of the first statement
	 */
	record Begin(String holder, long number, ReplicaHandler handler, String key, ObjectState state, boolean deleted,
			int token, long checkedAfter, long time) implements InvocationEntry {

		@Override
		public String toLine() {
			return join("BEGIN", this.holder, this.number, this.handler.name(), this.key, this.state, this.deleted,
					this.token, this.checkedAfter, this.time);
		}

	}

	/**
	 * End of an invocation.
	 *
	 * @param holder the identity of the process
	 * @param number the number of the invocation, unique in the process
	 * @param handled whether the handler has completed, without an exception
	 * @param time the time of the last statement
	 */
	record End(String holder, long number, boolean handled, long time) implements InvocationEntry {

		@Override
		public String toLine() {
			return join("END", this.holder, this.number, this.handled, this.time);
		}

	}

	/**
	 * Slots that the process owns from now on. The first line of a term has none.
	 *
	 * @param holder the identity of the process
	 * @param time the time
	 * @param slots the slots
	 */
	record Owned(String holder, long time, Set<Integer> slots) implements InvocationEntry {

		@Override
		public String toLine() {
			return Stream.concat(Stream.of("OWNED", this.holder, this.time), this.slots.stream().sorted())
				.map(Object::toString)
				.collect(Collectors.joining(" "));
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

/**
 * Begin or end of an invocation of a leader-only handler, one line of a journal.
 * <p>
 * Times are those of {@link System#nanoTime()}. On Linux that is {@code CLOCK_MONOTONIC},
 * which all processes of a machine share, which continues while a process is suspended,
 * and which no change of the wall clock affects.
 */
public sealed interface InvocationEntry extends JournalLine {

	/** Token of an invocation whose process was not leader at its first statement. */
	int NO_TOKEN = -1;

	/**
	 * Return the identity of the process in the election.
	 * @return the identity
	 */
	String holder();

	/**
	 * Return the number of the invocation.
	 * @return the number, unique in the process
	 */
	long number();

	/**
	 * Return the time of the first or the last statement of the handler.
	 * @return nanoseconds
	 */
	long time();

	/**
	 * Parse the text of a line.
	 * @param line the text
	 * @return the entry
	 */
	static InvocationEntry parse(String line) {
		String[] parts = line.split(" ");
		long number = Long.parseLong(parts[2]);
		return switch (parts[0]) {
			case "BEGIN" ->
				new Begin(parts[1], number, LeaderHandler.valueOf(parts[3]), parts[4], ObjectState.parse(parts[5]),
						Integer.parseInt(parts[6]), Long.parseLong(parts[7]), Long.parseLong(parts[8]));
			case "END" -> new End(parts[1], number, Boolean.parseBoolean(parts[3]), Long.parseLong(parts[4]));
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
	 * @param number the number of the invocation
	 * @param handler the handler
	 * @param key the namespace and name of the object
	 * @param state the delivered state
	 * @param token the fencing token, {@link #NO_TOKEN} for none
	 * @param checkedAfter the time before the leadership was checked
	 * @param time the time of the first statement
	 */
	record Begin(String holder, long number, LeaderHandler handler, String key, ObjectState state, int token,
			long checkedAfter, long time) implements InvocationEntry {

		@Override
		public String toLine() {
			return join("BEGIN", this.holder, this.number, this.handler.name(), this.key, this.state, this.token,
					this.checkedAfter, this.time);
		}

	}

	/**
	 * End of an invocation.
	 *
	 * @param holder the identity of the process
	 * @param number the number of the invocation
	 * @param handled whether the handler has completed, without an exception
	 * @param time the time of the last statement
	 */
	record End(String holder, long number, boolean handled, long time) implements InvocationEntry {

		@Override
		public String toLine() {
			return join("END", this.holder, this.number, this.handled, this.time);
		}

	}

}

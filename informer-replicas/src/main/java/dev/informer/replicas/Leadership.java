/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.Optional;
import java.util.OptionalInt;

import dev.informer.HandlerOptions;
import dev.informer.InvocationGate;

/**
 * Leadership of this process in one election between the replicas of an application. At
 * most one replica is leader at a time.
 * <p>
 * A leader remains leader until the renew deadline has passed since it <em>sent</em> its
 * last successful renewal, by the monotonic clock of this process. The wall clock is not
 * used. After a pause of the process, such as a SIGSTOP or a long garbage collection,
 * {@link #isLeader()} and {@link #begin()} therefore see that time has passed, even
 * before anything else has noticed.
 *
 * @see #gate()
 */
public interface Leadership extends Coordination {

	/**
	 * Return the name of the election.
	 * @return the name
	 */
	String election();

	/**
	 * Return whether this process is leader now.
	 * @return whether this process is leader
	 */
	boolean isLeader();

	/**
	 * Return the number of the current term, which is the number of transitions of the
	 * Lease. It grows with each term of any replica. A storage that rejects smaller
	 * numbers than the largest one that it has seen excludes a former leader whose
	 * invocation ignores its interrupt.
	 * @return the fencing token; empty if this process is not leader
	 */
	OptionalInt fencingToken();

	/**
	 * Return the identity of the leader, as far as this process has observed it. It may
	 * have expired. What another process has written is in one line of at most 500
	 * characters, without credentials.
	 * @return the identity; empty if there is no leader
	 */
	Optional<String> leader();

	/**
	 * Begin work that only the leader may do. Call this immediately before the work: no
	 * time of the renew deadline is left if it returns {@code false}. A leader that stops
	 * releases its leadership only after all work has ended.
	 * @return whether the work may begin; call {@link #end()} after it
	 */
	boolean begin();

	/**
	 * End work that a successful {@link #begin()} has begun.
	 */
	void end();

	/**
	 * Return the leadership of a gate.
	 * @param gate the gate
	 * @return the leadership; empty for a gate of another kind
	 */
	static Optional<Leadership> of(InvocationGate gate) {
		return (gate instanceof LeadershipGate known) ? Optional.of(known.leadership()) : Optional.empty();
	}

	/**
	 * Return the gate of handlers that are invoked only while this process is leader. A
	 * process that becomes leader delivers the events that the handler has not received:
	 * at first, each object as added.
	 * @return the gate, for {@link HandlerOptions.Builder#gate}
	 */
	default InvocationGate gate() {
		return new LeadershipGate(this);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.informer.leader.LeaderElectionOptions;
import dev.informer.leader.LeaderElector;
import dev.informer.lease.LeaseFailure;
import dev.informer.shard.ShardMember;
import dev.informer.spring.MissingLeasePermissionException;

/**
 * Participant in a coordination of replicas by Leases.
 *
 * @param start the start, which returns immediately
 * @param awaitAnswer the wait for the first answer of the API server
 * @param stop the stop, which waits for running work
 * @param failure the supplier of the latest failure
 * @param missingPermission the function that creates an exception from the message of a
 * failure
 */
record LeaseParticipant(Runnable start, Wait awaitAnswer, Wait stop, Supplier<Optional<LeaseFailure>> failure,
		Function<String, MissingLeasePermissionException> missingPermission) {

	static LeaseParticipant of(LeaderElector elector) {
		LeaderElectionOptions options = elector.options();
		return new LeaseParticipant(elector::start, elector::awaitAnswer, elector::stop, elector::failure,
				(message) -> new MissingLeasePermissionException(message, options.leaseNamespace(),
						options.leaseName()));
	}

	static LeaseParticipant of(ShardMember member) {
		return new LeaseParticipant(member::start, member::awaitAnswer, member::stop, member::failure,
				(message) -> new MissingLeasePermissionException(message, member.options().namespace(), null));
	}

	/**
	 * Return the exception for a permission that is missing.
	 */
	Optional<MissingLeasePermissionException> findMissingPermission() {
		return this.failure.get()
			.filter(LeaseFailure::forbidden)
			.map(LeaseFailure::message)
			.map(this.missingPermission);
	}

	/**
	 * Action that waits.
	 */
	@FunctionalInterface
	interface Wait {

		void run(Duration timeout) throws InterruptedException;

	}

}

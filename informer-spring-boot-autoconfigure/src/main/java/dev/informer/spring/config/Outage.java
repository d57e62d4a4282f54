/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;

/**
 * Time for which an informer has not followed the server. It begins with the first
 * failure in a row or, without a failure, with a list or a connection, and ends when a
 * watch has proved that the server answers.
 *
 * @param permanent whether the informer does not retry
 */
public record Outage(Moment since, boolean permanent, String reason) {

	/**
	 * Return the outage of an informer; with several namespaces, the one that is reported
	 * first. There is none if the informer follows the server, is not running, or is not
	 * required and its resource is absent.
	 */
	public static Optional<Outage> of(SharedIndexInformer<?> informer, boolean required) {
		String unexplained = ShardStatus.of(informer)
			.filter((shard) -> shard.assignedSlots() == null)
			.map((shard) -> "Waiting for the slots of group '" + shard.group() + "', see the health informerSharding")
			.orElse("No watch is open");
		return states(informer).stream()
			.flatMap((state) -> of(state, required, unexplained).stream())
			.min(Comparator.comparing(Outage::permanent).reversed().thenComparing(Outage::since));
	}

	/**
	 * Return the states of the namespaces. While their selection fails, namespaces may
	 * have joined or left unnoticed, so its state is one of them. Namespaces that are
	 * omitted have none.
	 */
	private static Collection<InformerState> states(SharedIndexInformer<?> informer) {
		List<InformerState> states = new ArrayList<>(informer.statesByNamespace().values());
		InformerState worst = informer.state();
		if (states.isEmpty()) {
			states.add(worst);
		}
		else if (worst.phase() != Phase.NOT_STARTED && worst.phase() != Phase.STOPPED) {
			informer.namespaceInformer().map(SharedIndexInformer::state).ifPresent(states::add);
			if (!informer.omittedNamespaces().isEmpty()) {
				// the only one with that failure
				states.add(worst);
			}
		}
		return states;
	}

	private static Optional<Outage> of(InformerState state, boolean required, String unexplained) {
		Phase phase = state.phase();
		Moment failingSince = state.failingSince();
		boolean healthy = phase == Phase.WATCHING && failingSince == null;
		if (healthy || isIdle(state, required)) {
			return Optional.empty();
		}
		return Optional.of(new Outage((failingSince != null) ? failingSince : state.since(), phase == Phase.FAILED,
				reason(state, unexplained)));
	}

	/**
	 * Return whether an informer is not started, stopped, or optional and its resource is
	 * not served.
	 * @param state the state of the informer, or of one of its namespaces
	 * @param required whether the informer is required
	 * @return whether nothing is expected of it
	 */
	public static boolean isIdle(InformerState state, boolean required) {
		Phase phase = state.phase();
		return phase == Phase.NOT_STARTED || phase == Phase.STOPPED || (phase == Phase.DORMANT && !required);
	}

	private static String reason(InformerState state, String unexplained) {
		InformerFailure failure = state.failure();
		if (failure != null) {
			return failure.message();
		}
		return (state.phase() == Phase.WATCHING) ? "The watch was opened a moment ago and has received nothing yet"
				: unexplained + ", the phase is " + state.phase();
	}

	/**
	 * Return the nanoseconds until the outage is reported, by the time source of the
	 * informer; zero or negative if it is due. A permanent failure is reported at once,
	 * and setting the wall clock changes nothing.
	 */
	public long nanosToReport(Duration failingThreshold, TimeSource time) {
		return this.permanent ? 0 : TimeSource.nanos(failingThreshold) - TimeSource.nanos(this.since.age(time));
	}

}

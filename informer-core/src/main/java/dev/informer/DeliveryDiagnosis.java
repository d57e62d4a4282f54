/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Description of the delivery of one object to one handler: what was delivered last, and
 * why nothing is delivered now. Immutable. It contains namespace, name, UID, versions and
 * times, and no other content of the object.
 *
 * @param namespace the namespace of the object; {@code null} if the resource is not
 * namespaced
 * @param name the name of the object
 * @param lastDelivered the last delivered state, from which the next event is computed;
 * {@code null} if the handler does not know the object. A state whose retries are
 * exhausted, or whose event the handler does not accept, counts as delivered
 * @param current the state in the cache; {@code null} if the object is not cached
 * @param pending whether an event is pending, waits for its retry, is held or is being
 * delivered
 * @param failedAttempts the number of failed attempts in a row to deliver the pending
 * event
 * @param nextAttempt the time of the next attempt; {@code null} if no retry is waiting
 * @param lastDelivery the last delivery to the handler; {@code null} if it is not
 * recorded. A handler records the deliveries of the last 1,000 objects
 * @param causes the causes, the most decisive one first; never empty
 * @see HandlerRegistration#diagnose(String, String)
 */
public record DeliveryDiagnosis(@Nullable String namespace, String name, @Nullable Version lastDelivered,
		@Nullable Version current, boolean pending, int failedAttempts, @Nullable Instant nextAttempt,
		@Nullable Delivery lastDelivery, List<HandlerDiagnosis.Cause> causes) {

	/**
	 * Copy the causes.
	 */
	public DeliveryDiagnosis {
		causes = List.copyOf(causes);
	}

	/**
	 * Version of an object.
	 *
	 * @param uid the UID
	 * @param resourceVersion the resource version
	 */
	public record Version(@Nullable String uid, @Nullable String resourceVersion) {
	}

	/**
	 * Delivery of an event to a handler.
	 *
	 * @param event the type of the event
	 * @param version the version of the object of the event
	 * @param time the time at which the delivery ended
	 * @param outcome the outcome
	 * @param error the name of the class of the exception; {@code null} without one
	 */
	public record Delivery(ResourceEvent.Type event, Version version, Instant time, Outcome outcome,
			@Nullable String error) {
	}

	/**
	 * Outcomes of a delivery.
	 */
	public enum Outcome {

		/** The handler has returned. */
		HANDLED,

		/** The handler was not invoked, because it does not accept the type of event. */
		NOT_ACCEPTED,

		/** The handler has thrown, and the retries are exhausted. */
		RETRIES_EXHAUSTED

	}

}

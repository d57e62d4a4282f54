/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.OptionalInt;
import java.util.Set;

import dev.informer.InvocationGate;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Context of one call of a {@link Reconciler}.
 */
public interface ReconcileContext {

	/**
	 * Return the objects that the primary object owns, as they are in the cache when the
	 * call begins.
	 * @param <S> the type of the objects
	 * @param type their class
	 * @return the objects
	 * @throws IllegalArgumentException if the reconciler owns no objects of the class
	 * @see ReconcilerOptions.Builder#owns
	 */
	<S extends KubernetesObject> Owned<S> owned(Class<S> type);

	/**
	 * Return the objects to which the primary object refers, as they are in the cache
	 * when the call begins.
	 * @param <S> the type of the objects
	 * @param type their class
	 * @return the objects
	 * @throws IllegalArgumentException if the reconciler watches no objects of the class
	 * by an index
	 * @see ReconcilerOptions.Builder#watches
	 */
	<S extends KubernetesObject> Watched<S> watched(Class<S> type);

	/**
	 * Return the number of this attempt: 1 plus the number of calls for the object that
	 * have failed since the last success.
	 * @return the number
	 */
	int attempt();

	/**
	 * Return the reasons of this call since the last success.
	 * @return the reasons, at least one
	 */
	Set<Trigger> triggers();

	/**
	 * Return the fencing token that the gate had at the begin of this call. It remains
	 * the same when the gate closes and opens again, so that a storage can reject what
	 * this call writes after that.
	 * @return the token; empty for a gate without one, or that had closed already
	 * @see InvocationGate#fencingToken()
	 */
	OptionalInt fencingToken();

	/**
	 * Reasons of a call.
	 */
	enum Trigger {

		/** The primary object was added or changed. */
		PRIMARY,

		/** An object that it owns, or has owned, was added, changed or deleted. */
		OWNED,

		/** An object to which it refers was added, changed or deleted. */
		WATCHED,

		/** The delay that an earlier call has returned is over. */
		DELAY,

		/** {@link ReconcilerRegistration#request}. */
		REQUEST,

		/** One of these objects was in an initial list. */
		INITIAL_LIST,

		/** Resync of an informer. */
		RESYNC

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Handler or reconciler of a replica, which the leader or the owner of the object
 * invokes. The resource decides how long that takes.
 */
public enum ReplicaHandler {

	/** Returns quickly. */
	QUICK(WatchedResource.CONFIG_MAPS),

	/**
	 * Takes longer than the time between renew deadline and lease duration, and ends when
	 * it is interrupted.
	 */
	SLOW(WatchedResource.PODS),

	/**
	 * Takes longer than the time between renew deadline and lease duration, and ignores
	 * interrupts.
	 */
	STUBBORN(WatchedResource.WIDGETS),

	/**
	 * Receives only the objects that its replica caches, and is shorter than the slow
	 * ones.
	 */
	DIVIDED(WatchedResource.SECRETS),

	/** Reconciler beside {@link #QUICK}. */
	QUICK_RECONCILER(WatchedResource.CONFIG_MAPS),

	/** Reconciler beside {@link #SLOW}. */
	SLOW_RECONCILER(WatchedResource.PODS),

	/** Reconciler beside {@link #STUBBORN}. */
	STUBBORN_RECONCILER(WatchedResource.WIDGETS),

	/** Reconciler beside {@link #DIVIDED}. */
	DIVIDED_RECONCILER(WatchedResource.SECRETS),

	/** Reconciler that writes. */
	GADGET_RECONCILER(WatchedResource.GADGETS);

	/** The reconcilers that stand beside a handler and do the same. */
	public static final Set<ReplicaHandler> RECORDING_RECONCILERS = Collections
		.unmodifiableSet(EnumSet.range(QUICK_RECONCILER, DIVIDED_RECONCILER));

	private final WatchedResource resource;

	ReplicaHandler(WatchedResource resource) {
		this.resource = resource;
	}

	/**
	 * Return whether this is a reconciler.
	 */
	public boolean isReconciler() {
		return compareTo(QUICK_RECONCILER) >= 0;
	}

	/**
	 * Return the resource whose events the handler receives.
	 */
	public WatchedResource resource() {
		return this.resource;
	}

	/**
	 * Return whether a replica caches only its own objects. They belong to it by their
	 * UIDs, those of other handlers by namespace and name.
	 */
	public boolean isOfShardedInformer() {
		return this.resource == WatchedResource.SECRETS;
	}

	/**
	 * Return whether an invocation continues after its interrupt.
	 */
	public boolean ignoresInterrupts() {
		return this.resource == WatchedResource.WIDGETS;
	}

}

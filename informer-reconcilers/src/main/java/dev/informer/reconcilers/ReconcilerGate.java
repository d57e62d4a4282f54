/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.client.ObjectKey;
import dev.informer.support.UntrustedText;
import dev.informer.work.FollowedCache;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a reconciler, which is code of others: what it throws stops no other object.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of {@link WorkerThreads}, apart from
 * {@link #end}.
 */
final class ReconcilerGate<T extends KubernetesObject> {

	private final InvocationGate gate;

	private final Dependents<T> dependents;

	private final UnselectedObjects<T> unselected;

	private final CacheGate caches;

	private final CallLog log;

	/** What the gate has thrown with the lock held, where it cannot be logged. */
	private @Nullable Throwable failure;

	private String question = "";

	ReconcilerGate(InvocationGate gate, Dependents<T> dependents, UnselectedObjects<T> unselected, CacheGate caches,
			CallLog log) {
		this.gate = gate;
		this.dependents = dependents;
		this.unselected = unselected;
		this.caches = caches;
		this.log = log;
	}

	/**
	 * Return the access of a key; {@code null} if the gate has thrown.
	 */
	@Nullable Access access(String key) {
		if (this.gate == InvocationGate.OPEN) {
			return Access.OPEN;
		}
		try {
			T cached = this.dependents.primary(key);
			T primary = (cached != null) ? cached : this.unselected.last(key);
			if (primary != null) {
				Target target = Dependents.target(primary);
				Access access = this.gate.access(target);
				if (cached == null && access == Access.GONE) {
					this.unselected.forget(key);
				}
				return (access == Access.OPEN && !this.caches.admits(this.gate.term(target))) ? Access.CLOSED : access;
			}
			return FollowedCache.of(this.dependents.primaries()).isReadable() ? Access.GONE : Access.CLOSED;
		}
		catch (Throwable ex) {
			failed("about " + UntrustedText.of(key), ex);
			return null;
		}
	}

	boolean isOpen() {
		try {
			return this.gate.isOpen();
		}
		catch (Throwable ex) {
			failed("whether it is open", ex);
			// it is asked before each call, too
			return true;
		}
	}

	private void failed(String unanswered, Throwable cause) {
		this.failure = cause;
		this.question = unanswered;
	}

	/**
	 * Return whether there is a failure to report.
	 */
	boolean hasFailed() {
		return this.failure != null;
	}

	/**
	 * Log what the gate has thrown, without the lock, which the caller holds once.
	 */
	void reportFailure(WorkerThreads<?> threads) {
		Throwable cause = this.failure;
		if (cause != null) {
			String unanswered = this.question;
			this.failure = null;
			threads.runReleased(() -> this.log.gateFailed(unanswered, cause));
		}
	}

	/**
	 * End a call at the gate.
	 */
	void end(Target target) {
		try {
			this.gate.end(target);
		}
		catch (Throwable ex) {
			this.log.gateFailedToEnd(ObjectKey.of(target.namespace(), target.name()), ex);
		}
	}

}

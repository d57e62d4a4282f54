/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.informer.HandlerDiagnosis;
import dev.informer.InvocationGate.Target;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.support.UntrustedText;
import dev.informer.work.InformerCauses;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Diagnosis of one reconciler and its informers.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The queue is read under the lock of
 * {@link WorkerThreads}.
 */
final class ReconcilerDiagnostics<T extends KubernetesObject> {

	private final ReconcilerOptions<T> options;

	private final Dependents<T> dependents;

	private final Reconciliation<T> reconciliation;

	private final KeyQueue queue;

	private final CacheGate caches;

	private final WorkerThreads<String> threads;

	private final TimeSource time;

	ReconcilerDiagnostics(ReconcilerOptions<T> options, Dependents<T> dependents, Reconciliation<T> reconciliation,
			KeyQueue queue, CacheGate caches, WorkerThreads<String> threads, TimeSource time) {
		this.options = options;
		this.dependents = dependents;
		this.reconciliation = reconciliation;
		this.queue = queue;
		this.caches = caches;
		this.threads = threads;
		this.time = time;
	}

	/**
	 * Describe why no call may begin now.
	 * @param pausedBy who has paused the reconciler; {@code null} for nobody
	 */
	List<Cause> diagnose(@Nullable String pausedBy) {
		List<Cause> causes = new ArrayList<>();
		if (!this.threads.get(this.threads::isRunning)) {
			causes.add(new Cause(Reason.STOPPED, "The reconciler is not started"));
		}
		this.dependents.informers().forEach((informer) -> addInformer(informer, causes));
		String incomplete = this.threads.get(this.caches::reason);
		if (incomplete != null && causes.stream().noneMatch(ReconcilerDiagnostics::isOfInformer)) {
			causes.add(new Cause(Reason.STALE, incomplete));
		}
		if (pausedBy != null) {
			causes.add(new Cause(Reason.PAUSED, "The reconciler was paused by " + pausedBy));
		}
		addGate(null, causes);
		if (this.threads.get(this.threads::isThreadMissing)) {
			causes.add(new Cause(Reason.NO_THREAD, "A thread of the reconciler could not be started; the log has the "
					+ "failure, and the start is retried"));
		}
		if (this.threads.get(this.threads::busy) >= this.options.concurrency()) {
			causes.add(new Cause(Reason.BUSY, "All " + this.options.concurrency() + " threads are busy"));
		}
		return causes;
	}

	private static void addInformer(SharedIndexInformer<?> informer, List<Cause> causes) {
		HandlerDiagnosis.Cause cause = InformerCauses.of(informer, informer.state());
		if (cause != null) {
			causes.add(new Cause(informer.hasSynced() ? Reason.STALE : Reason.NOT_SYNCED, cause.message()));
		}
	}

	private static boolean isOfInformer(Cause cause) {
		return cause.reason() == Reason.STALE || cause.reason() == Reason.NOT_SYNCED;
	}

	private void addGate(@Nullable Target target, List<Cause> causes) {
		String reason = closedReason(target);
		if (reason != null) {
			causes.add(new Cause(Reason.GATE_CLOSED, reason));
		}
	}

	private @Nullable String closedReason(@Nullable Target target) {
		try {
			return this.options.gate().closedReason(target);
		}
		catch (Throwable ex) {
			return "The gate has failed with " + ex.getClass().getName();
		}
	}

	/**
	 * Describe why the reconciler is not called for an object now.
	 */
	ReconcilerDiagnosis diagnose(@Nullable String pausedBy, @Nullable String namespace, String name) {
		String key = ObjectKey.of(namespace, name);
		T primary = this.dependents.primary(key);
		List<Cause> causes = diagnose(pausedBy);
		if (primary == null) {
			causes.add(new Cause(Reason.NOT_IN_CACHE, "The object does not exist, or informer '"
					+ this.dependents.primaries().name() + "' does not select it"));
		}
		else if (closedReason(null) == null) {
			addGate(Dependents.target(primary), causes);
		}
		if (primary != null && !this.reconciliation.isNeeded(primary)) {
			causes.add(new Cause(Reason.BEING_DELETED,
					"The object is being deleted, and this reconciler has nothing to clean up"));
		}
		Moment now = this.time.moment();
		return this.threads.get(() -> {
			Entry entry = this.queue.find(key);
			if (entry != null) {
				addEntry(entry, now, causes);
			}
			else if (primary != null) {
				causes.add(new Cause(Reason.UP_TO_DATE, "Nothing has changed since the last call"));
			}
			Long due = (entry != null) ? entry.due() : null;
			int failures = (entry != null) ? entry.failures() : 0;
			return new ReconcilerDiagnosis(namespace, name, failures,
					(entry != null && failures > 0) ? lastFailure(entry, now) : null, (due != null)
							? TimeSource.plus(now.time(), Duration.ofNanos(Math.max(0, due - now.nanoTime()))) : null,
					causes);
		});
	}

	/**
	 * Return the time of the last failure, at which the log has it.
	 */
	static Instant lastFailure(Entry entry, Moment now) {
		return now.time().minusNanos(now.nanoTime() - entry.failedAt());
	}

	private void addEntry(Entry entry, Moment now, List<Cause> causes) {
		List<KeyQueue.Hold> writes = entry.writes();
		if (entry.place() == KeyQueue.Place.RUNNING) {
			causes.add(new Cause(Reason.BUSY, "A call for the object is running"));
		}
		else if (!writes.isEmpty()) {
			causes.add(new Cause(Reason.HELD, "An earlier call has written what is not in the cache yet: "
					+ UntrustedText.of(writes.get(0).toString())));
		}
		else if (this.queue.isGated(entry)) {
			// the gate has its own cause
			return;
		}
		else if (entry.isWaiting()) {
			causes.add((entry.place() == KeyQueue.Place.DELAYED)
					? new Cause(Reason.LIMITED,
							"The minimum interval of " + TimeSource.millis(this.options.minInterval())
									+ " ms since the last call is not over")
					: new Cause(Reason.QUEUED, "The call is waiting for its turn"));
		}
		else if (entry.isRetrying()) {
			causes.add(new Cause(Reason.RETRYING, "The last " + entry.failures()
					+ " calls have failed, the last one at " + lastFailure(entry, now) + " with " + entry.failure()));
		}
		else if (entry.isGivenUp()) {
			causes.add(new Cause(Reason.FAILED, "The last call has failed at " + lastFailure(entry, now) + " with "
					+ entry.failure() + ", which is not repeated before the next change"));
		}
		else if (entry.due() != null) {
			causes.add(new Cause(Reason.SCHEDULED,
					"The next call follows after the delay that the last one has asked for, or after a conflict"));
		}
		else {
			causes.add(new Cause(Reason.UP_TO_DATE, "Nothing has changed since the last call"));
		}
	}

}

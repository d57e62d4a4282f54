/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.informer.ObjectCopy;
import dev.informer.RetryLaterException;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.CallTimer.Timeout;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.ReconcileCall.Outcome;
import dev.informer.support.UntrustedText;
import dev.informer.work.LogContext;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.WriteListener;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done for one object: the finalizer is added, the reconciler is called, or its
 * cleanup, after which the finalizer is removed. Thread-safe.
 */
final class Reconciliation<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final ReconcilerOptions<T> options;

	private final Reconciler<T> reconciler;

	private final Dependents<T> dependents;

	private final Finalizer finalizer;

	private final List<ReconcileInterceptor> interceptors;

	private final CallTimer timer;

	/** By {@link WrittenOwners}. */
	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	Reconciliation(ReconcilerOptions<T> options, Reconciler<T> reconciler, Dependents<T> dependents,
			Finalizer finalizer, List<ReconcileInterceptor> interceptors, CallTimer timer) {
		this.options = options;
		this.reconciler = reconciler;
		this.dependents = dependents;
		this.finalizer = finalizer;
		this.interceptors = interceptors;
		this.timer = timer;
	}

	/**
	 * Return whether there is anything to do for an object.
	 */
	boolean isNeeded(T cached) {
		return !Finalizer.isDeleting(cached) || this.finalizer.isPresent(cached);
	}

	/**
	 * Prepare a call of the reconciler on the current thread: copy the object, by code of
	 * its class, before the gate permits the call.
	 * @param unselected whether the object, as the server has it, is one to clean up for
	 * although it is not being deleted
	 * @param reconciler what its interceptors see
	 */
	Call call(Entry entry, T cached, boolean unselected, ReconcilerRegistration reconciler, LogContext logContext) {
		return new Call(entry, cached, unselected, reconciler, logContext);
	}

	/**
	 * Return the result of a call that has failed.
	 */
	CallResult failed(Entry entry, Throwable failure, List<OwnWrite> writes) {
		Outcome outcome = this.options.outcome(failure);
		if (outcome == Outcome.LATER) {
			Duration requested = (failure instanceof RetryLaterException later) ? later.delay() : null;
			return CallResult.later((requested != null) ? requested : backoff(entry.failures() + 1), failure, writes);
		}
		if (outcome == Outcome.CONFLICT) {
			return CallResult.conflict(backoff(entry.conflicts() + 1), failure, writes);
		}
		return CallResult.failed(retry(entry.failures() + 1, failure), failure, writes);
	}

	private Duration backoff(int attempt) {
		return this.options.retry().delay(attempt, ThreadLocalRandom.current().nextDouble());
	}

	private @Nullable Duration retry(int attempt, Throwable failure) {
		if (!this.options.retry().permitsRetry(attempt)
				|| this.options.notRetryable().stream().anyMatch((type) -> type.isInstance(failure))) {
			return null;
		}
		Duration backoff = backoff(attempt);
		Duration after = ReconcilerOptions.causes(failure)
			.flatMap((each) -> (each instanceof ObjectWriteException write) ? write.retryAfter().stream()
					: Stream.empty())
			.findFirst()
			.orElse(Duration.ZERO);
		return (after.compareTo(backoff) > 0) ? after : backoff;
	}

	/**
	 * Call for one object. Its monitor guards the interrupt after the timeout.
	 */
	final class Call implements ReconcileCall, ReconcileContext {

		private final Thread thread = Thread.currentThread();

		private final Iterator<ReconcileInterceptor> interceptors = Reconciliation.this.interceptors.iterator();

		private final Entry entry;

		private final T cached;

		private final boolean unselected;

		private final ReconcilerRegistration reconciler;

		private final LogContext logContext;

		private @Nullable T primary;

		/** Of the copy. */
		private @Nullable Throwable copyFailure;

		private OptionalInt fencingToken = OptionalInt.empty();

		private boolean begun;

		/** Whether the reconciler, or the cleanup with its finalizer, has returned. */
		private boolean returned;

		private @Nullable Duration delay;

		private boolean ended;

		private boolean timedOut;

		Call(Entry entry, T cached, boolean unselected, ReconcilerRegistration reconciler, LogContext logContext) {
			this.entry = entry;
			this.cached = cached;
			this.unselected = unselected;
			this.reconciler = reconciler;
			this.logContext = logContext;
			try {
				this.primary = ObjectCopy.of(cached);
			}
			catch (Throwable ex) {
				this.copyFailure = ex;
			}
		}

		/**
		 * Carry out the call.
		 * @param entering is run immediately before code of the user
		 */
		CallResult run(OptionalInt fencingToken, Runnable entering) {
			this.fencingToken = fencingToken;
			boolean addsFinalizer = !this.unselected && Reconciliation.this.finalizer.isMissing(this.cached);
			Duration limit = Reconciliation.this.options.timeout();
			Timeout timeout = limit.isZero() ? null : Reconciliation.this.timer.schedule(this::timedOut, limit);
			Throwable failure = null;
			boolean exists = true;
			OwnWrites written = new OwnWrites(Reconciliation.this.dependents.informers(), isCleanup() ? null
					: new WrittenOwners(Reconciliation.this.options, this.cached, Reconciliation.this.reported));
			WriteListener.listen(written);
			try {
				if (addsFinalizer) {
					entering.run();
					exists = Reconciliation.this.finalizer.add(this.cached);
				}
				else if (this.unselected && !Reconciliation.this.options.cleanupUnselected()) {
					entering.run();
					Reconciliation.this.finalizer.remove(this.cached);
				}
				else if (this.copyFailure != null) {
					throw this.copyFailure;
				}
				else {
					entering.run();
					proceed();
				}
			}
			catch (Throwable ex) {
				// one that the reconciler has thrown says so already
				boolean before = !this.ended;
				failure = (end() && before) ? timeoutException(ex) : ex;
			}
			end();
			if (timeout != null) {
				Reconciliation.this.timer.cancel(timeout);
			}
			// no call sees the object
			WriteListener.listen(null);
			List<OwnWrite> writes = written.writes()
				.stream()
				.filter((write) -> !this.unselected || !write.isHidden())
				.toList();
			if (this.returned) {
				return CallResult.succeeded(this.delay, failure, writes);
			}
			if (failure != null) {
				return failed(this.entry, failure, writes);
			}
			if (addsFinalizer) {
				return exists ? CallResult.prepared(writes) : CallResult.ENDED;
			}
			return CallResult.succeeded(this.delay, writes);
		}

		private synchronized void timedOut() {
			if (!this.ended) {
				this.timedOut = true;
				this.thread.interrupt();
				logger.atWarn()
					.addKeyValue("reconciler", Reconciliation.this.options.name())
					.log("Reconciler '{}' has a timeout and interrupted its call for {}, which has been running for {} ms",
							Reconciliation.this.options.name(), UntrustedText.of(this.entry.key),
							TimeSource.millis(Reconciliation.this.options.timeout()));
			}
		}

		/** No interrupt by the timeout follows; return whether there was one. */
		private synchronized boolean end() {
			this.ended = true;
			return this.timedOut;
		}

		private TimeoutException timeoutException(@Nullable Throwable failure) {
			TimeoutException timeout = new TimeoutException(
					"The call did not end within " + TimeSource.millis(Reconciliation.this.options.timeout()) + " ms");
			if (failure != null) {
				// not as the cause: a call that took too long has failed, also with a
				// conflict
				timeout.addSuppressed(failure);
			}
			return timeout;
		}

		@Override
		public ReconcilerRegistration reconciler() {
			return this.reconciler;
		}

		@Override
		public T primary() {
			return Objects.requireNonNull(this.primary);
		}

		@Override
		public ReconcileContext context() {
			return this;
		}

		@Override
		public boolean cleanup() {
			return isCleanup();
		}

		@Override
		public Duration held() {
			return Duration.ofNanos(this.entry.heldNanos());
		}

		@Override
		public void proceed() throws Exception {
			if (this.interceptors.hasNext()) {
				ReconcileInterceptor interceptor = this.interceptors.next();
				interceptor.intercept(this);
				if (!this.begun) {
					throw new IllegalStateException(interceptor.getClass().getName() + " did not proceed.");
				}
				return;
			}
			if (this.begun) {
				throw new IllegalStateException("A call proceeds once");
			}
			this.begun = true;
			try {
				reconcileInTime();
			}
			catch (Throwable ex) {
				this.logContext.saveFailed();
				throw ex;
			}
			this.returned = true;
		}

		private void reconcileInTime() throws Exception {
			try {
				reconcile();
			}
			catch (Throwable ex) {
				if (end()) {
					throw timeoutException(ex);
				}
				throw ex;
			}
			if (end()) {
				// the method has returned, but too late, and after its interrupt
				throw timeoutException(null);
			}
		}

		private boolean isCleanup() {
			return this.unselected || Finalizer.isDeleting(this.cached);
		}

		private void reconcile() throws Exception {
			if (!isCleanup()) {
				this.delay = Reconciliation.this.reconciler.reconcile(primary(), this);
				return;
			}
			this.delay = Objects.requireNonNull(Reconciliation.this.options.cleanup()).reconcile(primary(), this);
			if (this.delay == null) {
				Reconciliation.this.finalizer.remove(this.cached);
			}
		}

		@Override
		public <S extends KubernetesObject> Owned<S> owned(Class<S> type) {
			return Reconciliation.this.dependents.owned(this.cached, type);
		}

		@Override
		public <S extends KubernetesObject> Watched<S> watched(Class<S> type) {
			return Reconciliation.this.dependents.watched(this.cached, type);
		}

		@Override
		public int attempt() {
			return this.entry.failures() + 1;
		}

		@Override
		public Set<Trigger> triggers() {
			return Set.copyOf(this.entry.triggers());
		}

		@Override
		public OptionalInt fencingToken() {
			return this.fencingToken;
		}

	}

}

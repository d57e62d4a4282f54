/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.informer.InvalidOptionException;
import dev.informer.InvocationGate;
import dev.informer.Lister;
import dev.informer.NotSyncedException;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ReconcileCall.Outcome;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Options of a reconciler. Immutable.
 *
 * @param <T> the type of the primary object
 * @param name the name, unique among the reconcilers
 * @param concurrency the maximum number of calls at the same time, for different objects
 * @param minInterval the minimum time between the beginnings of two calls for one object
 * @param timeout the time after which a call is interrupted; zero for none
 * @param retry the retries of a call that fails
 * @param notRetryable the classes of exceptions that are not retried
 * @param conflictExceptions the further classes of exceptions that are conflicts
 * @param gate the gate that each call passes
 * @param paused whether the reconciler is paused from the beginning
 * @param owned the informers of the objects that a primary object owns
 * @param writes the operations on the objects of informers, for the rights of the
 * application; those that are not named are the defaults of {@link Builder#writes}
 * @param watched the objects to which a primary object refers
 * @param finalizer the finalizer of primary objects; {@code null} without a cleanup
 * @param cleanup what is called for a primary object that is being deleted; {@code null}
 * for nothing
 * @param cleanupUnselected whether the cleanup is called for an object that the informer
 * does not select any more; otherwise only its finalizer is removed
 * @param adoption whether applies for the primary object take objects that exist without
 * a controller
 */
public record ReconcilerOptions<T extends KubernetesObject>(String name, int concurrency, Duration minInterval,
		Duration timeout, RetryPolicy retry, Set<Class<? extends Throwable>> notRetryable,
		Set<Class<? extends Throwable>> conflictExceptions, InvocationGate gate, boolean paused,
		List<SharedIndexInformer<?>> owned, Map<SharedIndexInformer<?>, Set<Operation>> writes,
		List<Reference<?>> watched, @Nullable String finalizer, @Nullable Reconciler<T> cleanup,
		boolean cleanupUnselected, boolean adoption) {

	/**
	 * Default of {@link #concurrency()}: {@value}.
	 */
	public static final int DEFAULT_CONCURRENCY = 4;

	/**
	 * Default of {@link #minInterval()}: 100 ms, so that a reconciler whose writes
	 * trigger itself cannot flood the API server.
	 */
	public static final Duration DEFAULT_MIN_INTERVAL = Duration.ofMillis(100);

	/**
	 * Default of {@link #retry()}: without a limit, with delays of 500 ms, doubled up to
	 * 5 minutes, and a jitter of up to the delay itself.
	 */
	public static final RetryPolicy DEFAULT_RETRY = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(500), 2,
			Duration.ofMinutes(5), Duration.ofMillis(500));

	/** Causes may form a circle. */
	private static final int MAX_CAUSES = 50;

	/**
	 * Validate the values.
	 * @throws IllegalArgumentException if a value is invalid
	 */
	public ReconcilerOptions {
		require(!name.isBlank(), "name", "must not be empty");
		require(concurrency >= 1, "concurrency", "must be at least 1, not " + concurrency);
		require(!minInterval.isNegative(), "min-interval",
				"must not be negative, but is " + TimeSource.millis(minInterval) + " ms");
		require(!timeout.isNegative(), "timeout", "must not be negative, but is " + TimeSource.millis(timeout) + " ms");
		require((finalizer == null) == (cleanup == null), "finalizer", "must be set together with a cleanup");
		require(finalizer == null || finalizer.matches("[^/\\s]{1,253}/[^/\\s]{1,63}"), "finalizer",
				"must be a domain and a name, such as example.com/tenant, not '" + finalizer + "'");
		// properties have any classes
		conflictExceptions.forEach((type) -> require(Throwable.class.isAssignableFrom(type), "conflict-exceptions",
				"must have classes of exceptions, not " + type.getName()));
		notRetryable = Set.copyOf(notRetryable);
		conflictExceptions = Set.copyOf(conflictExceptions);
		owned = List.copyOf(owned);
		writes = Map.copyOf(writes);
		watched = List.copyOf(watched);
	}

	private static void require(boolean condition, String option, String reason) {
		if (!condition) {
			throw new InvalidOptionException(option, reason);
		}
	}

	/**
	 * Return the outcome of a call that has thrown.
	 * @param failure the exception
	 * @return the outcome
	 */
	public Outcome outcome(Throwable failure) {
		if (failure instanceof RetryLaterException || failure instanceof NotSyncedException) {
			return Outcome.LATER;
		}
		return causes(failure).anyMatch(this::isConflict) ? Outcome.CONFLICT : Outcome.FAILURE;
	}

	private boolean isConflict(Throwable failure) {
		return (failure instanceof ObjectWriteException write && write.isConflict())
				|| this.conflictExceptions.stream().anyMatch((type) -> type.isInstance(failure));
	}

	/**
	 * Return an exception and its causes. What rolls a transaction back has to be
	 * unchecked, and wraps a failed write.
	 */
	static Stream<Throwable> causes(Throwable failure) {
		return Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
	}

	/**
	 * Objects to which primary objects refer.
	 *
	 * @param <S> the type of the objects
	 * @param informer their informer
	 * @param index the name of an index of the primary objects, whose values are the
	 * names of the objects, or their namespaces and names, separated by a slash;
	 * {@code null} for {@code primaries}
	 * @param primaries the function that maps an object to the keys of the primary
	 * objects that refer to it; {@code null} for {@code index}
	 * @param anyNamespace whether an index of namespaced primary objects may name objects
	 * of other namespaces
	 */
	public record Reference<S extends KubernetesObject>(SharedIndexInformer<S> informer, @Nullable String index,
			@Nullable Function<? super S, ? extends Collection<String>> primaries, boolean anyNamespace) {

		/**
		 * Return whether a primary object may refer to an object by a name.
		 * @param namespace the namespace of the primary object; {@code null} if it is
		 * cluster-scoped
		 * @param value the name, which may begin with a namespace
		 */
		boolean permits(@Nullable String namespace, String value) {
			return this.anyNamespace || namespace == null || value.indexOf('/') < 0
					|| value.startsWith(namespace + "/");
		}

	}

	/**
	 * Builder of the options of one reconciler. Not thread-safe.
	 *
	 * @param <T> the type of the primary object
	 */
	public static final class Builder<T extends KubernetesObject> {

		private String name;

		private int concurrency = DEFAULT_CONCURRENCY;

		private Duration minInterval = DEFAULT_MIN_INTERVAL;

		private Duration timeout = Duration.ZERO;

		private RetryPolicy retry = DEFAULT_RETRY;

		private Set<Class<? extends Throwable>> notRetryable = Set.of();

		private Set<Class<? extends Throwable>> conflictExceptions = Set.of();

		private InvocationGate gate = InvocationGate.OPEN;

		private boolean paused;

		private final List<SharedIndexInformer<?>> owned = new ArrayList<>();

		private final Map<SharedIndexInformer<?>, Set<Operation>> writes = new HashMap<>();

		private final List<Reference<?>> watched = new ArrayList<>();

		private @Nullable String finalizer;

		private @Nullable Reconciler<T> cleanup;

		private boolean cleanupUnselected = true;

		private boolean adoption;

		/**
		 * Create a builder with the defaults.
		 * @param name the name
		 */
		public Builder(String name) {
			this.name = name;
		}

		/**
		 * Set the name, which is unique among the reconcilers. That of the informer of
		 * the primary objects by default.
		 * @param name the name
		 * @return this builder
		 */
		public Builder<T> name(String name) {
			this.name = name;
			return this;
		}

		/**
		 * Set the maximum number of calls at the same time, for different objects.
		 * @param concurrency the number, at least 1; {@value #DEFAULT_CONCURRENCY} by
		 * default
		 * @return this builder
		 */
		public Builder<T> concurrency(int concurrency) {
			this.concurrency = concurrency;
			return this;
		}

		/**
		 * Set the minimum time between the beginnings of two calls for one object.
		 * @param minInterval the time; 100 ms by default, zero for none
		 * @return this builder
		 */
		public Builder<T> minInterval(Duration minInterval) {
			this.minInterval = minInterval;
			return this;
		}

		/**
		 * Set the time after which a call is interrupted, which counts as its failure.
		 * @param timeout the time; zero, the default, for none
		 * @return this builder
		 */
		public Builder<T> timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Set the retries of a call that fails. A change of an object is followed by a
		 * call before the retry.
		 * @param retry the policy, {@link #DEFAULT_RETRY} by default
		 * @return this builder
		 */
		public Builder<T> retry(RetryPolicy retry) {
			this.retry = retry;
			return this;
		}

		/**
		 * Set the classes of exceptions that are not retried before the next change.
		 * @param notRetryable the classes, with their subclasses
		 * @return this builder
		 */
		public Builder<T> notRetryable(Collection<Class<? extends Throwable>> notRetryable) {
			this.notRetryable = Set.copyOf(notRetryable);
			return this;
		}

		/**
		 * Set further classes of exceptions that are conflicts, as that of a write whose
		 * object has another version is: the call is repeated after a delay of the
		 * retries, without a failure. For optimistic locking of a database.
		 * @param conflictExceptions the classes, with their subclasses, also as a cause
		 * of another exception; none by default
		 * @return this builder
		 */
		public Builder<T> conflictExceptions(Collection<Class<? extends Throwable>> conflictExceptions) {
			this.conflictExceptions = Set.copyOf(conflictExceptions);
			return this;
		}

		/**
		 * Set the gate that each call passes. An informer of primary objects that has a
		 * gate permits no other one.
		 * @param gate the gate; {@link InvocationGate#OPEN} for that of the informer
		 * @return this builder
		 */
		public Builder<T> gate(InvocationGate gate) {
			this.gate = gate;
			return this;
		}

		/**
		 * Set whether the reconciler is paused from the beginning.
		 * @param paused whether it is paused
		 * @return this builder
		 */
		public Builder<T> paused(boolean paused) {
			this.paused = paused;
			return this;
		}

		/**
		 * Add objects that a primary object owns: those whose controller it is. Enables
		 * {@link Lister#OWNER_INDEX} of the informer.
		 * @param informer the informer of the objects
		 * @return this builder
		 */
		public Builder<T> owns(SharedIndexInformer<?> informer) {
			this.owned.add(informer);
			return this;
		}

		/**
		 * Set which operations calls perform on the objects of an informer, in place of
		 * the default: {@link Operation#APPLY} for owned objects, and
		 * {@link Operation#UPDATE_STATUS} for primary objects of a custom resource. They
		 * determine the rights that the application lists; a write of another kind is not
		 * prevented.
		 * @param informer the informer of owned or primary objects
		 * @param operations the operations; none for objects that are only read
		 * @return this builder
		 */
		public Builder<T> writes(SharedIndexInformer<?> informer, Operation... operations) {
			this.writes.put(informer, Set.of(operations));
			return this;
		}

		/**
		 * Add objects to which primary objects refer.
		 * @param informer the informer of the objects
		 * @param index the name of an index of the primary objects. Its values are the
		 * names of objects, in the namespace of the primary object. If that is
		 * cluster-scoped, they begin with a namespace and a slash; otherwise, one of
		 * another namespace is ignored, with one WARN
		 * @return this builder
		 */
		public Builder<T> watches(SharedIndexInformer<?> informer, String index) {
			this.watched.add(new Reference<>(informer, index, null, false));
			return this;
		}

		/**
		 * Add objects of any namespace to which primary objects refer. Whoever writes a
		 * primary object decides which of them it reads.
		 * @param informer the informer of the objects
		 * @param index the name of an index of the primary objects, as for
		 * {@link #watches(SharedIndexInformer, String)}. Its values may begin with any
		 * namespace and a slash
		 * @return this builder
		 */
		public Builder<T> watchesAnyNamespace(SharedIndexInformer<?> informer, String index) {
			this.watched.add(new Reference<>(informer, index, null, true));
			return this;
		}

		/**
		 * Add objects that concern primary objects.
		 * @param <S> the type of the objects
		 * @param informer the informer of the objects
		 * @param primaries the function that maps an object to the keys of the primary
		 * objects: their namespaces and names, separated by a slash, or their names. If
		 * it throws, the object is mapped again with its next change and after a delay,
		 * without a limit. Messages contain its {@code toString()}
		 * @return this builder
		 */
		public <S extends KubernetesObject> Builder<T> watches(SharedIndexInformer<S> informer,
				Function<? super S, ? extends Collection<String>> primaries) {
			this.watched.add(new Reference<>(informer, null, primaries, false));
			return this;
		}

		/**
		 * Set what is called for a primary object that is being deleted. The finalizer is
		 * added before the first call of the reconciler, and removed after the cleanup
		 * has returned {@code null}. Without a cleanup, nothing is called for an object
		 * that is being deleted.
		 * @param finalizer the finalizer, such as {@code example.com/tenant}
		 * @param cleanup the cleanup. If it returns a delay, it is called again after it
		 * @return this builder
		 */
		public Builder<T> cleanup(String finalizer, Reconciler<T> cleanup) {
			this.finalizer = finalizer;
			this.cleanup = cleanup;
			return this;
		}

		/**
		 * Set what follows when an object with the finalizer has left the selectors of
		 * the informer, and exists: the cleanup, as if the object was deleted, or only
		 * the removal of its finalizer.
		 * @param cleanupUnselected whether the cleanup is called; {@code true} by default
		 * @return this builder
		 */
		public Builder<T> cleanupUnselected(boolean cleanupUnselected) {
			this.cleanupUnselected = cleanupUnselected;
			return this;
		}

		/**
		 * Set whether applies for the primary object, on the thread of the call, also
		 * take an object that exists without a controller, as those of
		 * {@link ObjectWriter#withAdoption()}.
		 * @param adoption whether they do; {@code false} by default
		 * @return this builder
		 */
		public Builder<T> adoption(boolean adoption) {
			this.adoption = adoption;
			return this;
		}

		/**
		 * Build the options.
		 * @return the options
		 * @throws IllegalArgumentException if a value is invalid
		 */
		public ReconcilerOptions<T> build() {
			return new ReconcilerOptions<>(this.name, this.concurrency, this.minInterval, this.timeout, this.retry,
					this.notRetryable, this.conflictExceptions, this.gate, this.paused, this.owned, this.writes,
					this.watched, this.finalizer, this.cleanup, this.cleanupUnselected, this.adoption);
		}

	}

}

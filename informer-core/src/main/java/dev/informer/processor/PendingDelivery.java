/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Difference between the last delivered and the current state of an object.
 *
 * @param lastDelivered the last delivered state; {@code null} when the handler does not
 * know the object
 * @param lastUid the UID of the last delivered state; {@code null} if it is unknown
 * @param current the current state; {@code null} when the object has been deleted
 * @param uid the UID of the current state; {@code null} if it is unknown
 * @param deletion the deletion of the last delivered object; {@code null} when the object
 * has not been deleted or its final state is unknown
 * @param initialList whether the object is part of the initial list of the handler
 * @param resync whether to deliver an update without a change
 */
record PendingDelivery<T extends KubernetesObject>(@Nullable T lastDelivered, @Nullable String lastUid,
		@Nullable T current, @Nullable String uid, @Nullable Deleted<T> deletion, boolean initialList, boolean resync) {

	/**
	 * Return the delivery of nothing, after that of a state.
	 */
	static <T extends KubernetesObject> PendingDelivery<T> none(@Nullable T delivered, @Nullable String uid) {
		return new PendingDelivery<>(delivered, uid, delivered, uid, null, false, false);
	}

	/**
	 * Return the event to deliver, which filter and changes of the handler may leave out.
	 * A recreation needs two: this one is the deletion, and the addition follows from the
	 * state after it.
	 * @param failures accepts what the filter or an object throws: such an event is
	 * delivered, because one too many does less harm than a missing one
	 */
	@Nullable ResourceEvent<T> event(HandlerOptions<T> options, BiConsumer<T, Throwable> failures) {
		T last = this.lastDelivered;
		T now = this.current;
		if (last != null && (now == null || isRecreation())) {
			return toDeleted();
		}
		if (now == null) {
			return null;
		}
		boolean matches = matches(now, options.filter(), failures);
		if (last == null) {
			return matches ? new Added<>(now, this.initialList) : null;
		}
		if (!matches) {
			return new Deleted<>(now, last, false, Reason.FILTERED);
		}
		boolean changed = now != last && isChanged(last, now, options.changes(), failures);
		return (changed || this.resync) ? new Updated<>(last, now, !changed) : null;
	}

	private static <T> boolean matches(T object, @Nullable Predicate<? super T> filter,
			BiConsumer<T, Throwable> failures) {
		try {
			return filter == null || filter.test(object);
		}
		catch (Throwable ex) {
			failures.accept(object, ex);
			return true;
		}
	}

	private static <T extends KubernetesObject> boolean isChanged(T last, T now, Set<ChangedPart> changes,
			BiConsumer<T, Throwable> failures) {
		try {
			return changes.isEmpty() || ObjectParts.differ(last, now, changes)
					|| ObjectParts.differInDeletion(last, now);
		}
		// equals is the code of the objects' authors, too
		catch (Throwable ex) {
			failures.accept(now, ex);
			return true;
		}
	}

	/**
	 * Return the deletion of the last delivered object.
	 */
	Deleted<T> toDeleted() {
		return toDeleted((this.deletion != null) ? this.deletion.reason() : Reason.DELETED);
	}

	private Deleted<T> toDeleted(Reason reason) {
		T last = Objects.requireNonNull(this.lastDelivered);
		Deleted<T> seen = this.deletion;
		return (seen != null) ? new Deleted<>(seen.object(), last, seen.finalStateUnknown(), reason)
				: new Deleted<>(last, last, true, reason);
	}

	/**
	 * Return whether the next event is the deletion of the last delivered object, which
	 * is no longer in the cache.
	 */
	boolean isDeletion() {
		return this.lastDelivered != null && (this.current == null || isRecreation());
	}

	/**
	 * Return the object of the next event; {@code null} if there is neither a last
	 * delivered nor a current state.
	 */
	@Nullable T object() {
		return isDeletion() ? this.lastDelivered : this.current;
	}

	/**
	 * Return the UID of the object of the next event.
	 */
	@Nullable String objectUid() {
		return isDeletion() ? this.lastUid : this.uid;
	}

	/**
	 * Return the next invocation, for the gate of the handler.
	 */
	Target target(String key) {
		int slash = key.indexOf('/');
		return new Target((slash < 0) ? null : key.substring(0, slash), key.substring(slash + 1), objectUid(),
				isDeletion() ? toDeleted().reason() : null);
	}

	/**
	 * Return this deletion with the reason {@link Reason#UNWATCHED}.
	 */
	PendingDelivery<T> unwatched() {
		return new PendingDelivery<>(this.lastDelivered, this.lastUid, this.current, this.uid,
				toDeleted(Reason.UNWATCHED), this.initialList, this.resync);
	}

	/**
	 * Return the change of the cache that leads to the current state; {@code null} if the
	 * object was created and deleted.
	 */
	@Nullable ResourceEvent<T> toChange() {
		T last = this.lastDelivered;
		T now = this.current;
		if (now != null) {
			return (last != null && !isRecreation()) ? new Updated<>(last, now, this.resync)
					: new Added<>(now, this.initialList);
		}
		if (this.deletion != null) {
			return this.deletion;
		}
		return (last != null) ? new Deleted<>(last, last, true) : null;
	}

	/**
	 * Return whether the current object has the name of the last delivered one but
	 * another UID.
	 */
	boolean isRecreation() {
		return this.lastDelivered != null && this.current != null && !KeyedEvent.isSame(this.lastUid, this.uid);
	}

	/**
	 * Return the last delivered state after the delivery of an event.
	 */
	@Nullable T stateAfter(@Nullable ResourceEvent<T> event) {
		if (event == null) {
			return this.lastDelivered;
		}
		return (event instanceof Deleted<T>) ? null : event.object();
	}

}

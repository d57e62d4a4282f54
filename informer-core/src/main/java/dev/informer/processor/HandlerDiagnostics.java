/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import dev.informer.DeliveryDiagnosis;
import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerOptions;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Indexer;
import dev.informer.cache.StaleObjects;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.processor.HandlerQueue.Pause;
import dev.informer.processor.HandlerSnapshot.InQueue;
import dev.informer.processor.HandlerSnapshot.Source;
import dev.informer.processor.QueueEntry.State;
import dev.informer.work.InformerCauses;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Diagnosis of one handler and its informer. The answers follow from their state: the
 * queue has an entry for each object whose last delivered state is not the current one,
 * and an object without an entry was delivered in its cached state. Filter and changes
 * are not evaluated again.
 * <p>
 * <b>Concurrency.</b> Thread-safe. No lock is held while a {@link HandlerSnapshot} is
 * interpreted, which calls code of the user.
 */
final class HandlerDiagnostics<T extends KubernetesObject> {

	/** Maximum number of objects with exhausted retries that are named. */
	private static final int NAMED_OBJECTS = 20;

	private final SharedIndexInformer<?> informer;

	private final Indexer<T> cache;

	private final HandlerOptions<T> options;

	private final BooleanSupplier closed;

	private final TimeSource time;

	/**
	 * Create the diagnostics of a handler.
	 * @param closed whether its informer is closed
	 */
	HandlerDiagnostics(SharedIndexInformer<?> informer, Indexer<T> cache, HandlerOptions<T> options,
			BooleanSupplier closed, TimeSource time) {
		this.informer = informer;
		this.cache = cache;
		this.options = options;
		this.closed = closed;
		this.time = time;
	}

	HandlerDiagnosis diagnose(Source<T> source) {
		HandlerSnapshot<T> snapshot = source.take("", PendingDelivery.none(null, null), this.time.moment());
		List<Cause> causes = new ArrayList<>();
		addRemoved(snapshot, causes);
		causes.addAll(causes(this.informer.state()));
		addPauses(snapshot, causes);
		if (!snapshot.pauses().containsKey(PauseReason.GATE_CLOSED)) {
			addGate(null, causes);
		}
		addThreads(snapshot, 1, causes);
		List<String> exhausted = snapshot.exhausted();
		return new HandlerDiagnosis(snapshot.delayed(), snapshot.nextRetry(), exhausted.size(),
				exhausted.subList(Math.max(0, exhausted.size() - NAMED_OBJECTS), exhausted.size()), snapshot.held(),
				causes);
	}

	DeliveryDiagnosis diagnose(@Nullable String namespace, String name, Source<T> source) {
		String key = ObjectKey.of(namespace, name);
		// before the queue, which receives a change some microseconds after the cache
		T cached = this.cache.find(key);
		// without the lock: metadata may be code of the user
		String uid = (cached != null) ? KeyedEvent.uid(cached) : null;
		HandlerSnapshot<T> snapshot = source.take(key, PendingDelivery.none(cached, uid), this.time.moment());
		List<Cause> causes = new ArrayList<>();
		addRemoved(snapshot, causes);
		InQueue<T> object = snapshot.object();
		PendingDelivery<T> next = object.next();
		if (!snapshot.removed()) {
			causes.addAll(causes(namespace, key, cached != null));
			int before = causes.size();
			addPauses(snapshot, causes);
			Target target = next.target(key);
			if (this.options.gate().access(target) == Access.CLOSED) {
				addGate(target, causes);
			}
			addDelivery(snapshot, causes);
			if (causes.size() == before && (before == 0 || next.lastDelivered() != null || object.isPending())) {
				causes.add(idle(snapshot));
			}
		}
		T last = snapshot.removed() ? null : next.lastDelivered();
		return new DeliveryDiagnosis(namespace, name, (last != null) ? ProcessorListener.version(last) : null,
				(cached != null) ? ProcessorListener.version(cached) : null, object.isPending(),
				object.failedAttempts(), object.nextAttempt(), object.delivery(), causes);
	}

	private void addRemoved(HandlerSnapshot<T> snapshot, List<Cause> causes) {
		if (snapshot.removed()) {
			causes.add(informerCause(Reason.HANDLER_REMOVED, "does not have the handler any more", null));
		}
	}

	private void addPauses(HandlerSnapshot<T> snapshot, List<Cause> causes) {
		snapshot.pauses().forEach((reason, pause) -> causes.add(cause(reason, pause)));
	}

	private Cause cause(PauseReason reason, Pause pause) {
		return switch (reason) {
			case REQUESTED -> new Cause(Reason.PAUSED,
					"The handler was paused by " + pause.requestedBy() + ". Events are kept until it is resumed",
					pause.since());
			case NOT_SYNCED -> new Cause(Reason.HELD_UNTIL_SYNC,
					"No handler is invoked before the required informers have synced", pause.since());
			case SUSPENDED -> new Cause(Reason.SUSPENDED,
					"The handlers are suspended, because the application stops or has stopped", pause.since());
			case GATE_CLOSED -> new Cause(Reason.GATE_CLOSED,
					Objects.requireNonNullElse(this.options.gate().closedReason(null), "The gate opens"),
					pause.since());
		};
	}

	private void addGate(@Nullable Target target, List<Cause> causes) {
		String reason = this.options.gate().closedReason(target);
		if (reason != null) {
			causes.add(new Cause(Reason.GATE_CLOSED, reason, null));
		}
	}

	/**
	 * Add the causes that concern the threads of the handler.
	 * @param minimum the number of busy threads from which it is a cause
	 */
	private void addThreads(HandlerSnapshot<T> snapshot, int minimum, List<Cause> causes) {
		if (snapshot.threadMissing()) {
			causes.add(new Cause(Reason.NO_THREAD, "A thread of the handler could not be started; the log has the "
					+ "failure, and the start is retried", null));
		}
		if (snapshot.busy() >= minimum) {
			String objects = snapshot.delivering().stream().limit(10).collect(Collectors.joining(", "));
			causes.add(new Cause(Reason.BUSY,
					snapshot.busy() + " of " + this.options.concurrency() + " threads of the handler are busy"
							+ (objects.isEmpty() ? " with an action after the sync" : " with " + objects),
					snapshot.deliveringSince()));
		}
	}

	private void addDelivery(HandlerSnapshot<T> snapshot, List<Cause> causes) {
		InQueue<T> object = snapshot.object();
		if (object.state() == State.DELIVERING) {
			causes.add(new Cause(Reason.BUSY, "An event of this object is being delivered", object.since()));
		}
		else if (object.isPending()) {
			if (object.nextAttempt() != null) {
				causes.add(new Cause(Reason.WAITING_FOR_RETRY, "Attempt " + (object.failedAttempts() + 1)
						+ " follows at " + object.nextAttempt() + ", because the one before failed", null));
			}
			addThreads(snapshot, this.options.concurrency(), causes);
		}
		Exhausted<T> exhausted = object.exhausted();
		if (exhausted != null) {
			causes.add(new Cause(Reason.RETRIES_EXHAUSTED, "The retries are exhausted after " + exhausted.failure()
					+ (this.options.on().contains(ResourceEvent.Type.UPDATED)
							? ". The handler is invoked when a change is to be delivered, by a resync, or on request"
							: ". The handler is invoked on request, but not for changes and resyncs: it accepts only "
									+ acceptedTypes()),
					exhausted.time()));
		}
		if (!object.isPending() && object.state() != State.DELIVERING) {
			addSuppressed(object, causes);
		}
	}

	/**
	 * Add the cause that filter, changes or types of events left nothing to deliver.
	 */
	private void addSuppressed(InQueue<T> object, List<Cause> causes) {
		T last = object.next().lastDelivered();
		Delivery delivery = object.delivery();
		if (last != object.next().current()) {
			causes.add((last != null)
					? new Cause(Reason.UNCHANGED_PARTS,
							"No part of " + this.options.changes().stream().sorted().toList()
									+ " differed from the last delivered state",
							null)
					: new Cause(Reason.FILTER, "The filter of the handler rejected the current state", null));
		}
		else if (last != null && delivery != null && delivery.outcome() == Outcome.NOT_ACCEPTED
				&& delivery.version().equals(ProcessorListener.version(last))) {
			String coalesced = (delivery.event() == ResourceEvent.Type.ADDED && isCoalescing())
					? ". A creation and the changes before its delivery are one ADDED" : "";
			causes.add(new Cause(Reason.EVENT_TYPE, "The event was " + delivery.event()
					+ ", but the handler accepts only " + acceptedTypes() + coalesced, delivery.time()));
		}
	}

	private Cause idle(HandlerSnapshot<T> snapshot) {
		InQueue<T> object = snapshot.object();
		if (object.isPending()) {
			return new Cause(Reason.QUEUED, "The event is one of " + snapshot.size() + " pending events",
					object.since());
		}
		Delivery delivery = object.delivery();
		T current = object.next().current();
		boolean handled = delivery != null && delivery.outcome() == Outcome.HANDLED && current != null
				&& delivery.version().equals(ProcessorListener.version(current));
		boolean all = this.options.on().size() == ResourceEvent.Type.values().length;
		return new Cause(Reason.UP_TO_DATE, "The current state is the last delivered one"
				+ ((handled || all) ? ""
						: ", or its event was not accepted: the handler accepts only " + acceptedTypes())
				+ (isCoalescing() ? ". Under COALESCE, changes that precede a delivery are delivered as one" : ""),
				null);
	}

	private List<ResourceEvent.Type> acceptedTypes() {
		return this.options.on().stream().sorted().toList();
	}

	private boolean isCoalescing() {
		return this.options.queue() == QueuePolicy.COALESCE;
	}

	/**
	 * Return the causes within the informer that concern one object.
	 */
	private List<Cause> causes(@Nullable String namespace, String key, boolean cached) {
		Map<String, InformerState> states = this.informer.statesByNamespace();
		InformerState state = states.get((namespace == null || states.containsKey("")) ? "" : namespace);
		boolean known = this.informer.options().namespaceSelector() == null || this.informer.hasSynced();
		if (state == null && known) {
			return List
				.of(informerCause(Reason.OUTSIDE_NAMESPACES, InformerCauses.outside(this.informer, namespace), null));
		}
		List<Cause> causes = new ArrayList<>(causes((state != null) ? state : this.informer.state()));
		StaleObjects.Cause stale = this.cache.staleObjects().find(key);
		if (stale != null) {
			causes.add(new Cause(
					Reason.UNDECODABLE, "The current state of the object cannot be read: " + stale.reason()
							+ ". The cache " + (cached ? "keeps an earlier state" : "does not have the object"),
					stale.time()));
		}
		else if (!cached && this.informer.hasSynced()) {
			causes.add(missing());
		}
		return causes;
	}

	private List<Cause> causes(InformerState state) {
		if (this.closed.getAsBoolean()) {
			return List.of(informerCause(Reason.INFORMER_CLOSED, "is closed", state.since().time()));
		}
		Cause cause = InformerCauses.of(this.informer, state);
		return (cause != null) ? List.of(cause) : List.of();
	}

	private Cause informerCause(Reason reason, String predicate, @Nullable Instant since) {
		return InformerCauses.of(this.informer, reason, predicate, since);
	}

	private Cause missing() {
		InformerOptions options = this.informer.options();
		List<String> selectors = new ArrayList<>();
		if (options.labelSelector() != null) {
			selectors.add("label selector " + options.labelSelector());
		}
		if (options.fieldSelector() != null) {
			selectors.add("field selector " + options.fieldSelector());
		}
		if (options.watchedSet() != null) {
			selectors.add(options.watchedSet().toString());
		}
		int queued = this.informer.queueDepth();
		return informerCause(selectors.isEmpty() ? Reason.NOT_IN_CACHE : Reason.OUTSIDE_SELECTOR,
				"does not have the object in its cache: "
						+ (selectors.isEmpty() ? "it does not exist, unless the cache is stale"
								: "it does not match the " + String.join(" and the ", selectors)
										+ ", or does not exist")
						+ ((queued > 0) ? ". " + queued + " changes are queued for the cache" : ""),
				null);
	}

}

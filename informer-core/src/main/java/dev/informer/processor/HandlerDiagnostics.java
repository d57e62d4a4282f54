/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.informer.DeliveryDiagnosis;
import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.DeliveryDiagnosis.Version;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerOptions;
import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.processor.Entry.State;
import dev.informer.processor.HandlerSnapshot.Busy;
import dev.informer.processor.HandlerSnapshot.InQueue;
import dev.informer.processor.PauseState.Pause;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Diagnosis of one handler. The answers are computed on request: the queue has an entry
 * for each object whose last delivered state is not the current one, and an object
 * without an entry was delivered in its cached state.
 * <p>
 * <b>Concurrency.</b> Thread-safe. A {@link HandlerSnapshot} is taken under the
 * {@link HandlerLock}, which is not held while code of the user runs: {@link EventTrial}
 * evaluates filter and changes on a separate thread.
 *
 * @param <T> the type of the objects
 */
final class HandlerDiagnostics<T extends KubernetesObject> {

	/** Maximum number of objects with exhausted retries that are named. */
	private static final int NAMED_OBJECTS = 20;

	private final ProcessorListener<T> listener;

	private final HandlerOptions<T> options;

	private final ProcessorSettings<T> settings;

	private final InformerDiagnostics informer;

	private final EventTrial<T> trial;

	HandlerDiagnostics(ProcessorListener<T> listener, HandlerOptions<T> options, SharedProcessor<T> processor,
			ProcessorSettings<T> settings) {
		this.listener = listener;
		this.options = options;
		this.settings = settings;
		this.informer = new InformerDiagnostics(processor, settings);
		this.trial = new EventTrial<>(options,
				(task) -> settings.threadFactory().apply(listener.name() + "-diagnosis", task), settings.time());
	}

	/**
	 * Return the version of an object; without UID and resource version if its metadata
	 * cannot be read.
	 */
	static Version version(KubernetesObject object) {
		try {
			ObjectState state = ObjectState.of(object);
			return new Version(text(state.uid()), text(state.resourceVersion()));
		}
		// code of the author of the class
		catch (Throwable ex) {
			return new Version(null, null);
		}
	}

	private static @Nullable String text(@Nullable String text) {
		return (text != null) ? UntrustedText.of(text) : null;
	}

	/**
	 * Describe the handler.
	 */
	HandlerDiagnosis diagnose() {
		HandlerSnapshot<T> snapshot = HandlerSnapshot.of(this.listener, this.settings.time(), "", null);
		List<Cause> causes = new ArrayList<>();
		addRemoved(snapshot, causes);
		causes.addAll(this.informer.causes());
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

	/**
	 * Describe the delivery of one object.
	 */
	DeliveryDiagnosis diagnose(@Nullable String namespace, String name) {
		String key = ObjectKey.of(namespace, name);
		// before the queue, which receives a change some microseconds after the cache
		T cached = this.settings.cache().get(key);
		HandlerSnapshot<T> snapshot = HandlerSnapshot.of(this.listener, this.settings.time(), key, cached);
		List<Cause> causes = new ArrayList<>();
		addRemoved(snapshot, causes);
		InQueue<T> object = snapshot.object();
		PendingDelivery<T> next = object.next();
		if (!snapshot.removed()) {
			causes.addAll(this.informer.causes(namespace, key, cached != null));
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
		return new DeliveryDiagnosis(namespace, name, (last != null) ? version(last) : null,
				(cached != null) ? version(cached) : null, object.isPending(), object.failedAttempts(),
				object.nextAttempt(), object.delivery(), causes);
	}

	private void addRemoved(HandlerSnapshot<T> snapshot, List<Cause> causes) {
		if (snapshot.removed()) {
			causes.add(new Cause(Reason.HANDLER_REMOVED,
					"The handler was removed from informer '" + this.informer.name() + "'", null));
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
		if (snapshot.invocations() >= minimum) {
			Busy longest = snapshot.busy().isEmpty() ? null : snapshot.busy().get(0);
			String objects = snapshot.busy().stream().map(Busy::key).limit(10).collect(Collectors.joining(", "));
			causes.add(new Cause(Reason.BUSY,
					snapshot.invocations() + " of " + this.options.concurrency() + " threads of the handler are busy"
							+ (objects.isEmpty() ? " with an action after the sync" : " with " + objects),
					(longest != null) ? longest.since() : null));
		}
	}

	private void addDelivery(HandlerSnapshot<T> snapshot, List<Cause> causes) {
		InQueue<T> object = snapshot.object();
		if (object.state() == State.DELIVERING) {
			causes.add(new Cause(Reason.BUSY, "An event of this object is being delivered", object.since()));
		}
		else if (object.isPending()) {
			addTrial(object, causes);
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
									+ this.options.on().stream().sorted().toList()),
					exhausted.time()));
		}
		if (!object.isPending() && object.state() != State.DELIVERING) {
			addTrial(object, causes);
		}
	}

	/**
	 * Add the cause that filter, changes or types of events leave nothing to deliver.
	 */
	private void addTrial(InQueue<T> object, List<Cause> causes) {
		PendingDelivery<T> next = object.next();
		T last = next.lastDelivered();
		if (last == next.current() && !object.isPending()) {
			Delivery delivery = object.delivery();
			if (last != null && delivery != null && delivery.outcome() == Outcome.NOT_ACCEPTED
					&& delivery.version().equals(version(last))) {
				causes.add(notAccepted(delivery.event(), delivery.time()));
			}
			return;
		}
		EventTrial.Result result = this.trial.run(next);
		if (result == null) {
			causes.add(new Cause(Reason.FILTER_BLOCKED, "The filter of the handler, or equals of the object, did not "
					+ "return within " + TimeSource.millis(EventTrial.LIMIT) + " ms", null));
		}
		else if (result.type() == null) {
			causes.add(result.matches()
					? new Cause(Reason.UNCHANGED_PARTS,
							"No part of " + this.options.changes().stream().sorted().toList()
									+ " differs from the last delivered state",
							null)
					: new Cause(Reason.FILTER, "The filter of the handler rejects the current state", null));
		}
		else if (!object.isPending()) {
			causes.add(new Cause((last != null) ? Reason.UNCHANGED_PARTS : Reason.FILTER,
					"Nothing was delivered when the filter and the changes were evaluated, but they accept the state "
							+ "now. Their result must depend on the object alone; a resync evaluates them again",
					null));
		}
		else if (!this.options.on().contains(result.type())) {
			causes.add(notAccepted(result.type(), null));
		}
	}

	private Cause notAccepted(ResourceEvent.Type type, @Nullable Instant since) {
		String coalesced = (type == ResourceEvent.Type.ADDED && isCoalescing())
				? ". A creation and the changes before its delivery are one ADDED" : "";
		return new Cause(Reason.EVENT_TYPE, "The event is " + type + ", but the handler accepts only "
				+ this.options.on().stream().sorted().toList() + coalesced, since);
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
				&& delivery.version().equals(version(current));
		boolean all = this.options.on().size() == ResourceEvent.Type.values().length;
		return new Cause(Reason.UP_TO_DATE, "The current state is the last delivered one"
				+ ((handled || all) ? ""
						: ", or its event was not accepted: the handler accepts only "
								+ this.options.on().stream().sorted().toList())
				+ (isCoalescing() ? ". Under COALESCE, changes that precede a delivery are delivered as one" : ""),
				null);
	}

	private boolean isCoalescing() {
		return this.options.queue() == QueuePolicy.COALESCE;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.informer.HandlerFailure;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Oracle of the events of one handler: they are consistent with those before and with the
 * store. An invocation that has thrown delivers nothing until its retries are exhausted.
 */
final class HandlerOracle {

	private final Map<String, V1Pod> delivered = new HashMap<>();

	/** Running invocations by key. */
	private final Map<String, ResourceEvent<V1Pod>> calls = new HashMap<>();

	/** Earliest time of the next attempt of an invocation that has thrown, by UID. */
	private final Map<String, Long> due = new HashMap<>();

	/** UIDs that were delivered up to their deletion at least once. */
	private final Set<String> finished = new HashSet<>();

	private final HandlerProfile profile;

	private final ModelStore store;

	private final TimeSource time;

	private final Trace trace;

	private final InitialList initialList;

	private int finishedEvents;

	private boolean hurried;

	HandlerOracle(HandlerProfile profile, ModelStore store, TimeSource time, Trace trace) {
		this.profile = profile;
		this.store = store;
		this.time = time;
		this.trace = trace;
		this.initialList = new InitialList(store);
	}

	InitialList initialList() {
		return this.initialList;
	}

	/**
	 * Record that an invocation begins.
	 */
	void begin(ResourceEvent<V1Pod> event) {
		String key = ObjectKey.of(event.object());
		String uid = ModelPods.uid(event.object());
		check(this.calls.put(key, event) == null, "invocations for one object overlap", event);
		check(this.calls.size() <= this.profile.concurrency(), "too many concurrent invocations", event);
		check(this.time.nanoTime() >= this.due.getOrDefault(uid, Long.MIN_VALUE), "an invocation is retried too early",
				event);
		check(event.previous() == this.delivered.get(key), "the previous object is not the last delivered one", event);
		if (event instanceof Added<V1Pod> added) {
			checkAdded(key, added);
		}
		else if (event instanceof Updated<V1Pod> updated) {
			checkUpdated(key, updated);
		}
		else if (event instanceof Deleted<V1Pod> deleted) {
			checkDeleted(key, deleted);
		}
		check(this.store.isFromServer(event.object()), "an object never existed at the server", event);
	}

	private void checkAdded(String key, Added<V1Pod> event) {
		check(!this.delivered.containsKey(key), "an object is added twice", event);
		check(this.profile.wants(event.object()), "an object is delivered that the filter rejects", event);
		checkNow(key, event);
		String uid = ModelPods.uid(event.object());
		check(!event.initialList() || this.initialList.mayHave(uid), "an object was not in the initial list", event);
		if (this.profile.wantsEverything() && !this.finished.contains(uid)) {
			check(event.initialList() || !this.initialList.surelyHas(uid), "an object was in the initial list", event);
		}
	}

	private void checkUpdated(String key, Updated<V1Pod> event) {
		V1Pod previous = event.previous();
		check(ModelPods.uid(previous).equals(ModelPods.uid(event.object())), "an update spans two UIDs", event);
		check(this.profile.wants(event.object()), "an object is delivered that the filter rejects", event);
		checkNow(key, event);
		if (event.resync()) {
			check(!this.profile.resync().isZero(), "an unexpected resync is delivered", event);
			return;
		}
		long change = ModelPods.version(event.object()) - ModelPods.version(previous);
		// coalesced, an object that leaves with its namespace and returns is an update
		check(this.store.rolledBack() || change > 0 || (this.store.isSelected() && change == 0),
				"an object has an older version", event);
		check(!this.profile.resync().isZero() || this.profile.differs(previous, event.object()),
				"an unexpected change is delivered", event);
	}

	private void checkDeleted(String key, Deleted<V1Pod> event) {
		check(this.delivered.containsKey(key), "an unknown object is deleted", event);
		check(ModelPods.uid(event.previous()).equals(ModelPods.uid(event.object())), "a deletion spans two UIDs",
				event);
		if (this.profile.wants(event.object()) && !event.finalStateUnknown()) {
			check(this.store.isFinalState(event.object()), "a final state is not the final one", event);
		}
		if (this.profile.queue() == QueuePolicy.COALESCE && this.profile.wants(event.object())) {
			V1Pod stored = this.store.get(key);
			check(stored == null || !ModelPods.uid(stored).equals(ModelPods.uid(event.object())),
					"an existing object is deleted", event);
		}
	}

	/**
	 * Check that a delivered state is that of the store, or, if all events are kept, an
	 * earlier state of the store.
	 */
	private void checkNow(String key, ResourceEvent<V1Pod> event) {
		V1Pod stored = this.store.get(key);
		if (this.profile.queue() == QueuePolicy.COALESCE) {
			check(stored == event.object(), "the delivered state is not that of the store", event);
		}
		else {
			check(stored == event.object() || this.store.hasPassed(event.object()), "the store is behind", event);
		}
	}

	/**
	 * Record that an invocation has returned.
	 */
	void returned(ResourceEvent<V1Pod> event) {
		this.calls.remove(ObjectKey.of(event.object()));
		finish(event);
	}

	/**
	 * Record that an invocation has thrown. It is reported as a failure unless it was
	 * interrupted, which uses up no attempt.
	 */
	void threw(ResourceEvent<V1Pod> event) {
		this.calls.remove(ObjectKey.of(event.object()));
	}

	/**
	 * Record the failure of an invocation.
	 */
	void failed(HandlerFailure<? extends V1Pod> failure) {
		ResourceEvent<? extends V1Pod> event = failure.event();
		check(failure.attempt() <= this.profile.attempts(), "too many attempts", event);
		if (failure.retryIn() != null) {
			if (!this.hurried) {
				this.due.put(ModelPods.uid(event.object()), this.time.nanoTime() + failure.retryIn().toNanos());
			}
			return;
		}
		check(failure.attempt() >= this.profile.attempts(), "retries are exhausted too early", event);
		finish(event);
	}

	private void finish(ResourceEvent<? extends V1Pod> event) {
		String key = ObjectKey.of(event.object());
		this.due.remove(ModelPods.uid(event.object()));
		this.finishedEvents += event.resync() ? 0 : 1;
		if (event instanceof Deleted<?>) {
			this.delivered.remove(key);
		}
		else {
			this.delivered.put(key, event.object());
			this.finished.add(ModelPods.uid(event.object()));
		}
	}

	/**
	 * Forget the delays before retries of objects that have left the store. Those of a
	 * namespace that leaves may return, with their UIDs.
	 */
	void forgetDelays() {
		if (this.store.isSelected() && !this.due.isEmpty()) {
			Set<String> stored = this.store.contents()
				.values()
				.stream()
				.map(ModelPods::uid)
				.collect(Collectors.toSet());
			this.due.keySet().retainAll(stored);
		}
	}

	/**
	 * Record that a stop begins, which ends the delays before retries, or has ended.
	 */
	void hurry(boolean hurried) {
		this.hurried = hurried;
		this.due.clear();
	}

	/**
	 * Record that slots are acquired, which ends the delays before retries.
	 */
	void acquired() {
		this.due.clear();
	}

	boolean isBusy() {
		return !this.calls.isEmpty();
	}

	/**
	 * Check that a handler that has synced has received the initial list.
	 */
	void checkSynced() {
		if (this.profile.wantsEverything() && !this.profile.gated()) {
			this.store.contents()
				.values()
				.stream()
				.filter((pod) -> this.initialList.surelyHas(ModelPods.uid(pod)))
				.forEach((pod) -> this.trace.check(this.finished.contains(ModelPods.uid(pod)),
						"%s has synced without an event of %s", this.profile.name(), ModelPods.text(pod)));
		}
	}

	/**
	 * Check, at rest, that the last delivered states of the handler are those of the
	 * store.
	 */
	void checkReplay() {
		Map<String, V1Pod> contents = this.store.contents();
		contents.values().removeIf((pod) -> !this.profile.wants(pod));
		this.trace.check(this.delivered.keySet().equals(contents.keySet()), "%s has received %s, but the store has %s",
				this.profile.name(), this.delivered.keySet(), contents.keySet());
		this.delivered.forEach((key, pod) -> {
			V1Pod now = contents.get(key);
			this.trace.check(now != null && isUpToDate(pod, now), "%s has received %s, but the store has %s",
					this.profile.name(), ModelPods.text(pod), ModelPods.text(now));
		});
	}

	private boolean isUpToDate(V1Pod known, V1Pod now) {
		return known == now || (ModelPods.uid(known).equals(ModelPods.uid(now)) && !this.profile.differs(known, now));
	}

	/**
	 * Check that a handler with KEEP_ALL has received every event.
	 */
	void checkComplete(int events) {
		if (this.profile.queue() == QueuePolicy.KEEP_ALL && this.profile.wantsEverything()) {
			this.trace.check(this.finishedEvents == events, "%s received %d events of %d", this.profile.name(),
					this.finishedEvents, events);
		}
	}

	private void check(boolean condition, String rule, ResourceEvent<? extends V1Pod> event) {
		this.trace.check(condition, "%s: %s: %s; last delivered: %s", this.profile.name(), rule, text(event),
				ModelPods.text(this.delivered.get(ObjectKey.of(event.object()))));
	}

	static String text(@Nullable ResourceEvent<? extends V1Pod> event) {
		if (event == null) {
			return "no event";
		}
		List<String> marks = List.of((event instanceof Added<?> added && added.initialList()) ? " initial" : "",
				(event instanceof Deleted<?> deleted && deleted.finalStateUnknown()) ? " unknown" : "",
				event.resync() ? " resync" : "");
		return event.type() + String.join("", marks) + " " + ModelPods.text(event.object())
				+ ((event.previous() != null) ? " after " + ModelPods.text(event.previous()) : "");
	}

}

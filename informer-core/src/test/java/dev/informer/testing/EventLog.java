/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handler that records its events and checks that each is consistent with those before:
 * the previous object is the last delivered one, an object is added and deleted once,
 * calls do not overlap.
 *
 * @param <T> the type of the objects
 */
public class EventLog<T extends KubernetesObject> implements ResourceEventHandler<T> {

	private final List<ResourceEvent<T>> events = new ArrayList<>();

	private final List<String> problems = new ArrayList<>();

	private final Map<String, T> delivered = new HashMap<>();

	private final Set<String> deletedUids = new HashSet<>();

	private @Nullable Thread caller;

	private boolean returns;

	/**
	 * Accept that an object is added again after its deletion: it can cease to match a
	 * selector, and match it again.
	 */
	public EventLog<T> withReturns() {
		this.returns = true;
		return this;
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		enter();
		try {
			note(event);
		}
		finally {
			leave();
		}
	}

	private synchronized void enter() {
		check(this.caller == null, "called by two threads at once");
		this.caller = Thread.currentThread();
	}

	private synchronized void leave() {
		this.caller = null;
	}

	private synchronized void note(ResourceEvent<T> event) {
		String key = ObjectKey.of(event.object());
		String uid = String.valueOf(event.object().getMetadata().getUid());
		T before = this.delivered.get(key);
		check(event.previous() == before, event.type() + " of " + key + " does not follow the last delivered state");
		this.events.add(event);
		if (event.type() == ResourceEvent.Type.DELETED) {
			check(before != null && uid.equals(before.getMetadata().getUid()), "deletion of another UID for " + key);
			check(this.deletedUids.add(uid), uid + " was deleted twice");
			this.delivered.remove(key);
			return;
		}
		if (event.type() == ResourceEvent.Type.UPDATED) {
			check(before != null && uid.equals(before.getMetadata().getUid()), "update across two UIDs for " + key);
		}
		else {
			check(!this.deletedUids.remove(uid) || this.returns, uid + " is added again");
		}
		this.delivered.put(key, event.object());
	}

	private void check(boolean condition, String problem) {
		if (!condition) {
			this.problems.add(problem);
		}
	}

	/**
	 * Return the violations; empty if all events are consistent.
	 */
	public synchronized List<String> problems() {
		return List.copyOf(this.problems);
	}

	public synchronized List<ResourceEvent<T>> events() {
		return List.copyOf(this.events);
	}

	/**
	 * Return the events in short: {@code ADDED ns/a}.
	 */
	public synchronized List<String> story() {
		return this.events.stream().map((event) -> event.type() + " " + ObjectKey.of(event.object())).toList();
	}

	/**
	 * Wait until the events are exactly these in short, and consistent.
	 */
	public void awaitStory(String... story) {
		await().untilAsserted(() -> assertThat(story()).containsExactly(story));
		assertThat(problems()).isEmpty();
	}

	/**
	 * Return the state that results from the events: resource versions by key.
	 */
	public synchronized Map<String, String> replay() {
		return this.delivered.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(entry) -> String.valueOf(entry.getValue().getMetadata().getResourceVersion())));
	}

	public synchronized void clear() {
		this.events.clear();
	}

}

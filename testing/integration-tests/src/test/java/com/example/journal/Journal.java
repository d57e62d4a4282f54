/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Record of the events of one handler, which checks each against its last event.
 * Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class Journal<T extends KubernetesObject> {

	private final Map<String, T> told = new HashMap<>();

	private final Set<String> addedUids = new HashSet<>();

	private final Set<String> deletedUids = new HashSet<>();

	private final List<String> violations = new ArrayList<>();

	private final List<ResourceEvent<T>> events = new ArrayList<>();

	/**
	 * Record an event.
	 * @param event the delivered event
	 */
	public synchronized void record(ResourceEvent<T> event) {
		this.events.add(event);
		T last = this.told.get(key(event.object()));
		switch (event.type()) {
			case ADDED -> added(event, last);
			case UPDATED -> updated(event, last);
			case DELETED -> deleted(event, last);
		}
	}

	private void added(ResourceEvent<T> event, @Nullable T last) {
		check(last == null, "added over another one", event, last);
		check(this.addedUids.add(uid(event.object())), "added twice", event, last);
		this.told.put(key(event.object()), event.object());
	}

	private void updated(ResourceEvent<T> event, @Nullable T last) {
		check(last != null && event.previous() == last, "previous is not the last delivered state", event, last);
		if (last != null) {
			check(uid(last).equals(uid(event.object())), "updated across UIDs", event, last);
			check(version(event.object()) > version(last), "not newer than the last delivered state", event, last);
		}
		this.told.put(key(event.object()), event.object());
	}

	private void deleted(ResourceEvent<T> event, @Nullable T last) {
		check(last != null && event.previous() == last, "previous is not the last delivered state", event, last);
		if (last != null) {
			check(uid(last).equals(uid(event.object())), "deleted under another UID", event, last);
			check(version(event.object()) >= version(last), "older than the last delivered state", event, last);
		}
		check(this.deletedUids.add(uid(event.object())), "deleted twice", event, last);
		this.told.remove(key(event.object()));
	}

	private void check(boolean holds, String violation, ResourceEvent<T> event, @Nullable T last) {
		if (!holds) {
			this.violations.add(violation + ": " + event.type() + " " + key(event.object()) + " "
					+ state(event.object()) + ", last delivered: " + ((last != null) ? state(last) : "nothing"));
		}
	}

	/**
	 * Return the violations of order.
	 * @return the violations
	 */
	synchronized List<String> violations() {
		return List.copyOf(this.violations);
	}

	/**
	 * Return the number of added events.
	 * @return the number
	 */
	public synchronized int addedCount() {
		return this.addedUids.size();
	}

	/**
	 * Return the types of the events of one object.
	 * @param namespace the namespace
	 * @param name the name
	 * @return the types in order
	 */
	public synchronized List<ResourceEvent.Type> eventsOf(String namespace, String name) {
		return this.events.stream()
			.filter((event) -> key(event.object()).equals(namespace + "/" + name))
			.map(ResourceEvent::type)
			.toList();
	}

	/**
	 * Assert that no event was delivered twice or out of order, and that the replayed
	 * events result in the objects of the server.
	 * @param resource the resource at the server
	 * @throws ApiException if the request fails
	 */
	public void assertAgreesWith(ServerResource resource) throws ApiException {
		Map<String, String> there = resource.states();
		synchronized (this) {
			assertThat(this.violations).isEmpty();
			Map<String, String> here = new TreeMap<>();
			this.told.forEach((key, object) -> here.put(key, state(object)));
			assertThat(here).isEqualTo(there);
			Set<String> gone = new HashSet<>(this.addedUids);
			this.told.values().forEach((object) -> gone.remove(uid(object)));
			assertThat(this.deletedUids).isEqualTo(gone);
		}
	}

	static String key(KubernetesObject object) {
		return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
	}

	static String state(KubernetesObject object) {
		return uid(object) + " at " + object.getMetadata().getResourceVersion();
	}

	private static String uid(KubernetesObject object) {
		return String.valueOf(object.getMetadata().getUid());
	}

	private static long version(KubernetesObject object) {
		return Long.parseLong(String.valueOf(object.getMetadata().getResourceVersion()));
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.client.ObjectState;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Event with the identity of its object, which is determined once for all handlers,
 * without a lock and before the store changes, because metadata may be code of the user.
 *
 * @param uid the UID of the object; {@code null} if it is unknown
 */
public record KeyedEvent<T extends KubernetesObject>(String key, @Nullable String uid, ResourceEvent<T> event) {

	/**
	 * Return the additions of the initial list.
	 */
	static <T extends KubernetesObject> List<KeyedEvent<T>> initialList(Map<String, T> objects) {
		List<KeyedEvent<T>> events = new ArrayList<>(objects.size());
		objects.forEach((key, object) -> events.add(new KeyedEvent<>(key, uid(object), new Added<>(object, true))));
		return events;
	}

	/**
	 * Return whether the event belongs to the initial list.
	 */
	boolean isInitial() {
		return this.event instanceof Added<T> added && added.initialList();
	}

	/**
	 * Return the UID of an object; {@code null} if it cannot be read.
	 */
	public static @Nullable String uid(KubernetesObject object) {
		try {
			return ObjectState.of(object).uid();
		}
		// code of the author of the class, which must not prevent the addition of a
		// handler
		catch (Throwable ex) {
			return null;
		}
	}

	/**
	 * Return whether two states with these UIDs belong to one object. An unknown UID is
	 * that of the object before it.
	 */
	static boolean isSame(@Nullable String uid, @Nullable String other) {
		return uid == null || other == null || uid.equals(other);
	}

}

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
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Event with the key of its object, which is determined without a lock, because metadata
 * may be code of the user, and once for all handlers.
 *
 * @param <T> the type of the object
 * @param key the key of the object
 * @param event the event
 */
record KeyedEvent<T extends KubernetesObject>(String key, ResourceEvent<T> event) {

	static <T extends KubernetesObject> List<KeyedEvent<T>> listOf(List<ResourceEvent<T>> events) {
		return events.stream().map((event) -> new KeyedEvent<>(ObjectKey.of(event.object()), event)).toList();
	}

	/**
	 * Return the additions of the initial list.
	 * @param objects the objects by key
	 */
	static <T extends KubernetesObject> List<KeyedEvent<T>> initialList(Map<String, T> objects) {
		List<KeyedEvent<T>> events = new ArrayList<>(objects.size());
		objects.forEach((key, object) -> events.add(new KeyedEvent<>(key, new Added<>(object, true))));
		return events;
	}

}

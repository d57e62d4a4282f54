/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * States of the objects of all resources, of a cache or of a server.
 *
 * @param byResource the states by resource and key
 */
public record ObjectStates(Map<WatchedResource, Map<String, ObjectState>> byResource) {

	/**
	 * Create states without objects.
	 */
	public ObjectStates() {
		this(new EnumMap<>(WatchedResource.class));
	}

	/**
	 * Add an object.
	 */
	public void add(WatchedResource resource, @Nullable String namespace, @Nullable String name, @Nullable String uid,
			@Nullable String version) {
		this.byResource.computeIfAbsent(resource, (key) -> new HashMap<>())
			.put(namespace + "/" + name,
					new ObjectState(Objects.requireNonNull(uid, "uid"), Objects.requireNonNull(version, "version")));
	}

	/**
	 * Return the objects of a resource.
	 */
	public Map<String, ObjectState> of(WatchedResource resource) {
		return this.byResource.getOrDefault(resource, Map.of());
	}

	/**
	 * Return the text of these states.
	 */
	public String toText() {
		StringBuilder text = new StringBuilder();
		this.byResource.forEach((resource, objects) -> objects.forEach(
				(key, state) -> text.append(resource).append(' ').append(key).append(' ').append(state).append('\n')));
		return text.toString();
	}

	/**
	 * Parse the text of states.
	 */
	public static ObjectStates parse(String text) {
		ObjectStates states = new ObjectStates();
		text.lines().map((line) -> line.split(" ")).forEach((parts) -> {
			WatchedResource resource = WatchedResource.valueOf(parts[0]);
			states.byResource.computeIfAbsent(resource, (key) -> new HashMap<>())
				.put(parts[1], ObjectState.parse(parts[2]));
		});
		return states;
	}

	/**
	 * Return whether a cache agreed with the server at a time between two lists of the
	 * server. Objects that the two lists show in different states may be in either, or in
	 * one between them.
	 */
	public boolean agreesWith(ObjectStates before, ObjectStates after) {
		for (WatchedResource resource : WatchedResource.values()) {
			Map<String, ObjectState> cached = of(resource);
			Map<String, ObjectState> first = before.of(resource);
			Map<String, ObjectState> last = after.of(resource);
			Map<String, ObjectState> all = new HashMap<>(cached);
			all.putAll(first);
			all.putAll(last);
			for (String key : all.keySet()) {
				boolean settled = Objects.equals(first.get(key), last.get(key));
				// An object may have been created and deleted between the two lists
				boolean unknown = !first.containsKey(key) && !last.containsKey(key);
				if (unknown ? !isNewerThanAll(cached.get(key), first)
						: settled && !Objects.equals(cached.get(key), first.get(key))) {
					return false;
				}
			}
		}
		return true;
	}

	private static boolean isNewerThanAll(@Nullable ObjectState state, Map<String, ObjectState> objects) {
		return state == null || objects.values().stream().allMatch(state::isNewerThan);
	}

}

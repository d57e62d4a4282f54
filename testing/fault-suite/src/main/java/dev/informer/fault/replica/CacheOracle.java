/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.Violation;

/**
 * Oracle that decides whether caches divide the objects of a server: each object is in
 * one cache, in its current version, and no cache has another object.
 */
final class CacheOracle {

	/** Number of objects that a violation names. */
	private static final int SHOWN = 5;

	private CacheOracle() {
	}

	/**
	 * Compare caches with a list of the server.
	 */
	static List<Violation> judge(Map<String, ObjectState> server, List<Map<String, ObjectState>> caches) {
		Map<String, List<ObjectState>> cached = new HashMap<>();
		for (Map<String, ObjectState> cache : caches) {
			cache.values()
				.forEach((state) -> cached.computeIfAbsent(state.uid(), (uid) -> new ArrayList<>()).add(state));
		}
		List<String> missing = new ArrayList<>();
		List<String> shared = new ArrayList<>();
		List<String> different = new ArrayList<>();
		server.forEach((key, state) -> {
			List<ObjectState> found = cached.getOrDefault(state.uid(), List.of());
			cached.remove(state.uid());
			if (found.isEmpty()) {
				missing.add(key + " " + state);
			}
			else if (found.size() > 1) {
				shared.add(key + " " + found);
			}
			else if (!found.get(0).equals(state)) {
				different.add(key + " " + found.get(0) + " instead of " + state);
			}
		});
		List<Violation> violations = new ArrayList<>();
		add(violations, "object in no cache", missing, server);
		add(violations, "object in several caches", shared, server);
		add(violations, "object in another version in its cache", different, server);
		add(violations, "deleted object in a cache", cached.values().stream().map(List::toString).toList(), server);
		return violations;
	}

	private static void add(List<Violation> violations, String kind, List<String> objects,
			Map<String, ObjectState> server) {
		if (!objects.isEmpty()) {
			violations.add(new Violation(kind, "%d, of %d of the server: %s".formatted(objects.size(), server.size(),
					objects.stream().sorted().limit(SHOWN).toList())));
		}
	}

}

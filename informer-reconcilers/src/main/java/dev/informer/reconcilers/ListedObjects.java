/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import dev.informer.client.Cancellation;
import dev.informer.client.ObjectState;
import dev.informer.work.FollowedCache;
import org.jspecify.annotations.Nullable;

/**
 * What an informer selects in a namespace, as a list of the server has shown it.
 */
final class ListedObjects {

	private static final Pattern DECIMAL = Pattern.compile("0|[1-9]\\d*");

	private final String namespace;

	private final String version;

	/** The latest version of an object; empty without objects. */
	private final String latest;

	private final Map<String, ObjectState> objects;

	private ListedObjects(String namespace, String version, String latest, Map<String, ObjectState> objects) {
		this.namespace = namespace;
		this.version = version;
		this.latest = latest;
		this.objects = objects;
	}

	/**
	 * List the objects. Blocks.
	 * @param namespace the namespace; empty for all of them
	 * @param wanted the keys of the objects to keep
	 */
	static ListedObjects read(FollowedCache cache, String namespace, Set<String> wanted, Cancellation cancellation)
			throws IOException {
		Map<String, ObjectState> objects = new HashMap<>();
		String[] latest = { "" };
		String version = cache.list(namespace, (state) -> {
			String key = state.key();
			if (key != null && wanted.contains(key)) {
				objects.put(key, state);
			}
			String reached = Objects.requireNonNullElse(state.resourceVersion(), "");
			latest[0] = (latest[0].isEmpty() || isBefore(latest[0], reached)) ? reached : latest[0];
		}, cancellation);
		return new ListedObjects(namespace, version, latest[0], objects);
	}

	/**
	 * Return whether a version is known to be before another one.
	 */
	static boolean isBefore(@Nullable String version, @Nullable String other) {
		if (version == null || other == null || !DECIMAL.matcher(version).matches()
				|| !DECIMAL.matcher(other).matches()) {
			return false;
		}
		return (version.length() != other.length()) ? version.length() < other.length() : version.compareTo(other) < 0;
	}

	String version() {
		return this.version;
	}

	@Nullable ObjectState find(String key) {
		return this.objects.get(key);
	}

	/**
	 * Return whether a cache has everything that was listed. It need not reach the
	 * version of the list, which takes until the next event or bookmark.
	 */
	boolean isContainedIn(FollowedCache cache) {
		return this.latest.isEmpty() || cache.hasReached(this.latest, this.namespace.isEmpty() ? null : this.namespace)
				|| isReachedBy(cache);
	}

	/**
	 * Return whether a cache is at least as new as the list.
	 */
	boolean isReachedBy(FollowedCache cache) {
		return cache.hasReached(this.version, this.namespace.isEmpty() ? null : this.namespace);
	}

}

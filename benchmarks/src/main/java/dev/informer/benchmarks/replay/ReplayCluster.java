/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * Resources of a server: pods, and any other requested resource, which consists of small
 * objects. Thread-safe.
 */
final class ReplayCluster {

	private static final String PODS = "/api/v1/pods";

	private static final String CONFIG_MAPS = "/api/v1/configmaps";

	private static final String CUSTOM = "/apis/bench.example.com/v1/";

	private final ReplayedKind pods = ReplayedKind.pods();

	private final ReplayedKind podMetadata = ReplayedKind.podMetadata();

	private final ReplayedKind configMaps = ReplayedKind.small("v1", "ConfigMap");

	private final ReplayedKind things = ReplayedKind.small("bench.example.com/v1", "Thing");

	private final Map<String, ChangeLog> histories = new ConcurrentHashMap<>();

	private volatile ReplaySettings settings = new ReplaySettings(0, 0, Long.MAX_VALUE, false, 0);

	ReplaySettings settings() {
		return this.settings;
	}

	/**
	 * Restart with the initial state.
	 */
	void reset(ReplaySettings settings) {
		this.settings = settings;
		this.histories.clear();
	}

	/**
	 * Return the changes of a resource.
	 * @param path its path
	 */
	ChangeLog history(String path) {
		ReplaySettings settings = this.settings;
		return this.histories.computeIfAbsent(path, (absent) -> path.equals(PODS)
				? new ChangeLog(settings.pods(), Long.MAX_VALUE) : new ChangeLog(settings.small(), settings.updates()));
	}

	/**
	 * Return the representation of the objects of a resource.
	 * @param path the path of the resource
	 * @param accept the accepted media types
	 * @return the representation; {@code null} for an unknown resource
	 */
	@Nullable ReplayedKind kind(String path, String accept) {
		if (path.equals(PODS)) {
			return accept.contains("as=PartialObjectMetadata") ? this.podMetadata : this.pods;
		}
		if (path.equals(CONFIG_MAPS)) {
			return this.configMaps;
		}
		return path.startsWith(CUSTOM) ? this.things : null;
	}

}

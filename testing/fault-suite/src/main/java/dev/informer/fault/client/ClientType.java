/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.util.Map;
import java.util.Set;

import dev.informer.fault.journal.WatchedResource;

/**
 * Type of a client.
 */
public enum ClientType {

	/** A Spring Boot application with this project's informers. */
	INFORMER("informer",
			Map.of(WatchedResource.CONFIG_MAPS,
					Set.of("configmapskeep", "configmapscoalesce", "configmapsslow", "configmapsfailing",
							"configmapsconcurrent"),
					WatchedResource.PODS, Set.of("podskeepfailing", "podsslow"), WatchedResource.WIDGETS,
					Set.of("widgetskeep", "widgetscoalesce"))),

	/** Informers of the official client. */
	CLIENT_JAVA("client-java", onePerResource()),

	/** Informers of fabric8's client. */
	FABRIC8("fabric8", onePerResource());

	private final String label;

	private final Map<WatchedResource, Set<String>> handlers;

	ClientType(String label, Map<WatchedResource, Set<String>> handlers) {
		this.label = label;
		this.handlers = handlers;
	}

	private static Map<WatchedResource, Set<String>> onePerResource() {
		return Map.of(WatchedResource.CONFIG_MAPS, Set.of("configmaps"), WatchedResource.PODS, Set.of("pods"),
				WatchedResource.WIDGETS, Set.of("widgets"));
	}

	/**
	 * Return the handlers, whose events are in the journal.
	 * @return the names of the handlers of each resource
	 */
	public Map<WatchedResource, Set<String>> handlers() {
		return this.handlers;
	}

	/**
	 * Return the type with a label.
	 * @param label the label, as options name it
	 * @return the type
	 */
	public static ClientType of(String label) {
		for (ClientType type : values()) {
			if (type.label.equals(label)) {
				return type;
			}
		}
		throw new IllegalArgumentException(
				"Unknown client '" + label + "'. Use 'informer', 'client-java' or 'fabric8'.");
	}

	@Override
	public String toString() {
		return this.label;
	}

}

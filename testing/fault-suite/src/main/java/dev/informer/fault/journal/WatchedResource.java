/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.util.EnumSet;
import java.util.Set;

/**
 * Resource that all clients watch in all namespaces.
 */
public enum WatchedResource {

	/** ConfigMaps. */
	CONFIG_MAPS("configmaps", "/api/v1"),

	/** Pods. */
	PODS("pods", "/api/v1"),

	/** Custom resource. */
	WIDGETS("widgets", "/apis/fault.informer.dev/v1"),

	/** Secrets, which only replicas that divide objects watch. */
	SECRETS("secrets", "/api/v1"),

	/** Custom resource for which replicas write, and which only replicas watch. */
	GADGETS("gadgets", "/apis/fault.informer.dev/v1");

	private final String plural;

	private final String path;

	WatchedResource(String plural, String path) {
		this.plural = plural;
		this.path = path;
	}

	/**
	 * Return the resources that every client watches, and of which it caches all objects.
	 */
	public static Set<WatchedResource> ofEveryClient() {
		return EnumSet.complementOf(EnumSet.of(SECRETS, GADGETS));
	}

	/**
	 * Return the plural, which is also the name of the informer.
	 */
	public String plural() {
		return this.plural;
	}

	/**
	 * Return the path of the objects of all namespaces.
	 */
	public String path() {
		return this.path + "/" + this.plural;
	}

	/**
	 * Return the path of the objects of a namespace.
	 */
	public String path(String namespace) {
		return this.path + "/namespaces/" + namespace + "/" + this.plural;
	}

}

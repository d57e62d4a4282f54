/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.Map;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.StatusErrors;

/**
 * Writer of an object: the part that it writes, and the manager that owns its fields.
 *
 * @param scope the part
 * @param manager the name of the field manager
 */
public record Writer(UpdateScope scope, String manager) {

	private static final int MAX_LENGTH = 128;

	private static final String PARAMETER = "fieldManager";

	/** The Java API, which writes objects together with their status. */
	public static final Writer JAVA = new Writer(UpdateScope.EVERYTHING, "embedded-kubernetes");

	/**
	 * Return the writer of a request: its field manager, or else the name of its client.
	 */
	public static Writer of(Map<String, String> query, String userAgent, UpdateScope scope) {
		String manager = query.getOrDefault(PARAMETER, "");
		return new Writer(scope, manager.isEmpty() ? client(userAgent) : manager);
	}

	/**
	 * Return the writer of a request that applies, which has to name its field manager.
	 */
	public static Writer applying(Map<String, String> query, String userAgent, UpdateScope scope) {
		if (query.getOrDefault(PARAMETER, "").isEmpty()) {
			throw StatusErrors.invalid("meta.k8s.io", "PatchOptions", "", "FieldValueRequired", PARAMETER,
					"Required value: is required for apply patch");
		}
		return of(query, userAgent, scope);
	}

	private static String client(String userAgent) {
		String name = userAgent.split("/", 2)[0];
		name = name.substring(0, Math.min(name.length(), MAX_LENGTH));
		return name.isEmpty() ? "unknown" : name;
	}

	/**
	 * Check the name of the field manager of a request.
	 * @param optionsKind the kind of the options, for the message
	 */
	public static void check(Map<String, String> query, String optionsKind) {
		if (query.getOrDefault(PARAMETER, "").length() > MAX_LENGTH) {
			throw StatusErrors.invalid("meta.k8s.io", optionsKind, "", "FieldValueTooLong", PARAMETER,
					"Too long: may not be more than " + MAX_LENGTH + " bytes");
		}
	}

	/**
	 * Return whether the fields of new objects have owners. Those of objects that the
	 * Java API creates have none, which keeps them small.
	 */
	boolean isTracked() {
		return this.scope != UpdateScope.EVERYTHING;
	}

	String subresource() {
		return (this.scope == UpdateScope.STATUS) ? "status" : "";
	}

	ManagedFields.Owner owner(ResourceDefinition definition, boolean applied) {
		return new ManagedFields.Owner(this.manager, applied, applied ? "" : definition.apiVersion(), subresource());
	}

}

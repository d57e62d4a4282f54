/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.util.Set;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.StatusErrors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a deletion does with the dependents of an object.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/concepts/architecture/garbage-collection/#cascading-deletion">Cascading
 * deletion</a>
 */
public enum Propagation {

	/**
	 * What is usual for the resource, unless the object has a finalizer of another one.
	 */
	UNSET,

	/**
	 * Dependents are deleted after the object.
	 */
	BACKGROUND,

	/**
	 * Dependents are deleted before the object.
	 */
	FOREGROUND,

	/**
	 * Dependents stay, without the object as their owner.
	 */
	ORPHAN;

	static final String ORPHAN_FINALIZER = "orphan";

	static final String FOREGROUND_FINALIZER = "foregroundDeletion";

	/** Resources whose dependents stay by default. */
	private static final Set<String> ORPHANING = Set.of("jobs.batch", "replicationcontrollers");

	/** Resources without dependents. */
	private static final Set<String> CHILDLESS = Set.of("events", "events.events.k8s.io");

	/**
	 * Return the propagation in the options of a deletion.
	 */
	public static Propagation of(JsonNode options) {
		JsonNode orphan = options.path("orphanDependents");
		String policy = Json.text(options, "propagationPolicy");
		if (!policy.isEmpty() && orphan.isBoolean()) {
			throw invalid("FieldValueInvalid", "Invalid value: " + StatusErrors.quoted(policy)
					+ ": orphanDependents and deletionPropagation cannot be both set");
		}
		if (orphan.isBoolean()) {
			return orphan.booleanValue() ? ORPHAN : BACKGROUND;
		}
		return switch (policy) {
			case "" -> UNSET;
			case "Background" -> BACKGROUND;
			case "Foreground" -> FOREGROUND;
			case "Orphan" -> ORPHAN;
			default -> throw invalid("FieldValueNotSupported", "Unsupported value: " + StatusErrors.quoted(policy)
					+ ": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"");
		};
	}

	private static KubernetesStatusException invalid(String reason, String message) {
		return StatusErrors.invalid("meta.k8s.io", "DeleteOptions", "", reason, "propagationPolicy", message);
	}

	/**
	 * Set the finalizer of this propagation, and remove those of others.
	 */
	void setFinalizer(ResourceDefinition definition, ObjectNode object) {
		if (CHILDLESS.contains(definition.resource())) {
			return;
		}
		Set<String> finalizers = ObjectMetadata.finalizers(object);
		boolean orphans = this == ORPHAN;
		boolean foreground = this == FOREGROUND;
		if (this == UNSET) {
			orphans = finalizers.contains(ORPHAN_FINALIZER);
			foreground = !orphans && finalizers.contains(FOREGROUND_FINALIZER);
			orphans |= !foreground && ORPHANING.contains(definition.resource());
		}
		finalizers.remove(ORPHAN_FINALIZER);
		finalizers.remove(FOREGROUND_FINALIZER);
		if (orphans) {
			finalizers.add(ORPHAN_FINALIZER);
		}
		if (foreground) {
			finalizers.add(FOREGROUND_FINALIZER);
		}
		if (!finalizers.equals(ObjectMetadata.finalizers(object))) {
			ArrayNode array = Json.childObject(object, "metadata").putArray("finalizers");
			finalizers.forEach(array::add);
		}
	}

}

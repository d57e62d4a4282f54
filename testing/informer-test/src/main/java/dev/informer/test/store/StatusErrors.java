/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.List;
import java.util.stream.Collectors;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ResourceDefinition;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Factory for the errors of the server, with the real server's structure and texts.
 */
public final class StatusErrors {

	private StatusErrors() {
	}

	public static KubernetesStatusException badRequest(String message) {
		return new KubernetesStatusException(failure(message, "BadRequest", null, 400));
	}

	public static KubernetesStatusException unauthorized() {
		return new KubernetesStatusException(failure("Unauthorized", "Unauthorized", null, 401));
	}

	public static KubernetesStatusException forbidden(ResourceDefinition definition, String name, String why) {
		String subject = name.isEmpty() ? definition.resource() : definition.resource() + " " + quoted(name);
		ObjectNode details = details(definition.group(), definition.plural(), name);
		return new KubernetesStatusException(failure(subject + " is forbidden: " + why, "Forbidden", details, 403));
	}

	public static KubernetesStatusException namespaceTerminating(ResourceDefinition definition, StoredObjectKey key) {
		ObjectNode details = details(definition.group(), definition.plural(), key.name());
		cause(details, "NamespaceTerminating", "namespace " + key.namespace() + " is being terminated",
				"metadata.namespace");
		return new KubernetesStatusException(failure(definition.resource() + " " + quoted(key.name())
				+ " is forbidden: unable to create new content in namespace " + key.namespace()
				+ " because it is being terminated", "Forbidden", details, 403));
	}

	public static KubernetesStatusException notFound(ResourceDefinition definition, String name) {
		return new KubernetesStatusException(failure(definition.resource() + " " + quoted(name) + " not found",
				"NotFound", details(definition.group(), definition.plural(), name), 404));
	}

	public static KubernetesStatusException unknownResource() {
		return new KubernetesStatusException(
				failure("the server could not find the requested resource", "NotFound", Json.object(), 404));
	}

	public static KubernetesStatusException methodNotAllowed() {
		return new KubernetesStatusException(failure("the server does not allow this method on the requested resource",
				"MethodNotAllowed", Json.object(), 405));
	}

	public static KubernetesStatusException notAcceptable(String message) {
		return new KubernetesStatusException(failure(message, "NotAcceptable", null, 406));
	}

	public static KubernetesStatusException alreadyExists(StoredObject existing) {
		ResourceDefinition definition = existing.definition();
		String name = existing.key().name();
		String prefix = ObjectMetadata.isBeingDeleted(existing.tree()) ? "object is being deleted: " : "";
		return new KubernetesStatusException(
				failure(prefix + definition.resource() + " " + quoted(name) + " already exists", "AlreadyExists",
						details(definition.group(), definition.plural(), name), 409));
	}

	public static KubernetesStatusException conflict(ResourceDefinition definition, String name, String why) {
		return conflict(definition.group(), definition.plural(), name, why);
	}

	/**
	 * Create a conflict that names the kind instead of the resource, as for
	 * preconditions.
	 */
	public static KubernetesStatusException preconditionFailed(ResourceDefinition definition, String name, String why) {
		return conflict(definition.group(), definition.kind(), name, why);
	}

	private static KubernetesStatusException conflict(String group, String kind, String name, String why) {
		String subject = group.isEmpty() ? kind : kind + "." + group;
		return new KubernetesStatusException(
				failure("Operation cannot be fulfilled on " + subject + " " + quoted(name) + ": " + why, "Conflict",
						details(group, kind, name), 409));
	}

	public static KubernetesStatusException expired(String message, @Nullable String continueToken) {
		ObjectNode status = failure(message, "Expired", null, 410);
		if (continueToken != null) {
			((ObjectNode) status.path("metadata")).put("continue", continueToken);
		}
		return new KubernetesStatusException(status);
	}

	public static KubernetesStatusException unsupportedMediaType(String message, boolean withDetails) {
		return new KubernetesStatusException(
				failure(message, "UnsupportedMediaType", withDetails ? Json.object() : null, 415));
	}

	/**
	 * Create the error for an invalid object or invalid options.
	 */
	public static KubernetesStatusException invalid(String group, String kind, String name, String reason, String field,
			String message) {
		return invalid(group, kind, name, List.of(new FieldError(field, reason, message)));
	}

	static KubernetesStatusException invalid(String group, String kind, String name, List<FieldError> errors) {
		String subject = group.isEmpty() ? kind : kind + "." + group;
		ObjectNode details = details(group, kind, name);
		ArrayNode causes = details.putArray("causes");
		errors.forEach((error) -> causes.addObject()
			.put("reason", error.reason())
			.put("message", error.message())
			.put("field", error.field()));
		String why = errors.stream()
			.map((error) -> error.field() + ": " + error.message())
			.collect(Collectors.joining(", "));
		return new KubernetesStatusException(
				failure(subject + " " + quoted(name) + " is invalid: " + ((errors.size() == 1) ? why : "[" + why + "]"),
						"Invalid", details, 422));
	}

	/**
	 * Create the error for a patch that cannot be applied to its object.
	 */
	public static KubernetesStatusException unprocessable() {
		return new KubernetesStatusException(failure("the server rejected our request due to an error in our request",
				"Invalid", Json.object(), 422));
	}

	public static KubernetesStatusException tooLarge(long requested, long current) {
		ObjectNode details = Json.object();
		cause(details, "ResourceVersionTooLarge", "Too large resource version", null);
		details.put("retryAfterSeconds", 1);
		return new KubernetesStatusException(
				failure("Timeout: Too large resource version: " + requested + ", current: " + current, "Timeout",
						details, 504));
	}

	/**
	 * Create an error without a reason, as the real server does for unexpected failures.
	 */
	public static KubernetesStatusException internal(String message) {
		return new KubernetesStatusException(failure(message, "", null, 500));
	}

	public static ObjectNode failure(String message, String reason, @Nullable ObjectNode details, int code) {
		ObjectNode status = Json.object();
		status.put("kind", "Status");
		status.put("apiVersion", "v1");
		status.putObject("metadata");
		status.put("status", "Failure");
		status.put("message", message);
		if (!reason.isEmpty()) {
			status.put("reason", reason);
		}
		if (details != null) {
			status.set("details", details);
		}
		status.put("code", code);
		return status;
	}

	public static ObjectNode deleted(StoredObject object) {
		ResourceDefinition definition = object.definition();
		ObjectNode status = Json.object();
		status.put("kind", "Status");
		status.put("apiVersion", "v1");
		status.putObject("metadata");
		status.put("status", "Success");
		status.set("details",
				details(definition.group(), definition.plural(), object.key().name()).put("uid", object.uid()));
		return status;
	}

	private static ObjectNode details(String group, String kind, String name) {
		ObjectNode details = Json.object();
		if (!name.isEmpty()) {
			details.put("name", name);
		}
		if (!group.isEmpty()) {
			details.put("group", group);
		}
		return details.put("kind", kind);
	}

	private static void cause(ObjectNode details, String reason, String message, @Nullable String field) {
		ObjectNode cause = details.putArray("causes").addObject().put("reason", reason).put("message", message);
		if (field != null) {
			cause.put("field", field);
		}
	}

	public static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

	/**
	 * Violation of a rule by a field.
	 *
	 * @param field the path of the field
	 * @param reason the kind of rule
	 * @param message the description of the violation
	 */
	record FieldError(String field, String reason, String message) {
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.apply.ManagedFields;
import dev.informer.test.apply.UpdateScope;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.StoredObject;
import dev.informer.test.store.StoredObjectKey;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validation and defaults applied to an object before it is stored.
 */
final class ObjectRules {

	private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

	private static final Pattern SUBDOMAIN = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private static final String SUBDOMAIN_RULE = "a lowercase RFC 1123 subdomain must consist of lower case "
			+ "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
			+ "'example.com', regex used for validation is "
			+ "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

	private static final Set<String> WITH_GENERATION = Set.of("pods", "replicationcontrollers", "deployments.apps",
			"replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
			"ingresses.networking.k8s.io", "networkpolicies.networking.k8s.io", "poddisruptionbudgets.policy",
			"customresourcedefinitions.apiextensions.k8s.io", "endpointslices.discovery.k8s.io",
			"mutatingwebhookconfigurations.admissionregistration.k8s.io",
			"validatingwebhookconfigurations.admissionregistration.k8s.io",
			"validatingadmissionpolicies.admissionregistration.k8s.io",
			"validatingadmissionpolicybindings.admissionregistration.k8s.io",
			"flowschemas.flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io");

	private static final Set<String> NOT_SPEC = Set.of("kind", "apiVersion", "metadata", "status");

	private static final List<String> SET_BY_SERVER = List.of("deletionTimestamp", "deletionGracePeriodSeconds",
			"selfLink", "generation");

	private ObjectRules() {
	}

	/**
	 * Check the API version and kind of an object, and set them if they are missing.
	 */
	static void checkType(ResourceDefinition definition, ObjectNode tree) {
		String apiVersion = Json.text(tree, "apiVersion");
		String kind = Json.text(tree, "kind");
		if (!apiVersion.isEmpty() && !apiVersion.equals(definition.apiVersion())) {
			throw StatusErrors.badRequest("the API version in the data (" + apiVersion
					+ ") does not match the expected API version (" + definition.apiVersion() + ")");
		}
		if (!kind.isEmpty() && !kind.equals(definition.kind())) {
			String group = definition.group().isEmpty() ? "core" : definition.group();
			throw StatusErrors.badRequest(kind + " in version " + StatusErrors.quoted(definition.version())
					+ " cannot be handled as a " + definition.kind() + ": converting (" + definition.version() + "."
					+ kind + ") to (" + group + "." + definition.kind() + "): unknown conversion");
		}
		tree.put("apiVersion", definition.apiVersion());
		tree.put("kind", definition.kind());
	}

	/**
	 * Prepare a new object, and generate its name if requested.
	 */
	static StoredObjectKey prepareCreate(ResourceDefinition definition, String namespace, ObjectNode tree,
			UpdateScope scope) {
		checkType(definition, tree);
		ObjectNode metadata = Json.childObject(tree, "metadata");
		checkNamespace(metadata, namespace);
		if (metadata.hasNonNull("resourceVersion") && !Json.text(metadata, "resourceVersion").isEmpty()) {
			throw StatusErrors.internal("resourceVersion should not be set on objects to be created");
		}
		String name = name(definition, metadata);
		metadata.put("name", name);
		if (definition.namespaced()) {
			metadata.put("namespace", namespace);
		}
		checkControllers(definition, name, metadata);
		metadata.remove(SET_BY_SERVER);
		metadata.put("uid", UUID.randomUUID().toString());
		metadata.put("creationTimestamp", ObjectMetadata.now());
		if (hasGeneration(definition)) {
			metadata.put("generation", 1);
		}
		InitialStatus.apply(definition, tree, scope);
		if (definition.resource().equals("namespaces")) {
			Json.childObject(metadata, "labels").put("kubernetes.io/metadata.name", name);
			Json.childObject(tree, "spec").putArray("finalizers").add("kubernetes");
		}
		return StoredObjectKey.of(definition, namespace, name);
	}

	/**
	 * Check the name and UID of a new object that has been applied.
	 */
	static void checkApplied(ResourceDefinition definition, StoredObjectKey key, ObjectNode tree) {
		ObjectNode metadata = Json.childObject(tree, "metadata");
		String uid = Json.text(metadata, "uid");
		if (!uid.isEmpty()) {
			throw StatusErrors.conflict(definition, key.name(),
					"uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
		}
		checkNamespace(metadata, key.namespace());
		String name = Json.text(metadata, "name");
		if (name.isEmpty()) {
			throw StatusErrors.badRequest("the name of the object (" + key.name()
					+ " based on URL) was undeterminable: name must be provided");
		}
		checkName(name, key.name());
		metadata.remove("resourceVersion");
	}

	private static void checkName(String name, String expected) {
		if (!name.equals(expected)) {
			throw StatusErrors.badRequest(
					"the name of the object (" + name + ") does not match the name on the URL (" + expected + ")");
		}
	}

	private static String name(ResourceDefinition definition, ObjectNode metadata) {
		String name = Json.text(metadata, "name");
		String prefix = Json.text(metadata, "generateName");
		if (name.isEmpty() && !prefix.isEmpty()) {
			name = prefix + randomSuffix();
		}
		if (name.isEmpty()) {
			throw StatusErrors.invalid(definition.group(), definition.kind(), "", "FieldValueRequired", "metadata.name",
					"Required value: name or generateName is required");
		}
		boolean free = definition.group().equals("rbac.authorization.k8s.io") || definition.resource().equals("events");
		if (!free && (name.length() > 253 || !SUBDOMAIN.matcher(name).matches())) {
			throw StatusErrors.invalid(definition.group(), definition.kind(), name, "FieldValueInvalid",
					"metadata.name", "Invalid value: " + StatusErrors.quoted(name) + ": " + SUBDOMAIN_RULE);
		}
		return name;
	}

	private static String randomSuffix() {
		StringBuilder suffix = new StringBuilder();
		for (int i = 0; i < 5; i++) {
			suffix.append(SUFFIX_ALPHABET.charAt(ThreadLocalRandom.current().nextInt(SUFFIX_ALPHABET.length())));
		}
		return suffix.toString();
	}

	private static void checkNamespace(ObjectNode metadata, String namespace) {
		String own = Json.text(metadata, "namespace");
		if (!own.isEmpty() && !own.equals(namespace)) {
			throw StatusErrors
				.badRequest("the namespace of the provided object does not match the namespace sent on the request");
		}
	}

	/**
	 * Check the type, name, namespace and version of an update.
	 */
	static void checkUpdate(ResourceDefinition definition, StoredObject current, ObjectNode candidate,
			UpdateScope scope) {
		checkType(definition, candidate);
		ObjectNode metadata = Json.childObject(candidate, "metadata");
		checkNamespace(metadata, current.key().namespace());
		checkIdentity(definition, current, metadata, scope);
	}

	/**
	 * Validate an update and copy the fields that only the server sets.
	 */
	static ObjectNode prepareUpdate(ResourceDefinition definition, StoredObject current, ObjectNode previous,
			ObjectNode candidate, UpdateScope scope) {
		StoredObjectKey key = current.key();
		ObjectNode result = scope.combine(definition, previous, candidate);
		checkFinalizers(definition, previous, result);
		ObjectNode resultMetadata = Json.childObject(result, "metadata");
		checkControllers(definition, key.name(), resultMetadata);
		ObjectMetadata.inherit(resultMetadata, previous.path("metadata"));
		resultMetadata.put("name", key.name());
		if (definition.namespaced()) {
			resultMetadata.put("namespace", key.namespace());
		}
		resultMetadata.put("resourceVersion", Long.toString(current.resourceVersion()));
		if (hasGeneration(definition) && scope != UpdateScope.STATUS && !isSameSpec(definition, previous, result)) {
			ObjectMetadata.bumpGeneration(resultMetadata);
		}
		ManagedFields.keepTimes(previous, result);
		return definition.builtIn() ? ObjectMetadata.ordered(definition, result) : result;
	}

	/**
	 * Return whether two states need no work by a controller. Annotations of Deployments
	 * do, because they are copied to ReplicaSets.
	 */
	private static boolean isSameSpec(ResourceDefinition definition, ObjectNode previous, ObjectNode result) {
		boolean annotated = definition.resource().equals("deployments.apps")
				&& !annotations(previous).equals(annotations(result));
		return !annotated && Json.isSame(spec(result, definition), spec(previous, definition));
	}

	private static JsonNode annotations(ObjectNode object) {
		JsonNode annotations = object.path("metadata").path("annotations");
		return annotations.isEmpty() ? Json.object() : annotations;
	}

	/**
	 * Check the UID of a patched object. It is no precondition, as in an update, but a
	 * field that does not change.
	 */
	static void checkPatchedUid(ResourceDefinition definition, ObjectNode previous, ObjectNode patched) {
		JsonNode before = previous.path("metadata");
		ObjectNode metadata = Json.childObject(patched, "metadata");
		String uid = Json.text(metadata, "uid");
		if (uid.isEmpty() || uid.equals(Json.text(before, "uid"))) {
			return;
		}
		if (Json.text(metadata, "resourceVersion").equals(Json.text(before, "resourceVersion"))) {
			throw StatusErrors.invalid(definition.group(), definition.kind(), Json.text(before, "name"),
					"FieldValueInvalid", "metadata.uid",
					"Invalid value: " + StatusErrors.quoted(uid) + ": field is immutable");
		}
		// the version is checked first
		metadata.put("uid", Json.text(before, "uid"));
	}

	private static void checkIdentity(ResourceDefinition definition, StoredObject current, ObjectNode metadata,
			UpdateScope scope) {
		String name = current.key().name();
		String ownName = Json.text(metadata, "name");
		if (!ownName.isEmpty()) {
			checkName(ownName, name);
		}
		String uid = Json.text(metadata, "uid");
		if (!uid.isEmpty() && !uid.equals(current.uid())) {
			throw StatusErrors.conflict(definition, name,
					"StorageError: invalid object, Code: 4, Key: /registry/" + definition.plural() + "/"
							+ current.key().path() + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
							+ "UID in precondition: " + uid + ", UID in object meta: " + current.uid());
		}
		String resourceVersion = Json.text(metadata, "resourceVersion");
		if (resourceVersion.isEmpty() && !definition.builtIn() && scope != UpdateScope.EVERYTHING) {
			throw StatusErrors.invalid(definition.group(), definition.plural(), name, "FieldValueInvalid",
					"metadata.resourceVersion", "Invalid value: 0: must be specified for an update");
		}
		if (!resourceVersion.isEmpty() && !resourceVersion.equals(Long.toString(current.resourceVersion()))) {
			throw StatusErrors.conflict(definition, name,
					"the object has been modified; please apply your changes to the latest version and try again");
		}
	}

	private static void checkControllers(ResourceDefinition definition, String name, ObjectNode metadata) {
		JsonNode references = metadata.path("ownerReferences");
		List<String> controllers = new ArrayList<>();
		for (JsonNode reference : references) {
			if (reference.path("controller").asBoolean(false)) {
				controllers.add(Json.text(reference, "kind") + "/" + Json.text(reference, "name"));
			}
		}
		if (controllers.size() > 1) {
			throw StatusErrors.invalid(definition.group(), definition.kind(), name, "FieldValueInvalid",
					"metadata.ownerReferences",
					"Invalid value: " + references
							+ ": Only one reference can have Controller set to true. Found \"true\" in references for "
							+ controllers.get(0) + " and " + controllers.get(1));
		}
	}

	private static void checkFinalizers(ResourceDefinition definition, ObjectNode previous, ObjectNode result) {
		if (!ObjectMetadata.isBeingDeleted(previous)) {
			return;
		}
		Set<String> added = ObjectMetadata.finalizers(result);
		added.removeAll(ObjectMetadata.finalizers(previous));
		if (!added.isEmpty()) {
			String names = added.stream().map(StatusErrors::quoted).collect(Collectors.joining(", "));
			throw StatusErrors.invalid(definition.group(), definition.kind(),
					Json.text(previous.path("metadata"), "name"), "FieldValueForbidden", "metadata.finalizers",
					"Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers "
							+ "[]string{" + names + "}");
		}
	}

	private static boolean hasGeneration(ResourceDefinition definition) {
		return !definition.builtIn() || WITH_GENERATION.contains(definition.resource());
	}

	private static ObjectNode spec(ObjectNode tree, ResourceDefinition definition) {
		ObjectNode spec = Json.object();
		boolean statusIsData = !definition.builtIn() && !definition.status();
		tree.forEachEntry((name, value) -> {
			if (!NOT_SPEC.contains(name) || (statusIsData && name.equals("status"))) {
				spec.set(name, value);
			}
		});
		return spec;
	}

}

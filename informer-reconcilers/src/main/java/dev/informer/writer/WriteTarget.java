/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

import com.google.gson.JsonObject;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.support.Arguments;
import dev.informer.support.UntrustedText;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Object of a write: its resource, namespace and name, which are valid parts of a path.
 *
 * @param namespace the namespace; {@code null} for a cluster-scoped object
 * @param name the name; {@code null} if the server generates it
 */
record WriteTarget<T extends KubernetesObject>(ResourceType<T> type, @Nullable String namespace,
		@Nullable String name) {

	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	/**
	 * Names of RBAC objects may have any character but two
	 * (https://github.com/kubernetes/apimachinery/blob/v0.36.1/pkg/api/validation/path/name.go).
	 * Those that end a line, and half of a pair of surrogates, are in none.
	 */
	private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[^/%\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{1,253}");

	/**
	 * Create the target of a write.
	 * @throws IllegalArgumentException if the object has no valid name or namespace
	 */
	static <T extends KubernetesObject> WriteTarget<T> of(Operation operation, ResourceType<T> type, T object,
			@Nullable KubernetesObject owner) {
		ObjectState state = ObjectState.of(object);
		String subject = "Cannot " + text(operation) + " an object of " + type + ": ";
		String name = (state.name() != null && !state.name().isEmpty()) ? state.name() : null;
		boolean generated = operation == Operation.CREATE && hasGeneratedName(object);
		if (name == null && !generated) {
			throw new IllegalArgumentException(subject + "it has no name. Set metadata.name"
					+ ((operation == Operation.CREATE) ? " or metadata.generateName." : "."));
		}
		if (name != null && !NAME.matcher(name).matches()) {
			throw new IllegalArgumentException(
					subject + "its name is invalid. Use a name without / and %, " + "of at most 253 characters.");
		}
		String namespace = (state.namespace() != null && !state.namespace().isEmpty()) ? state.namespace() : null;
		if (!type.namespaced() && namespace != null) {
			throw new IllegalArgumentException(
					subject + "it has a namespace, but is cluster-scoped. Remove metadata.namespace.");
		}
		String effective = (type.namespaced() && namespace == null && owner != null) ? ObjectState.of(owner).namespace()
				: namespace;
		if (type.namespaced() && (effective == null || !NAMESPACE.matcher(effective).matches())) {
			throw new IllegalArgumentException(
					subject + ((effective != null) ? "its namespace is invalid" : "it has no namespace")
							+ ". Set metadata.namespace to the name of one.");
		}
		return new WriteTarget<>(type, effective, name);
	}

	private static boolean hasGeneratedName(KubernetesObject object) {
		String prefix = (object.getMetadata() != null) ? object.getMetadata().getGenerateName() : null;
		return prefix != null && !prefix.isEmpty();
	}

	/**
	 * Return the reference of the object to its controller.
	 * @throws IllegalArgumentException if the garbage collector would not find the owner
	 */
	JsonObject ownerReference(KubernetesObject owner, ResourceType<?> ownerType) {
		ObjectState state = ObjectState.of(owner);
		String subject = "Cannot make " + ownerType.qualifiedName() + " '" + UntrustedText.of(state.key())
				+ "' the owner of " + this.type.qualifiedName() + ": ";
		if (state.uid() == null || state.name() == null) {
			throw new IllegalArgumentException(
					subject + "it has no UID. Pass the owner as it was read from the API server.");
		}
		if (ownerType.namespaced() && !String.valueOf(state.namespace()).equals(this.namespace)) {
			throw new IllegalArgumentException(subject + "it is in another namespace ("
					+ ((this.namespace != null) ? this.namespace : "none")
					+ "), so the garbage collector would delete the object. Use an owner in the same namespace, "
					+ "or a cluster-scoped one.");
		}
		JsonObject reference = new JsonObject();
		reference.addProperty("apiVersion", ownerType.apiVersion());
		reference.addProperty("kind", ownerType.kind());
		reference.addProperty("name", state.name());
		reference.addProperty("uid", state.uid());
		// without blockOwnerDeletion, for which some clusters require a right on the
		// owner
		reference.addProperty("controller", true);
		return reference;
	}

	/**
	 * Return the namespace and the name of the object.
	 */
	ObjectState state() {
		return new ObjectState(this.namespace, this.name, null, null);
	}

	/**
	 * Return the path for an operation.
	 */
	String path(Operation operation) {
		String collection = this.type.path(this.namespace);
		return switch (operation) {
			case CREATE -> collection;
			case UPDATE_STATUS -> collection + "/" + segment() + "/status";
			default -> collection + "/" + segment();
		};
	}

	private String segment() {
		return URLEncoder.encode(String.valueOf(this.name), StandardCharsets.UTF_8)
			.replace("+", "%20")
			.replace("%3A", ":");
	}

	/**
	 * Return the operation with its object, for messages.
	 */
	String describe(Operation operation) {
		return text(operation) + " " + describe();
	}

	/**
	 * Return the object, for messages.
	 */
	String describe() {
		String key = (this.namespace != null) ? this.namespace + "/" + this.name : this.name;
		return this.type.qualifiedName()
				+ ((this.name != null) ? " '" + UntrustedText.of(key) + "'" : " with a generated name");
	}

	private static String text(Operation operation) {
		return (operation == Operation.UPDATE_STATUS) ? "update the status of"
				: operation.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Refuse an argument that is {@code null}, also as one that means none: an object
	 * whose owner was not found would have no owner.
	 */
	static void requireArgument(Operation operation, String name, @Nullable Object argument) {
		Arguments.require(text(operation) + " an object", name, argument, "owner".equals(name)
				? "Pass the owner as it was read, or call the method without an owner." : "Pass it.");
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.List;
import java.util.Optional;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Identity of an object and its version. Use this instead of the metadata of an untyped
 * object, which parses them from its tree on every call.
 *
 * @param namespace its namespace; {@code null} if it has none
 * @param name its name; {@code null} if it has none
 * @param uid its UID; {@code null} if it has none
 * @param resourceVersion its resource version; {@code null} if it has none
 */
public record ObjectState(@Nullable String namespace, @Nullable String name, @Nullable String uid,
		@Nullable String resourceVersion) {

	/** The state of an object without metadata. */
	public static final ObjectState NONE = new ObjectState(null, null, null, null);

	/**
	 * Return the state of an object.
	 * @param object the object
	 * @return its state
	 */
	public static ObjectState of(KubernetesObject object) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			return of(dynamic.getRaw().get("metadata"));
		}
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata != null) ? new ObjectState(metadata.getNamespace(), metadata.getName(), metadata.getUid(),
				metadata.getResourceVersion()) : NONE;
	}

	/**
	 * Return the state that the metadata of an untyped object contain.
	 * @param metadata the metadata; {@code null} if the object has none
	 * @return its state
	 */
	public static ObjectState of(@Nullable JsonElement metadata) {
		return (metadata instanceof JsonObject fields) ? new ObjectState(text(fields, "namespace"),
				text(fields, "name"), text(fields, "uid"), text(fields, "resourceVersion")) : NONE;
	}

	/**
	 * Return the reference of an object to its controller.
	 * @param object the object
	 * @return the reference; empty without a controller
	 */
	public static Optional<V1OwnerReference> controller(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		List<V1OwnerReference> owners = (metadata != null) ? metadata.getOwnerReferences() : null;
		return (owners != null)
				? owners.stream().filter((owner) -> Boolean.TRUE.equals(owner.getController())).findFirst()
				: Optional.empty();
	}

	private static @Nullable String text(JsonObject fields, String name) {
		return (fields.get(name) instanceof JsonPrimitive value) ? value.getAsString() : null;
	}

	/**
	 * Return this state with another value of one property of the metadata.
	 * @param property the name of the property; any but the four of this record is
	 * ignored
	 * @param value the value
	 * @return the new state
	 */
	public ObjectState with(String property, String value) {
		return switch (property) {
			case "namespace" -> new ObjectState(value, this.name, this.uid, this.resourceVersion);
			case "name" -> new ObjectState(this.namespace, value, this.uid, this.resourceVersion);
			case "uid" -> new ObjectState(this.namespace, this.name, value, this.resourceVersion);
			case "resourceVersion" -> new ObjectState(this.namespace, this.name, this.uid, value);
			default -> this;
		};
	}

	/**
	 * Return the key of the object.
	 * @return the key, or {@code null} if the object has no name
	 * @see ObjectKey
	 */
	public @Nullable String key() {
		return (this.name != null) ? ObjectKey.of(this.namespace, this.name) : null;
	}

	/**
	 * Return whether this is the same version of the same object.
	 * @param other another state under the same key
	 * @return whether both have a UID and a resource version, and these are equal
	 */
	public boolean isSameAs(ObjectState other) {
		return this.uid != null && this.resourceVersion != null && !this.resourceVersion.isEmpty()
				&& this.uid.equals(other.uid) && this.resourceVersion.equals(other.resourceVersion);
	}

	/**
	 * Return key, UID and resource version as text for messages.
	 */
	@Override
	public String toString() {
		String key = key();
		return ((key != null) ? key : "(no name)") + " with UID " + this.uid + " at " + this.resourceVersion;
	}

}

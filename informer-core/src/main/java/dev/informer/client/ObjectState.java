/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Which object an object is, and in which state. Read here rather than from its metadata,
 * which an untyped object makes anew from its tree whenever it is asked for it.
 *
 * @param namespace its namespace; {@code null} when there is none
 * @param name its name; {@code null} when there is none
 * @param uid its UID; {@code null} when there is none
 * @param resourceVersion its resource version; {@code null} when there is none
 */
public record ObjectState(@Nullable String namespace, @Nullable String name, @Nullable String uid,
		@Nullable String resourceVersion) {

	private static final ObjectState NONE = new ObjectState(null, null, null, null);

	/**
	 * Reads the identity of an object.
	 * @param object the object
	 * @return its identity
	 */
	public static ObjectState of(KubernetesObject object) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			return of(dynamic.getRaw().get("metadata"));
		}
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata != null) ? new ObjectState(metadata.getNamespace(), metadata.getName(), metadata.getUid(),
				metadata.getResourceVersion()) : NONE;
	}

	private static ObjectState of(@Nullable JsonElement metadata) {
		return (metadata instanceof JsonObject fields) ? new ObjectState(text(fields, "namespace"),
				text(fields, "name"), text(fields, "uid"), text(fields, "resourceVersion")) : NONE;
	}

	private static @Nullable String text(JsonObject fields, String name) {
		return (fields.get(name) instanceof JsonPrimitive value) ? value.getAsString() : null;
	}

	/**
	 * Whether this is the same state of the same object.
	 * @param other another state under the same key
	 * @return whether both have UIDs and resource versions, and these are equal
	 */
	public boolean isSameAs(ObjectState other) {
		return this.uid != null && this.resourceVersion != null && !this.resourceVersion.isEmpty()
				&& this.uid.equals(other.uid) && this.resourceVersion.equals(other.resourceVersion);
	}

	/**
	 * The identity in words.
	 */
	@Override
	public String toString() {
		String key = (this.name != null) ? ObjectKey.of(this.namespace, this.name) : "(no name)";
		return key + " with UID " + this.uid + " at " + this.resourceVersion;
	}

}

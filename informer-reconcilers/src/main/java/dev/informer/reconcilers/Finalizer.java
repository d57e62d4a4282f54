/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Finalizer of a reconciler with a cleanup. A change of it fails if the object has
 * another version; it is then repeated with the version and the finalizers that the
 * server has, so that writes of others neither repeat a cleanup nor delay a call.
 * Thread-safe.
 */
final class Finalizer {

	private static final int NOT_FOUND = 404;

	/** Another object has the name. */
	private static final int INVALID = 422;

	private static final int MAX_CONFLICTS = 100;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final @Nullable String name;

	private final ObjectWriter writer;

	private final InformerFactory factory;

	private final ResourceType<?> type;

	/**
	 * Create a finalizer. Without a name, no object needs or has it.
	 * @param type the resource of the objects
	 */
	Finalizer(@Nullable String name, ObjectWriter writer, InformerFactory factory, ResourceType<?> type) {
		this.name = name;
		this.writer = writer;
		this.factory = factory;
		this.type = type;
	}

	static boolean isDeleting(KubernetesObject object) {
		return object.getMetadata().getDeletionTimestamp() != null;
	}

	boolean isPresent(KubernetesObject object) {
		return this.name != null && finalizers(object).contains(this.name);
	}

	/**
	 * Return whether an object needs the finalizer before the first call.
	 */
	boolean isMissing(KubernetesObject object) {
		return this.name != null && !isPresent(object);
	}

	/**
	 * Add the finalizer.
	 * @return whether the object exists, and is not being deleted
	 */
	boolean add(KubernetesObject cached) throws ObjectWriteException {
		return change(cached, true);
	}

	/**
	 * Remove the finalizer, if the object exists.
	 */
	void remove(KubernetesObject cached) throws ObjectWriteException {
		change(cached, false);
	}

	private boolean change(KubernetesObject cached, boolean present) throws ObjectWriteException {
		KubernetesObject object = cached;
		for (int conflicts = 0; isPresent(object) != present; conflicts++) {
			List<String> changed = finalizers(object);
			changed.remove(this.name);
			if (present) {
				changed.add(String.valueOf(this.name));
			}
			try {
				this.writer.patch(object, (copy) -> setFinalizers(copy, changed));
			}
			catch (ObjectWriteException ex) {
				JsonObject current = read(cached, ex);
				if (current == null || (present && current.has("deletionTimestamp"))) {
					return false;
				}
				if (!ex.isConflict() || conflicts == MAX_CONFLICTS) {
					throw ex;
				}
				object = ObjectCopy.of(cached);
				setMetadata(object, current);
			}
		}
		return true;
	}

	/**
	 * Return the metadata that the server has; {@code null} if the object is gone.
	 * @param failure the failure of the write, which is thrown if it says nothing about
	 * the object, or if the metadata cannot be read
	 */
	private @Nullable JsonObject read(KubernetesObject cached, ObjectWriteException failure)
			throws ObjectWriteException {
		if (!failure.isConflict() && failure.getCode() != NOT_FOUND && failure.getCode() != INVALID) {
			throw failure;
		}
		ObjectState state = ObjectState.of(cached);
		try {
			// a list, for which the informer has the right
			byte[] answer = this.factory.connection()
				.send("GET", type(cached).path(state.namespace()),
						Map.of("fieldSelector", "metadata.name=" + state.name(), "limit", "1"), null, null, true,
						TIMEOUT);
			JsonElement items = JsonParser.parseString(new String(answer, StandardCharsets.UTF_8))
				.getAsJsonObject()
				.get("items");
			if (!(items instanceof JsonArray found) || found.isEmpty()) {
				return null;
			}
			JsonObject metadata = found.get(0).getAsJsonObject().getAsJsonObject("metadata");
			return String.valueOf(state.uid()).equals(ObjectState.of(metadata).uid()) ? metadata : null;
		}
		catch (IOException | JsonParseException | IllegalStateException | ClassCastException ex) {
			failure.addSuppressed(ex);
			throw failure;
		}
	}

	private ResourceType<?> type(KubernetesObject object) {
		if (!(object instanceof DynamicKubernetesObject)) {
			return ResourceType.of(object.getClass());
		}
		String apiVersion = object.getApiVersion();
		String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
		return ResourceType.dynamic(this.type.group(), version, this.type.plural(), this.type.kind(),
				this.type.namespaced());
	}

	private static void setMetadata(KubernetesObject object, JsonObject current) {
		String version = ObjectState.of(current).resourceVersion();
		JsonArray array = (current.get("finalizers") instanceof JsonArray known) ? known : new JsonArray();
		List<String> finalizers = new ArrayList<>();
		array.forEach((finalizer) -> finalizers.add(finalizer.getAsString()));
		setFinalizers(object, finalizers);
		if (object instanceof DynamicKubernetesObject dynamic) {
			dynamic.getRaw().getAsJsonObject("metadata").addProperty("resourceVersion", version);
		}
		else {
			object.getMetadata().setResourceVersion(version);
		}
	}

	private static void setFinalizers(KubernetesObject object, List<String> finalizers) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			JsonArray array = new JsonArray();
			finalizers.forEach(array::add);
			dynamic.getRaw().getAsJsonObject("metadata").add("finalizers", array);
		}
		else {
			object.getMetadata().setFinalizers(finalizers);
		}
	}

	private static List<String> finalizers(KubernetesObject object) {
		List<String> finalizers = object.getMetadata().getFinalizers();
		return (finalizers != null) ? new ArrayList<>(finalizers) : new ArrayList<>();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.client.ServerStatusException;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.support.UntrustedText;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
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

	private static final int MAX_WRITTEN = 10_000;

	private final @Nullable String name;

	private final ObjectWriter writer;

	private final InformerFactory factory;

	private final ResourceType<?> type;

	/**
	 * Whether the objects that were written last have the finalizer, by UID. The cache
	 * may lose an object before it has the write.
	 */
	private final Map<String, Boolean> written = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
			return size() > MAX_WRITTEN;
		}

	};

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

	/**
	 * Return whether an object may have the finalizer that has left the cache.
	 * @param last its last state
	 * @param unknown whether there may be later states
	 */
	boolean mayRemain(KubernetesObject last, boolean unknown) {
		Boolean known;
		synchronized (this.written) {
			known = this.written.get(uid(last));
		}
		if (isPresent(last)) {
			// nobody can add it again to an object that is being deleted
			return !isDeleting(last) || !Boolean.FALSE.equals(known);
		}
		return this.name != null && (unknown || Boolean.TRUE.equals(known));
	}

	/**
	 * Return an object as the server has it, if it exists and has the finalizer;
	 * {@code null} otherwise. Blocks.
	 * @param last a state of it
	 * @param selectors the selectors that have to select it
	 */
	<T extends KubernetesObject> @Nullable T find(T last, Class<T> type, Map<String, String> selectors)
			throws IOException {
		ResourceType<?> resource = type(last);
		try {
			JsonObject found = list(last, selectors);
			if (found == null) {
				return null;
			}
			// those of a list have no type
			found.addProperty("apiVersion", resource.apiVersion());
			found.addProperty("kind", resource.kind());
			T object = JsonWireFormat.of(type, resource.apiVersion(), resource.kind())
				.readObject(new ByteArrayInputStream(found.toString().getBytes(StandardCharsets.UTF_8)));
			return isPresent(object) ? object : null;
		}
		catch (ServerStatusException ex) {
			if (ex.status().code() == NOT_FOUND) {
				return null;
			}
			throw new IOException(cannotFind(last, "Permit to list " + resource.plural() + " there, or remove it."),
					ex);
		}
		catch (IOException | JsonParseException | IllegalStateException | ClassCastException ex) {
			throw new IOException(cannotFind(last, "Check the connection."), ex);
		}
	}

	private String cannotFind(KubernetesObject last, String remedy) {
		return "Cannot find out whether " + this.type.plural() + " '" + UntrustedText.of(ObjectState.of(last).key())
				+ "', which is not selected any more, has the finalizer '" + this.name
				+ "': the API server did not tell. " + remedy;
	}

	private boolean change(KubernetesObject cached, boolean present) throws ObjectWriteException {
		if (present) {
			// also without an answer
			note(cached, true);
		}
		boolean exists = write(cached, present);
		note(cached, exists && present);
		return exists;
	}

	private void note(KubernetesObject object, boolean present) {
		synchronized (this.written) {
			this.written.put(uid(object), present);
		}
	}

	private static String uid(KubernetesObject object) {
		return String.valueOf(ObjectState.of(object).uid());
	}

	private boolean write(KubernetesObject cached, boolean present) throws ObjectWriteException {
		KubernetesObject object = cached;
		for (int conflicts = 0; isPresent(object) != present; conflicts++) {
			List<String> changed = finalizers(object);
			changed.remove(this.name);
			if (present) {
				changed.add(String.valueOf(this.name));
			}
			try {
				this.writer.patch(object, (copy) -> setFinalizers(copy, changed));
				return true;
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
		try {
			JsonObject found = list(cached, Map.of());
			return (found != null) ? found.getAsJsonObject("metadata") : null;
		}
		catch (IOException | JsonParseException | IllegalStateException | ClassCastException ex) {
			failure.addSuppressed(ex);
			throw failure;
		}
	}

	/**
	 * Return the object that the server has; {@code null} if it is gone, or not selected.
	 */
	private @Nullable JsonObject list(KubernetesObject object, Map<String, String> selectors) throws IOException {
		ObjectState state = ObjectState.of(object);
		JsonObject found = this.factory.connection()
			.find(type(object), state.namespace(), String.valueOf(state.name()), selectors, TIMEOUT);
		return (found != null && uid(object).equals(ObjectState.of(found.getAsJsonObject("metadata")).uid())) ? found
				: null;
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

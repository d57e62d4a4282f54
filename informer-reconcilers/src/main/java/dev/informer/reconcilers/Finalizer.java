/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Finalizer of a reconciler with a cleanup.
 */
final class Finalizer {

	private static final int NOT_FOUND = 404;

	private final @Nullable String name;

	private final ObjectWriter writer;

	/**
	 * Create a finalizer. Without a name, no object needs or has it.
	 */
	Finalizer(@Nullable String name, ObjectWriter writer) {
		this.name = name;
		this.writer = writer;
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
	 * Add the finalizer, if the object still has the version of the cache.
	 */
	void add(KubernetesObject cached) throws ObjectWriteException {
		List<String> finalizers = finalizers(cached);
		finalizers.add(this.name);
		set(cached, finalizers);
	}

	/**
	 * Remove the finalizer, if the object still has the version of the cache.
	 */
	void remove(KubernetesObject cached) throws ObjectWriteException {
		List<String> finalizers = finalizers(cached);
		finalizers.remove(this.name);
		set(cached, finalizers);
	}

	private static List<String> finalizers(KubernetesObject object) {
		List<String> finalizers = object.getMetadata().getFinalizers();
		return (finalizers != null) ? new ArrayList<>(finalizers) : new ArrayList<>();
	}

	private void set(KubernetesObject cached, List<String> finalizers) throws ObjectWriteException {
		try {
			this.writer.patch(cached, (copy) -> setFinalizers(copy, finalizers));
		}
		catch (ObjectWriteException ex) {
			// the object is gone, so that there is nothing to keep any more
			if (ex.getCode() != NOT_FOUND) {
				throw ex;
			}
		}
	}

	private static void setFinalizers(KubernetesObject object, List<String> finalizers) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			JsonObject metadata = dynamic.getRaw().getAsJsonObject("metadata");
			JsonArray array = new JsonArray();
			finalizers.forEach(array::add);
			metadata.add("finalizers", array);
			return;
		}
		object.getMetadata().setFinalizers(finalizers);
	}

}

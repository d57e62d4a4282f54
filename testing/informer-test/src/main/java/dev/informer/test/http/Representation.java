/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.StoredObject;
import tools.jackson.databind.node.ObjectNode;

/**
 * Representation of objects in responses: complete objects or metadata only.
 */
enum Representation {

	/**
	 * Complete objects.
	 */
	WHOLE {

		@Override
		void write(StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
			out.write(object.json(served));
		}

		@Override
		void writeItem(StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
			byte[] json = object.json(served);
			int offset = object.converted(served).bodyOffset();
			if (offset > 0) {
				out.write('{');
			}
			out.write(json, offset, json.length - offset);
		}

		@Override
		ResourceDefinition type(ResourceDefinition served) {
			return served;
		}

	},

	/**
	 * Objects as {@code PartialObjectMetadata}.
	 */
	METADATA {

		@Override
		void write(StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
			out.write(Json.bytes(tree(object, served)));
		}

		@Override
		ObjectNode tree(StoredObject object, ResourceDefinition served) {
			ObjectNode partial = Json.object().put("kind", METADATA_TYPE.kind());
			partial.put("apiVersion", METADATA_TYPE.apiVersion());
			partial.set("metadata", object.tree().path("metadata"));
			return partial;
		}

	},

	/**
	 * {@code PartialObjectMetadataList} requested for single objects, possible in watches
	 * only. No object can be written in this representation.
	 */
	METADATA_OF_LISTS {

		@Override
		void write(StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
			throw new UnfitException();
		}

		@Override
		void writeEvent(String type, StoredObject object, ResourceDefinition served, OutputStream out)
				throws IOException {
			throw new UnfitException();
		}

		@Override
		ObjectNode tree(StoredObject object, ResourceDefinition served) throws IOException {
			throw new UnfitException();
		}

	};

	private static final ResourceDefinition METADATA_TYPE = new ResourceDefinition("meta.k8s.io", "v1", "",
			"PartialObjectMetadata", true, false, true);

	private static final byte[] EVENT_START = "{\"type\":\"".getBytes(StandardCharsets.UTF_8);

	private static final byte[] EVENT_OBJECT = "\",\"object\":".getBytes(StandardCharsets.UTF_8);

	private static final byte[] EVENT_END = "}\n".getBytes(StandardCharsets.UTF_8);

	/**
	 * Write a single object.
	 */
	abstract void write(StoredObject object, ResourceDefinition served, OutputStream out) throws IOException;

	/**
	 * Return a single object as a tree.
	 */
	ObjectNode tree(StoredObject object, ResourceDefinition served) throws IOException {
		return object.converted(served).tree();
	}

	/**
	 * Write an item of a list.
	 */
	void writeItem(StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
		write(object, served, out);
	}

	/**
	 * Return the type of objects and lists in this representation.
	 */
	ResourceDefinition type(ResourceDefinition served) {
		return METADATA_TYPE;
	}

	/**
	 * Write a watch event.
	 */
	void writeEvent(String type, StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
		out.write(EVENT_START);
		out.write(type.getBytes(StandardCharsets.UTF_8));
		out.write(EVENT_OBJECT);
		write(object, served, out);
		out.write(EVENT_END);
	}

	/**
	 * Write a watch event whose object is not a stored one.
	 */
	static void writeEvent(String type, ObjectNode object, OutputStream out) throws IOException {
		out.write(Json.bytes(Json.object().put("type", type).set("object", object)));
		out.write('\n');
	}

	/**
	 * Select the representation of a single object, which is always sent as JSON.
	 * @throws KubernetesStatusException with 406 if it is not acceptable
	 */
	static Representation ofObject(String accept, ResourceDefinition served) {
		Representation chosen = MediaType.negotiate(accept, served, true).representation();
		if (chosen == METADATA_OF_LISTS) {
			throw StatusErrors.notAcceptable("you requested PartialObjectMetadataList, but the requested object is "
					+ "not a list (" + goType(served, "") + ")");
		}
		return chosen;
	}

	/**
	 * Return the representation of the items of a list.
	 * @throws KubernetesStatusException with 406 if it is not acceptable
	 */
	Representation ofItems(ResourceDefinition served) {
		if (this == METADATA) {
			throw StatusErrors.notAcceptable("you requested PartialObjectMetadata, but the requested object is a list ("
					+ goType(served, "List") + ")");
		}
		return (this == METADATA_OF_LISTS) ? METADATA : this;
	}

	private static String goType(ResourceDefinition served, String suffix) {
		if (!served.builtIn()) {
			return "*unstructured.Unstructured" + suffix;
		}
		String group = served.group().isEmpty() ? "core" : served.group().split("\\.")[0];
		return "*" + group + "." + served.kind() + suffix;
	}

	/**
	 * Exception for a stream whose representation cannot encode objects.
	 */
	static final class UnfitException extends IOException {

		private static final long serialVersionUID = 1L;

	}

}

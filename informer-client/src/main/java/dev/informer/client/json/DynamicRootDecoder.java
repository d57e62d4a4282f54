/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectLookup.Found;
import dev.informer.client.ObjectState;
import dev.informer.client.model.UndecodableObjectException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * Decoder of untyped objects into the tree of the official client's untyped object. Only
 * the metadata have a required form.
 */
final class DynamicRootDecoder implements RootDecoder<DynamicKubernetesObject> {

	private final JsonElementDecoder sharedValues = new JsonElementDecoder(true);

	private final JsonElementDecoder ownValues = new JsonElementDecoder(false);

	private final String apiVersion;

	private final String kind;

	private final boolean keepManagedFields;

	/**
	 * The neighbour of the next object of a list, with which it has the most in common.
	 */
	private volatile @Nullable DynamicKubernetesObject last;

	DynamicRootDecoder(String apiVersion, String kind, boolean keepManagedFields) {
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.keepManagedFields = keepManagedFields;
	}

	@Override
	public @Nullable DynamicKubernetesObject decode(TokenReader reader, ObjectLookup<DynamicKubernetesObject> lookup)
			throws UndecodableObjectException {
		JsonObject root = new JsonObject();
		JsonElementDecoder values = lookup.shares() ? this.sharedValues : this.ownValues;
		try {
			Found<DynamicKubernetesObject> found = fill(root, reader, values, lookup);
			if (found != null) {
				reader.skipRest();
				return found.object();
			}
			fillIn(root, "apiVersion", this.apiVersion);
			fillIn(root, "kind", this.kind);
			DynamicKubernetesObject object = new DynamicKubernetesObject(root);
			checkMetadata(object);
			if (lookup.shares()) {
				DynamicKubernetesObject earlier = lookup.earlier(state(root));
				DynamicKubernetesObject known = (earlier != null) ? earlier : this.last;
				RootDecoder.share(values, root, (known != null) ? known.getRaw() : null);
				this.last = object;
			}
			return object;
		}
		catch (UndecodableValueException ex) {
			throw new UndecodableObjectException(reader.skipRest(state(root)), String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Fill an object until its metadata show that it need not be decoded.
	 * @return what was found, or {@code null} if the object was read to its end
	 */
	private @Nullable Found<DynamicKubernetesObject> fill(JsonObject root, TokenReader reader,
			JsonElementDecoder values, ObjectLookup<DynamicKubernetesObject> lookup) {
		reader.requireObject();
		JsonParser parser = reader.parser();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			if (!name.equals("metadata")) {
				root.add(name, values.property(reader));
				continue;
			}
			JsonObject metadata = new JsonObject();
			root.add(name, metadata);
			fillMetadata(metadata, reader, values);
			Found<DynamicKubernetesObject> found = lookup.find(state(root));
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private void fillMetadata(JsonObject metadata, TokenReader reader, JsonElementDecoder values) {
		if (reader.isNull()) {
			return;
		}
		reader.requireObject();
		JsonParser parser = reader.parser();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			if (name.equals("managedFields") && !this.keepManagedFields) {
				parser.skipChildren();
			}
			else {
				metadata.add(name, values.property(reader));
			}
		}
	}

	private static void fillIn(JsonObject root, String property, String value) {
		if (!(root.get(property) instanceof JsonPrimitive)) {
			root.addProperty(property, value);
		}
	}

	/**
	 * Check the metadata that the rest of the pipeline reads.
	 */
	private static void checkMetadata(DynamicKubernetesObject object) {
		boolean named;
		try {
			V1ObjectMeta metadata = object.getMetadata();
			named = metadata != null && metadata.getName() != null && !metadata.getName().isEmpty();
		}
		catch (RuntimeException ex) {
			throw new UndecodableValueException("metadata", "what fits " + V1ObjectMeta.class.getName());
		}
		if (!named) {
			throw new UndecodableValueException("metadata.name", "a name");
		}
	}

	private static ObjectState state(JsonObject root) {
		return ObjectState.of(root.get("metadata"));
	}

}

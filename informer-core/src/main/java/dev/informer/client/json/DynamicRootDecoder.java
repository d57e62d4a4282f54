/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.ListSink;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Decodes objects without a class of their own, straight into the tree that the official
 * client's untyped object holds. Only their metadata has to fit anything.
 */
final class DynamicRootDecoder implements RootDecoder<DynamicKubernetesObject> {

	private final JsonElementDecoder values = new JsonElementDecoder();

	private final String apiVersion;

	private final String kind;

	private final boolean keepManagedFields;

	DynamicRootDecoder(String apiVersion, String kind, boolean keepManagedFields) {
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.keepManagedFields = keepManagedFields;
	}

	@Override
	public void decode(TokenReader reader, ListSink<DynamicKubernetesObject> sink) throws IOException {
		reader.beginObject();
		JsonObject root = new JsonObject();
		DynamicKubernetesObject known;
		try {
			known = fill(root, reader, sink);
		}
		catch (UndecodableValueException ex) {
			sink.acceptUndecodable(skipped(root, reader, String.valueOf(ex.getMessage())));
			return;
		}
		catch (JacksonException ex) {
			throw reader.translate(ex);
		}
		if (known != null) {
			sink.accept(known);
			return;
		}
		fillIn(root, "apiVersion", this.apiVersion);
		fillIn(root, "kind", this.kind);
		DynamicKubernetesObject object = new DynamicKubernetesObject(root);
		String misfit = misfit(object);
		if (misfit != null) {
			sink.acceptUndecodable(identity(root).undecodable(misfit));
		}
		else {
			sink.accept(object);
		}
	}

	/**
	 * Fills an object, unless it is known.
	 * @return the object that is known
	 */
	private @Nullable DynamicKubernetesObject fill(JsonObject root, TokenReader reader,
			ListSink<DynamicKubernetesObject> sink) {
		JsonParser parser = reader.parser();
		if (!parser.isExpectedStartObjectToken()) {
			throw reader.mismatch("an object");
		}
		reader.enter();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			if (name.equals("metadata")) {
				JsonObject metadata = new JsonObject();
				root.add(name, metadata);
				fillMetadata(metadata, reader);
				DynamicKubernetesObject known = sink.known(identity(root).state());
				if (known != null) {
					reader.skipRest();
					return known;
				}
			}
			else {
				root.add(name, this.values.property(name, reader));
			}
		}
		reader.leave();
		return null;
	}

	private void fillMetadata(JsonObject metadata, TokenReader reader) {
		JsonParser parser = reader.parser();
		if (reader.isNull()) {
			return;
		}
		if (!parser.isExpectedStartObjectToken()) {
			throw reader.mismatch("an object");
		}
		reader.enter();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			if (name.equals("managedFields") && !this.keepManagedFields) {
				parser.skipChildren();
			}
			else {
				metadata.add(name, this.values.property(name, reader));
			}
		}
		reader.leave();
	}

	private static void fillIn(JsonObject root, String property, String value) {
		if (!(root.get(property) instanceof JsonPrimitive)) {
			root.addProperty(property, value);
		}
	}

	/**
	 * Says what is wrong with the metadata, which everything behind the decoder reads.
	 */
	private static @Nullable String misfit(DynamicKubernetesObject object) {
		try {
			V1ObjectMeta metadata = object.getMetadata();
			boolean named = metadata != null && metadata.getName() != null && !metadata.getName().isEmpty();
			return named ? null : "metadata.name: expected a name";
		}
		catch (RuntimeException ex) {
			return "metadata: expected what fits " + V1ObjectMeta.class.getName();
		}
	}

	private static UndecodableObject skipped(JsonObject root, TokenReader reader, String reason) throws IOException {
		ObjectIdentity identity = identity(root);
		try {
			identity.skip(reader);
		}
		catch (JacksonException ex) {
			throw reader.translate(ex);
		}
		return identity.undecodable(reason);
	}

	private static ObjectIdentity identity(JsonObject root) {
		ObjectIdentity identity = new ObjectIdentity();
		if (root.get("metadata") instanceof JsonObject metadata) {
			metadata.asMap().forEach((name, value) -> {
				if (isString(value)) {
					identity.take(name, value.getAsString());
				}
			});
		}
		return identity;
	}

	private static boolean isString(JsonElement value) {
		return value instanceof JsonPrimitive primitive && primitive.isString();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;

/**
 * What can be found out about an object that does not fit its model.
 */
final class ObjectIdentity {

	private @Nullable String namespace;

	private @Nullable String name;

	private @Nullable String uid;

	private @Nullable String resourceVersion;

	/**
	 * Takes what was decoded before the misfit was met.
	 */
	void take(ObjectDecoder decoder, Object metadata) {
		this.namespace = value(decoder, metadata, "namespace");
		this.name = value(decoder, metadata, "name");
		this.uid = value(decoder, metadata, "uid");
		this.resourceVersion = value(decoder, metadata, "resourceVersion");
	}

	private static @Nullable String value(ObjectDecoder decoder, Object metadata, String name) {
		ObjectProperty property = decoder.table().property(name);
		return (property != null && property.get(metadata) instanceof String value) ? value : null;
	}

	/**
	 * Skips the rest of the object, taking what its metadata still has to say.
	 */
	void skip(TokenReader reader) {
		JsonParser parser = reader.parser();
		while (reader.depth() > reader.objectDepth()) {
			if (parser.nextToken() == JsonToken.PROPERTY_NAME && isInMetadata(reader)) {
				String property = parser.currentName();
				if (parser.nextToken() == JsonToken.VALUE_STRING) {
					take(property, parser.getString());
				}
			}
		}
	}

	private static boolean isInMetadata(TokenReader reader) {
		if (reader.depth() != reader.objectDepth() + 2) {
			return false;
		}
		TokenStreamContext parent = reader.parser().streamReadContext().getParent();
		return parent.inObject() && "metadata".equals(parent.currentName());
	}

	/**
	 * Takes the value of a property of the metadata, if it is one that counts.
	 */
	void take(String property, String value) {
		switch (property) {
			case "namespace" -> this.namespace = value;
			case "name" -> this.name = value;
			case "uid" -> this.uid = value;
			case "resourceVersion" -> this.resourceVersion = value;
			default -> {
			}
		}
	}

	ObjectState state() {
		return new ObjectState(this.namespace, this.name, this.uid, this.resourceVersion);
	}

	UndecodableObject undecodable(String reason) {
		return new UndecodableObject(this.namespace, this.name, this.uid, this.resourceVersion, reason);
	}

}

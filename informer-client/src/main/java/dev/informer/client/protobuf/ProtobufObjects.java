/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.util.Objects;

import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.UndecodableObject;
import dev.informer.client.model.UndecodableObjectException;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the objects of one kind.
 */
final class ProtobufObjects<T> {

	private final Class<T> type;

	private final String apiVersion;

	private final String kind;

	private final MessageDecoder decoder;

	private final ObjectProperty apiVersionProperty;

	private final ObjectProperty kindProperty;

	private ProtobufObjects(Class<T> type, String apiVersion, String kind, MessageDecoder decoder, ObjectType model) {
		this.type = type;
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.decoder = decoder;
		this.apiVersionProperty = Objects.requireNonNull(model.property("apiVersion"));
		this.kindProperty = Objects.requireNonNull(model.property("kind"));
	}

	/**
	 * Return the decoder of a kind.
	 * @return the decoder; {@code null} if the kind is not a built-in one, or its class
	 * is not the model of the official client
	 */
	static <T> @Nullable ProtobufObjects<T> of(Class<T> type, String apiVersion, String kind, boolean keepManagedFields,
			SharedMessages shared) {
		MessageTables tables = MessageTables.get();
		Integer message = tables.message(apiVersion, kind);
		if (message == null || !(ObjectType.isOfficial(type) || type == PartialObjectMetadata.class)) {
			return null;
		}
		MessageDecoders decoders = new MessageDecoders(tables, keepManagedFields, shared);
		try {
			return new ProtobufObjects<>(type, apiVersion, kind, decoders.decoderOf(type, message),
					MessageDecoders.model(type));
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	String kind() {
		return this.kind;
	}

	/**
	 * Decode an object without its envelope.
	 * @return the decoded or the found object; {@code null} if it is not wanted
	 */
	@Nullable T decode(MessageReader reader, byte[] buffer, int offset, int length, ObjectLookup<T> lookup)
			throws UndecodableObjectException {
		ObjectState state = ObjectState.NONE;
		try {
			state = MetadataMessage.read(reader, buffer, offset, length).state();
			ObjectLookup.Found<T> found = lookup.find(state);
			if (found != null) {
				return found.object();
			}
			if (state.name() == null) {
				throw new UndecodableObjectException(state, "metadata.name: expected a name");
			}
			reader.reset(buffer, offset, length);
			reader.share(lookup.shares());
			Object object = this.decoder.decode(reader, lookup.earlier(state));
			this.apiVersionProperty.set(object, this.apiVersion);
			this.kindProperty.set(object, this.kind);
			return this.type.cast(object);
		}
		catch (MalformedMessageException ex) {
			throw new UndecodableObjectException(new UndecodableObject(state, String.valueOf(ex.getMessage()), true));
		}
		catch (RuntimeException | StackOverflowError ex) {
			// No error of one object affects another.
			throw new UndecodableObjectException(state,
					"expected a " + this.kind + ", but decoding it threw " + ex.getClass().getName());
		}
	}

}

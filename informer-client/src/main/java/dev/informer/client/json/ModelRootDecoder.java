/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.lang.reflect.Modifier;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectLookup.Found;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.json.ObjectDecoder.Property;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.UndecodableObjectException;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import dev.informer.client.type.RecordType;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of objects into a class, by its table.
 */
final class ModelRootDecoder<T> implements RootDecoder<T> {

	private final Class<T> type;

	private final ObjectDecoder decoder;

	private final @Nullable ObjectProperty apiVersionProperty;

	private final @Nullable ObjectProperty kindProperty;

	private final ObjectProperty metadataProperty;

	private final ObjectDecoder metadataDecoder;

	private final @Nullable ObjectProperty versionProperty;

	private final String apiVersion;

	private final String kind;

	/**
	 * The neighbour of the next object of a list, with which it has the most in common.
	 */
	private volatile @Nullable T last;

	ModelRootDecoder(Class<T> type, String apiVersion, String kind, DecoderTables tables) {
		this.type = type;
		this.decoder = tables.decoderOf(requireModel(type));
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.apiVersionProperty = stringProperty(this.decoder, "apiVersion");
		this.kindProperty = stringProperty(this.decoder, "kind");
		Property metadata = this.decoder.properties().find("metadata");
		if (metadata == null || metadata.model() == null || !(metadata.decoder() instanceof ObjectDecoder decoder)) {
			throw new IllegalArgumentException("Cannot decode " + type.getName()
					+ ": it has no field \"metadata\" of a class. Add one, usually a V1ObjectMeta.");
		}
		if (stringProperty(decoder, "name") == null) {
			throw new IllegalArgumentException("Cannot decode " + type.getName() + ": " + decoder.type().raw().getName()
					+ ", the type of its \"metadata\", has no field \"name\" of type String. Add one.");
		}
		this.metadataProperty = metadata.model();
		this.metadataDecoder = decoder;
		this.versionProperty = stringProperty(decoder, "resourceVersion");
	}

	/**
	 * Require that objects of a class are created before their metadata are read.
	 */
	private static ObjectType requireModel(Class<?> type) {
		ValueType described = ValueType.declared(type);
		if (described instanceof ObjectType model && model.hasConstructor()) {
			return model;
		}
		throw new IllegalArgumentException("Cannot decode " + type.getName() + ": " + reason(type, described)
				+ ". Use a static class with a constructor without arguments.");
	}

	private static String reason(Class<?> type, ValueType described) {
		if (described instanceof RecordType) {
			return "it is a record";
		}
		if (!(described instanceof ObjectType)) {
			return "an adapter or creator decodes it, not its fields";
		}
		return (type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers())) ? "it is an inner class"
				: "it has no constructor without arguments";
	}

	private static @Nullable ObjectProperty stringProperty(ObjectDecoder decoder, String name) {
		ObjectProperty property = decoder.type().property(name);
		return (property != null && property.type().raw() == String.class) ? property : null;
	}

	@Override
	public @Nullable T decode(TokenReader reader, ObjectLookup<T> lookup)
			throws IOException, UndecodableObjectException {
		Object object = null;
		try {
			object = this.decoder.create(reader);
			reader.requireObject();
			Property property = this.decoder.fill(reader, object, this.decoder.properties().start(),
					this.metadataProperty);
			if (property != null) {
				Found<T> found = readMetadata(reader, object, property, lookup);
				if (found != null) {
					reader.skipRest();
					return found.object();
				}
				this.decoder.fill(reader, object, property, null);
			}
		}
		catch (UndecodableValueException ex) {
			throw new UndecodableObjectException(reader.skipRest(state(object)), String.valueOf(ex.getMessage()));
		}
		ObjectState state = state(object);
		if (state.name() == null || state.name().isEmpty()) {
			throw new UndecodableObjectException(state, "metadata.name: expected a name");
		}
		fillIn(object);
		checkKind(object);
		checkGetter(object, state);
		T decoded = this.type.cast(object);
		if (lookup.shares()) {
			T earlier = lookup.earlier(state);
			RootDecoder.share(this.decoder, decoded, (earlier != null) ? earlier : this.last);
			this.last = decoded;
		}
		return decoded;
	}

	/**
	 * Read the metadata until they show that the object need not be decoded. UID and
	 * resource version are among the first properties, except in the metadata of custom
	 * resources, which are sorted by name.
	 * @return what was found, or {@code null} if the metadata were read to their end
	 */
	private @Nullable Found<T> readMetadata(TokenReader reader, Object object, Property property,
			ObjectLookup<T> lookup) {
		if (reader.isNull()) {
			property.read(reader, object);
			return null;
		}
		Object metadata = this.metadataDecoder.create(reader);
		reader.requireObject();
		this.metadataProperty.set(object, metadata);
		Property version = this.metadataDecoder.fill(reader, metadata, this.metadataDecoder.properties().start(),
				this.versionProperty);
		if (version == null) {
			return null;
		}
		version.read(reader, metadata);
		ObjectState state = state(object);
		Found<T> found = (state.uid() != null) ? lookup.find(state) : null;
		if (found == null) {
			this.metadataDecoder.fill(reader, metadata, version, null);
			found = (state.uid() == null) ? lookup.find(state(object)) : null;
		}
		return found;
	}

	/**
	 * Fill in the API version and kind, which items of lists lack and objects of events
	 * have.
	 */
	private void fillIn(Object object) {
		if (this.apiVersionProperty != null && this.apiVersionProperty.get(object) == null) {
			this.apiVersionProperty.set(object, this.apiVersion);
		}
		if (this.kindProperty != null && this.kindProperty.get(object) == null) {
			this.kindProperty.set(object, this.kind);
		}
	}

	/**
	 * Fail the request when a whole object arrives in place of metadata. A server that
	 * does not support the form, or a proxy that strips the header, would otherwise send
	 * all of them unnoticed.
	 */
	private static void checkKind(Object object) throws MalformedResponseException {
		if (object instanceof PartialObjectMetadata metadata
				&& !PartialObjectMetadata.KIND.equals(metadata.getKind())) {
			throw BodyText.notMetadata(metadata.getKind());
		}
	}

	/**
	 * Check that the getter from which the rest of the pipeline reads the metadata, which
	 * may be a user's, returns those that were decoded.
	 */
	private void checkGetter(Object object, ObjectState state) throws UndecodableObjectException {
		if (!(object instanceof KubernetesObject typed)) {
			return;
		}
		String found;
		try {
			if (ObjectState.of(typed).equals(state)) {
				return;
			}
			found = "returned others";
		}
		catch (Throwable ex) {
			found = "threw " + ex.getClass().getName();
		}
		throw new UndecodableObjectException(state,
				"metadata: expected them from getMetadata() of " + this.type.getName() + ", which " + found);
	}

	/**
	 * Return the state of an object, which need not be complete.
	 */
	private ObjectState state(@Nullable Object object) {
		Object metadata = (object != null) ? this.metadataProperty.get(object) : null;
		return (metadata != null) ? new ObjectState(text(metadata, "namespace"), text(metadata, "name"),
				text(metadata, "uid"), text(metadata, "resourceVersion")) : ObjectState.NONE;
	}

	private @Nullable String text(Object metadata, String name) {
		ObjectProperty property = this.metadataDecoder.type().property(name);
		return (property != null && property.get(metadata) instanceof String text) ? text : null;
	}

}

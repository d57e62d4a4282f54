/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ServerStatus;
import dev.informer.client.WatchEventReader;
import dev.informer.client.WireFormat;
import dev.informer.client.model.UndecodableObjectException;
import dev.informer.client.type.ObjectType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * JSON format of the official client's models and of users' classes that are written for
 * Gson or Jackson. Objects are equal to those that the official client would decode,
 * except:
 * <ul>
 * <li>an integer in a property of type {@code Object} is a {@code Long} or
 * {@code BigInteger} instead of a {@code Double};</li>
 * <li>{@code apiVersion} and {@code kind} are filled in if they are missing, as in the
 * items of lists, so that lists and watches return equal objects;</li>
 * <li>{@code managedFields} are skipped by default;</li>
 * <li>required fields may be missing, and unknown fields are skipped;</li>
 * <li>an object that does not fit its class, is not valid JSON, or for which an adapter
 * or a constructor throws is reported, and reading continues with the next one;</li>
 * <li>lists and maps are compact: they can be modified, but a change of their size copies
 * them;</li>
 * <li>equal strings, timestamps, quantities and similar values are shared by all objects,
 * and the content of {@code managedFields} is parsed on first access.</li>
 * </ul>
 * Thread-safe.
 */
public final class JsonWireFormat<T> implements WireFormat<T> {

	private static final int MAX_STATUS_LENGTH = 1 << 20;

	private static final String METADATA = "application/json;as=%s;g=meta.k8s.io;v=v1";

	private static final String METADATA_LIST = PartialObjectMetadata.KIND + "List";

	private final Class<T> type;

	private final String apiVersion;

	private final String kind;

	private final boolean keepManagedFields;

	/** {@code null} before the first use: a server that answers protobuf needs none. */
	private volatile @Nullable RootDecoder<T> objects;

	private JsonWireFormat(Class<T> type, String apiVersion, String kind, boolean keepManagedFields) {
		this.type = type;
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.keepManagedFields = keepManagedFields;
		// Resources of the official client are known to be decodable; errors in other
		// classes must be reported immediately.
		if (!ObjectType.isOfficial(this.type) || !KubernetesObject.class.isAssignableFrom(type)) {
			objects();
		}
	}

	private RootDecoder<T> objects() {
		RootDecoder<T> known = this.objects;
		if (known == null) {
			synchronized (this) {
				known = this.objects;
				if (known == null) {
					known = rootDecoder();
					this.objects = known;
				}
			}
		}
		return known;
	}

	@SuppressWarnings("unchecked")
	private RootDecoder<T> rootDecoder() {
		if (this.type == DynamicKubernetesObject.class) {
			return (RootDecoder<T>) new DynamicRootDecoder(this.apiVersion, this.kind, this.keepManagedFields);
		}
		return new ModelRootDecoder<>(this.type, metadataOnly() ? PartialObjectMetadata.API_VERSION : this.apiVersion,
				metadataOnly() ? PartialObjectMetadata.KIND : this.kind, new DecoderTables(this.keepManagedFields));
	}

	/**
	 * Return a format that skips {@code managedFields}. The class is
	 * {@link DynamicKubernetesObject} for untyped objects, {@link PartialObjectMetadata}
	 * to request metadata alone, or one that is neither abstract nor a record, with a
	 * constructor without arguments and a field {@code metadata}.
	 * @throws IllegalArgumentException if objects of this class cannot be decoded; names
	 * the field to change
	 */
	public static <T> JsonWireFormat<T> of(Class<T> type, String apiVersion, String kind) {
		return new JsonWireFormat<>(type, apiVersion, kind, false);
	}

	/**
	 * Return a copy of this format that keeps {@code managedFields}.
	 */
	public JsonWireFormat<T> withManagedFields() {
		return new JsonWireFormat<>(this.type, this.apiVersion, this.kind, true);
	}

	@Override
	public String encoding() {
		return "json";
	}

	@Override
	public String listMediaType() {
		return metadataOnly() ? METADATA.formatted(METADATA_LIST) : WireFormat.super.listMediaType();
	}

	@Override
	public String watchMediaType() {
		return metadataOnly() ? METADATA.formatted(PartialObjectMetadata.KIND) : WireFormat.super.watchMediaType();
	}

	private boolean metadataOnly() {
		return this.type == PartialObjectMetadata.class;
	}

	/**
	 * {@inheritDoc}
	 * @throws dev.informer.client.ServerStatusException if the body is a {@code Status}
	 */
	@Override
	public ListPage readList(InputStream body, ListSink<T> sink) throws IOException {
		try (TokenReader reader = new TokenReader(new ResponseInputStream(body))) {
			return new JsonListReader<>(reader, objects(), sink, listKindEnd()).read();
		}
	}

	private @Nullable String listKindEnd() {
		if (metadataOnly()) {
			return METADATA_LIST;
		}
		return ObjectType.isOfficial(this.type) ? "List" : null;
	}

	@Override
	public WatchEventReader<T> readWatch(InputStream body, ObjectLookup<T> lookup) throws IOException {
		return new JsonWatchEventReader<>(new TokenReader(new ResponseInputStream(body)), objects(),
				ObjectType.isOfficial(this.type) ? this.kind : null, lookup);
	}

	/**
	 * Read a response that is a single object.
	 * @throws MalformedResponseException if it is none, or does not fit the class; names
	 * the field
	 */
	public T readObject(InputStream body) throws IOException {
		try (TokenReader reader = new TokenReader(new ResponseInputStream(body))) {
			reader.nextToken();
			if (!reader.isObject()) {
				throw new MalformedResponseException("expected an object, got " + reader.body().describe());
			}
			return Objects.requireNonNull(reader.decode(objects(), (state) -> null));
		}
		catch (UndecodableObjectException ex) {
			throw new MalformedResponseException("cannot decode the object: " + ex.object().reason());
		}
	}

	@Override
	public ServerStatus readStatus(int code, InputStream body) throws IOException {
		return StatusReader.read(code, body.readNBytes(MAX_STATUS_LENGTH));
	}

}

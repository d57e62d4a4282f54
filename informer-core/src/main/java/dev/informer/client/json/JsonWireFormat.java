/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;

import dev.informer.PartialObjectMetadata;
import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.ServerStatus;
import dev.informer.client.WatchEventReader;
import dev.informer.client.WireFormat;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Decodes JSON into the official client's models, or into classes that are written for
 * Gson the same way. An object becomes what the official client would make of it, but for
 * this:
 * <ul>
 * <li>{@code apiVersion} and {@code kind}, which the items of lists lack, are filled in,
 * so that lists and watches give equal objects;</li>
 * <li>{@code managedFields} are skipped unless they are asked for;</li>
 * <li>required fields may be missing, and unknown ones are skipped;</li>
 * <li>an object that does not fit its class is reported, and the next one is read;</li>
 * <li>lists and maps are compact ones, made to be read: they can be changed, but whatever
 * changes their size copies them;</li>
 * <li>strings, timestamps, quantities and the like are shared by all objects that have
 * equal ones, and the fields in {@code managedFields} are parsed when they are asked
 * for.</li>
 * </ul>
 * Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class JsonWireFormat<T> implements WireFormat<T> {

	private static final int LONGEST_STATUS = 1 << 20;

	private static final String METADATA = "application/json;as=%s;g=meta.k8s.io;v=v1";

	private static final String METADATA_LIST = PartialObjectMetadata.KIND + "List";

	private final Class<T> type;

	private final String apiVersion;

	private final String kind;

	private final RootDecoder<T> objects;

	private JsonWireFormat(Class<T> type, String apiVersion, String kind, boolean keepManagedFields) {
		this.type = type;
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.objects = RootDecoders.of(type, apiVersion, kind, keepManagedFields);
	}

	/**
	 * Decodes into a class. {@code managedFields} are skipped.
	 * @param type the class of the objects: {@link DynamicKubernetesObject} for whatever
	 * comes, {@link PartialObjectMetadata} for the metadata alone, which the server is
	 * asked for then, or a class that is not abstract, no record, with a constructor
	 * without arguments and a field {@code metadata}
	 * @param apiVersion the version of objects that do not say theirs, such as
	 * {@code apps/v1}
	 * @param kind the kind of objects that do not say theirs, such as {@code Deployment}
	 * @param <T> the type of the objects
	 * @return the format
	 * @throws IllegalArgumentException when objects of this class cannot be decoded; says
	 * which field has to be changed
	 */
	public static <T> JsonWireFormat<T> of(Class<T> type, String apiVersion, String kind) {
		return new JsonWireFormat<>(type, apiVersion, kind, false);
	}

	/**
	 * Decodes {@code managedFields}, too.
	 * @return another format
	 */
	public JsonWireFormat<T> withManagedFields() {
		return new JsonWireFormat<>(this.type, this.apiVersion, this.kind, true);
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
	 * @throws dev.informer.client.ServerStatusException when the body is a {@code Status}
	 */
	@Override
	public ListPage readList(InputStream body, ListSink<T> sink) throws IOException {
		try (TokenReader reader = JsonInput.open(new ResponseBody(body))) {
			return new ListReader<>(reader, this.objects, sink, metadataOnly() ? METADATA_LIST : null).read();
		}
	}

	@Override
	public WatchEventReader<T> readWatch(InputStream body) throws IOException {
		RootDecoder<T> decoder = isOfficial() ? KindCheckingDecoder.undecodableUnless(this.kind, this.objects)
				: this.objects;
		return new JsonWatchStream<>(JsonInput.open(new ResponseBody(body)), decoder);
	}

	/**
	 * Whether the class is one of the official models, each of which is of one kind.
	 */
	private boolean isOfficial() {
		return this.type.getPackageName().equals(V1ObjectMeta.class.getPackageName());
	}

	@Override
	public ServerStatus readStatus(int code, InputStream body) throws IOException {
		return StatusReader.read(code, body.readNBytes(LONGEST_STATUS));
	}

}

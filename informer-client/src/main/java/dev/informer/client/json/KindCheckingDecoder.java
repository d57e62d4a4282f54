/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.model.BodyText;
import dev.informer.client.model.UndecodableObjectException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Rejects objects of another kind than the requested one.
 */
final class KindCheckingDecoder<T> implements RootDecoder<T> {

	private final RootDecoder<T> decoder;

	private final String kind;

	private final Rejection rejection;

	private KindCheckingDecoder(RootDecoder<T> decoder, String kind, Rejection rejection) {
		this.decoder = decoder;
		this.kind = kind;
		this.rejection = rejection;
	}

	/**
	 * Return a decoder that treats an object of another kind as undecodable: most of its
	 * properties would be skipped as unknown, and the rest would replace an object of the
	 * same name. Its own name is not reported because it belongs to the other kind.
	 */
	static <T> RootDecoder<T> undecodableUnless(String kind, RootDecoder<T> decoder) {
		return new KindCheckingDecoder<>(decoder, kind, (object) -> {
			ObjectState state = ObjectState.of(object);
			throw new UndecodableObjectException(new ObjectState(null, null, state.uid(), state.resourceVersion()),
					"kind: expected " + kind + ", got " + BodyText.printable(String.valueOf(object.getKind())));
		});
	}

	/**
	 * Return a decoder that fails the request when an object is not metadata alone. A
	 * server that does not support the form, or a proxy that strips the header, would
	 * otherwise send whole objects unnoticed.
	 */
	static RootDecoder<PartialObjectMetadata> metadataOnly(DecoderTables tables) {
		RootDecoder<PartialObjectMetadata> decoder = new ModelRootDecoder<>(PartialObjectMetadata.class,
				PartialObjectMetadata.API_VERSION, PartialObjectMetadata.KIND, tables);
		return new KindCheckingDecoder<>(decoder, PartialObjectMetadata.KIND, (object) -> {
			throw BodyText.notMetadata(object.getKind());
		});
	}

	@Override
	public @Nullable T decode(TokenReader reader, ObjectLookup<T> lookup)
			throws IOException, UndecodableObjectException {
		T object = this.decoder.decode(reader, lookup);
		if (object instanceof KubernetesObject typed && isOtherKind(typed.getKind())) {
			this.rejection.reject(typed);
		}
		return object;
	}

	private boolean isOtherKind(@Nullable String found) {
		return found != null && !found.equals(this.kind);
	}

	@FunctionalInterface
	private interface Rejection {

		void reject(KubernetesObject object) throws MalformedResponseException, UndecodableObjectException;

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.PartialObjectMetadata;
import dev.informer.client.ListSink;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import org.jspecify.annotations.Nullable;

/**
 * Decodes objects of which the server was asked for the metadata alone, and makes sure
 * that this is what came: a server that does not know the form, or a proxy that strips
 * the header, would send whole objects all the time and nobody would notice.
 */
final class MetadataRootDecoder implements RootDecoder<PartialObjectMetadata> {

	private final RootDecoder<PartialObjectMetadata> decoder;

	MetadataRootDecoder(DecoderTables tables) {
		this.decoder = new ModelRootDecoder<>(PartialObjectMetadata.class, PartialObjectMetadata.API_VERSION,
				PartialObjectMetadata.KIND, tables);
	}

	@Override
	public void decode(TokenReader reader, ListSink<PartialObjectMetadata> sink) throws IOException {
		KindSink checked = new KindSink(sink);
		this.decoder.decode(reader, checked);
		if (checked.foreignKind != null) {
			throw unwanted("a " + BodyText.printable(checked.foreignKind));
		}
	}

	/**
	 * Says that something else came.
	 */
	static MalformedResponseException unwanted(String found) {
		return new MalformedResponseException("expected metadata alone (" + PartialObjectMetadata.KIND + "), got "
				+ found + ": the server, or a proxy in front of it, does not heed the Accept header");
	}

	private static final class KindSink implements ListSink<PartialObjectMetadata> {

		private final ListSink<PartialObjectMetadata> sink;

		private @Nullable String foreignKind;

		KindSink(ListSink<PartialObjectMetadata> sink) {
			this.sink = sink;
		}

		@Override
		public @Nullable PartialObjectMetadata known(ObjectState state) {
			return this.sink.known(state);
		}

		@Override
		public void accept(PartialObjectMetadata object) {
			if (object.getKind().equals(PartialObjectMetadata.KIND)) {
				this.sink.accept(object);
			}
			else {
				this.foreignKind = object.getKind();
			}
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			this.sink.acceptUndecodable(object);
		}

	}

}

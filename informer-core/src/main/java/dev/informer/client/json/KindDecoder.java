/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.ListSink;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Keeps out objects of another kind than the one that was asked for: most of what they
 * have would be skipped as unknown, and what is left would take the place of an object of
 * the same name.
 *
 * @param <T> the type of the objects
 */
final class KindDecoder<T> implements RootDecoder<T> {

	private final RootDecoder<T> decoder;

	private final String kind;

	KindDecoder(RootDecoder<T> decoder, String kind) {
		this.decoder = decoder;
		this.kind = kind;
	}

	@Override
	public void decode(TokenReader reader, ListSink<T> sink) throws IOException {
		this.decoder.decode(reader, new KindSink(sink));
	}

	private final class KindSink implements ListSink<T> {

		private final ListSink<T> sink;

		KindSink(ListSink<T> sink) {
			this.sink = sink;
		}

		@Override
		public void accept(T object) {
			if (object instanceof KubernetesObject typed && isForeign(typed.getKind())) {
				// without its name: that belongs to an object of another kind
				this.sink.acceptUndecodable(new UndecodableObject(null, null, typed.getMetadata().getUid(),
						typed.getMetadata().getResourceVersion(), "kind: expected " + KindDecoder.this.kind + ", got "
								+ BodyText.printable(String.valueOf(typed.getKind()))));
			}
			else {
				this.sink.accept(object);
			}
		}

		private boolean isForeign(@Nullable String found) {
			return found != null && !found.equals(KindDecoder.this.kind);
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			this.sink.acceptUndecodable(object);
		}

	}

}

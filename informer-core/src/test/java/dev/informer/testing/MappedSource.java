/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BiFunction;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Source that replaces the pods of another one, for example by pods whose metadata fail.
 */
public record MappedSource(ListerWatcher<V1Pod> source,
		BiFunction<V1Pod, ObjectLookup<V1Pod>, V1Pod> mapping) implements ListerWatcher<V1Pod> {

	@Override
	public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
		return this.source.list(request, new ListSink<>() {

			@Override
			public @Nullable Found<V1Pod> find(ObjectState state) {
				return sink.find(state);
			}

			@Override
			public void accept(V1Pod pod) {
				sink.accept(MappedSource.this.mapping.apply(pod, sink));
			}

			@Override
			public void acceptUndecodable(UndecodableObject object) {
				sink.acceptUndecodable(object);
			}

		}, cancellation);
	}

	@Override
	public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
			throws IOException {
		WatchStream<V1Pod> stream = this.source.watch(request, known, cancellation);
		return new WatchStream<>() {

			@Override
			public @Nullable WatchEvent<V1Pod> next() throws IOException {
				WatchEvent<V1Pod> event = stream.next();
				return (event instanceof WatchEvent.Change<V1Pod> change) ? new WatchEvent.Change<>(change.type(),
						MappedSource.this.mapping.apply(change.object(), known)) : event;
			}

			@Override
			public void idleTimeout(Duration limit) {
				stream.idleTimeout(limit);
			}

			@Override
			public void close() {
				stream.close();
			}

		};
	}

}

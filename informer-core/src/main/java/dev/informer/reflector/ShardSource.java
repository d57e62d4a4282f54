/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.util.Optional;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ShardSelector;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import org.jspecify.annotations.Nullable;

/**
 * Lister and watcher of the objects of a shard, or of all objects as long as none is
 * selected. Confined to the thread of its reflector, apart from {@link #encoding()}.
 *
 * @param <T> the type of the objects
 */
final class ShardSource<T> implements ListerWatcher<T> {

	private final ListerWatcher<T> source;

	private @Nullable ShardSelector selector;

	ShardSource(ListerWatcher<T> source) {
		this.source = source;
	}

	@Nullable ShardSelector selector() {
		return this.selector;
	}

	void select(ShardSelector selector) {
		this.selector = selector;
	}

	/**
	 * Return a source that lists another shard at exactly the requested version.
	 */
	ListerWatcher<T> exactly(ShardSelector other) {
		return new ListerWatcher<>() {

			@Override
			public ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
				// a continue token determines the version
				ListRequest exact = (request.resourceVersion() != null) ? request.atExactly() : request;
				return ShardSource.this.source.list(exact.of(other), sink, cancellation);
			}

			@Override
			public WatchStream<T> watch(WatchRequest request, Cancellation cancellation) throws IOException {
				return ShardSource.this.source.watch(request.of(other), cancellation);
			}

		};
	}

	@Override
	public ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
		ShardSelector selected = this.selector;
		return this.source.list((selected != null) ? request.of(selected) : request, sink, cancellation);
	}

	@Override
	public WatchStream<T> watch(WatchRequest request, Cancellation cancellation) throws IOException {
		ShardSelector selected = this.selector;
		return this.source.watch((selected != null) ? request.of(selected) : request, cancellation);
	}

	@Override
	public Optional<String> encoding() {
		return this.source.encoding();
	}

}

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
import dev.informer.client.ObjectSelector;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import org.jspecify.annotations.Nullable;

/**
 * Lister and watcher of the objects that a selector selects, all of them without one.
 * Confined to the thread of its reflector, apart from {@link #encoding()}.
 */
final class SelectedSource<T> implements ListerWatcher<T> {

	private final ListerWatcher<T> source;

	private @Nullable ObjectSelector selector;

	SelectedSource(ListerWatcher<T> source) {
		this.source = source;
	}

	@Nullable ObjectSelector selector() {
		return this.selector;
	}

	void select(ObjectSelector selector) {
		this.selector = selector;
	}

	@Override
	public ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
		return this.source.list(request.of(this.selector), sink, cancellation);
	}

	@Override
	public WatchStream<T> watch(WatchRequest request, Cancellation cancellation) throws IOException {
		return this.source.watch(request.of(this.selector), cancellation);
	}

	@Override
	public Optional<String> encoding() {
		return this.source.encoding();
	}

}

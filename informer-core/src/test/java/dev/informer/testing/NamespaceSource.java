/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Part of a {@link FakeSource} that belongs to a namespace.
 */
record NamespaceSource(FakeSource source, String namespace) implements ListerWatcher<V1Pod> {

	@Override
	public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
		return this.source.list(this.namespace, request, sink, cancellation);
	}

	@Override
	public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
			throws IOException {
		return this.source.watch(this.namespace, request, cancellation);
	}

}

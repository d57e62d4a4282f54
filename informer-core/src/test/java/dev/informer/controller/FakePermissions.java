/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Permissions to list and watch the pods of each namespace. Thread-safe.
 */
final class FakePermissions {

	private final Set<String> denied = ConcurrentHashMap.newKeySet();

	/**
	 * Deny the requests to a namespace.
	 */
	void deny(String namespace) {
		this.denied.add(namespace);
	}

	/**
	 * Allow all requests, as at first.
	 */
	void allow() {
		this.denied.clear();
	}

	/**
	 * Return the source of a namespace, with a check before each request.
	 */
	ListerWatcher<V1Pod> check(String namespace, ListerWatcher<V1Pod> source) {
		return new ListerWatcher<>() {

			@Override
			public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation)
					throws IOException {
				requireAllowed(namespace);
				return source.list(request, sink, cancellation);
			}

			@Override
			public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
					throws IOException {
				requireAllowed(namespace);
				return source.watch(request, known, cancellation);
			}

		};
	}

	private void requireAllowed(String namespace) throws IOException {
		if (this.denied.contains(namespace)) {
			throw new ServerStatusException(ScriptedSource.status(403, "Forbidden"));
		}
	}

}

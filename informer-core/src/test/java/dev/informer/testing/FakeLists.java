/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeEtcd.Shape;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Lists of a {@link FakeSource} by pages, guarded by the monitor of the source.
 */
final class FakeLists {

	private final FakeEtcd etcd;

	private final Map<String, Rest> rests = new HashMap<>();

	private boolean paging;

	private long lag;

	private int cuts;

	FakeLists(FakeEtcd etcd) {
		this.etcd = etcd;
	}

	/**
	 * Break the next page off after half of its items.
	 */
	void cut() {
		this.cuts++;
	}

	/**
	 * Set whether limits are respected also for lists from the watch cache.
	 */
	void paging(boolean paging) {
		this.paging = paging;
	}

	/**
	 * Set the number of versions that a list at version 0 is behind.
	 */
	void lag(long versions) {
		this.lag = versions;
	}

	void heal() {
		this.cuts = 0;
		this.lag = 0;
	}

	void rollBack() {
		this.rests.clear();
	}

	static String describe(ListRequest request) {
		String list = (request.continueToken() != null) ? "LIST continue" : "LIST \"" + request.resourceVersion() + "\""
				+ ((request.limit() > 0) ? " limit " + request.limit() : "");
		return list + ((request.selector() != null) ? " of " + request.selector() : "");
	}

	ListPage list(String namespace, ListRequest request, ListSink<V1Pod> sink) throws IOException {
		String token = request.continueToken();
		return page(request, (token != null) ? continued(token) : first(namespace, request), sink);
	}

	private Rest first(String namespace, ListRequest request) throws IOException {
		String asked = String.valueOf(request.resourceVersion());
		checkReached(asked);
		long version = this.etcd.version();
		if (asked.equals("0")) {
			version = Math.max(Math.max(1, this.etcd.compacted()), version - this.lag);
		}
		return new Rest(version,
				this.etcd.at(version)
					.values()
					.stream()
					.filter((item) -> item.isIn(namespace) && item.isIn(request.selector()))
					.toList());
	}

	void checkReached(String asked) throws IOException {
		if (!asked.isEmpty() && Long.parseLong(asked) > this.etcd.version()) {
			throw new ServerStatusException(new ServerStatus(504, "Timeout", "Too large resource version: " + asked,
					List.of("ResourceVersionTooLarge"), null));
		}
	}

	private Rest continued(String token) throws IOException {
		Rest rest = this.rests.get(token);
		checkCompacted((rest != null) ? rest.version() : 0);
		return Objects.requireNonNull(rest);
	}

	private void checkCompacted(long version) throws IOException {
		if (version < Math.max(1, this.etcd.compacted())) {
			throw new ServerStatusException(ScriptedSource.status(410, "Expired"));
		}
	}

	private ListPage page(ListRequest request, Rest rest, ListSink<V1Pod> sink) throws IOException {
		boolean limited = request.limit() > 0
				&& (this.paging || "".equals(request.resourceVersion()) || request.continueToken() != null);
		int size = Math.min(rest.items().size(), limited ? request.limit() : Integer.MAX_VALUE);
		boolean cut = this.cuts > 0;
		for (Item item : rest.items().subList(0, cut ? size / 2 : size)) {
			if (item.shape() == Shape.FINE) {
				V1Pod pod = item.pod();
				accept(pod, sink.find(ObjectState.of(pod)), sink);
			}
			else {
				sink.acceptUndecodable(item.undecodable());
			}
		}
		if (cut) {
			this.cuts--;
			throw new IOException("unexpected end of stream");
		}
		String version = Long.toString(rest.version());
		if (size == rest.items().size()) {
			return new ListPage(version, null);
		}
		String token = version + "-" + this.rests.size();
		this.rests.put(token, new Rest(rest.version(), rest.items().subList(size, rest.items().size())));
		return new ListPage(version, token);
	}

	/**
	 * Pass an item on as the client does, unless it is not wanted.
	 */
	private static void accept(V1Pod pod, ObjectLookup.@Nullable Found<V1Pod> found, ListSink<V1Pod> sink) {
		V1Pod object = (found != null) ? found.object() : pod;
		if (object != null) {
			sink.accept(object);
		}
	}

	private record Rest(long version, List<Item> items) {
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.Cancellation;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchRequest;
import dev.informer.testing.FakeEtcd.Change;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Watches of a {@link FakeSource}, guarded by the monitor of the source.
 */
final class FakeWatches {

	private final FakeSource source;

	private final FakeEtcd etcd;

	private final List<FakeStream> open = new ArrayList<>();

	/** Streams that may not have been read to their ends. */
	private final List<FakeStream> ended = new ArrayList<>();

	FakeWatches(FakeSource source, FakeEtcd etcd) {
		this.source = source;
		this.etcd = etcd;
	}

	static String describe(WatchRequest request) {
		return (request.sendInitialEvents() ? "STREAM " : "WATCH ") + request.resourceVersion()
				+ ((request.selector() != null) ? " of " + request.selector() : "");
	}

	FakeStream open(WatchRequest request, String namespace, @Nullable SteppedThreads threads, Cancellation cancellation)
			throws IOException {
		long version = request.resourceVersion().isEmpty() ? 0 : Long.parseLong(request.resourceVersion());
		FakeStream stream = new FakeStream(this.source, threads, namespace, request.selector(),
				request.sendInitialEvents() ? 0 : version, cancellation);
		if (request.sendInitialEvents()) {
			this.etcd.current().values().forEach((item) -> stream.offer(new Change(ChangeType.ADDED, item)));
			stream.endInitialEvents();
		}
		else if (version < this.etcd.compacted()) {
			throw new ServerStatusException(ScriptedSource.status(410, "Expired"));
		}
		else {
			this.etcd.changesAfter(version).forEach(stream::offer);
		}
		this.open.add(stream);
		cancellation.register(stream);
		return stream;
	}

	void publish(Change change) {
		this.open.forEach((stream) -> stream.offer(change));
	}

	void offer(WatchEvent<V1Pod> event) {
		this.open.forEach((stream) -> stream.offer(event));
	}

	/**
	 * Break the watches. Their pending events are lost to them.
	 */
	void disconnect() {
		this.open.forEach((stream) -> stream.end(new IOException("connection reset")));
		this.open.clear();
	}

	/**
	 * End the watches after their pending events.
	 */
	void end() {
		this.open.forEach((stream) -> stream.end(null));
		this.ended.addAll(this.open);
		this.open.clear();
	}

	/**
	 * Consider the watches open that ended and may not have been read to their ends.
	 */
	void reopen() {
		this.open.addAll(this.ended);
		this.ended.clear();
	}

	boolean remove(FakeStream stream) {
		return this.open.remove(stream);
	}

	int size() {
		return this.open.size();
	}

	/**
	 * Return whether a watch is open and each has delivered all events.
	 */
	boolean areQuiet() {
		return !this.open.isEmpty() && this.open.stream().allMatch(FakeStream::isEmpty);
	}

}

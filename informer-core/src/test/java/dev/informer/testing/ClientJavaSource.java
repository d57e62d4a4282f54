/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.EventType;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import org.jspecify.annotations.Nullable;

/**
 * Server for the informers of the official client, to show their failures in cases that
 * this project's informers handle.
 */
public final class ClientJavaSource implements ListerWatcher<V1Pod, V1PodList> {

	private final List<V1Pod> pods = new ArrayList<>();

	private final BlockingQueue<Watch.Response<V1Pod>> events = new LinkedBlockingQueue<>();

	private final AtomicInteger watches = new AtomicInteger();

	private final boolean endWatchesAtOnce;

	public ClientJavaSource(boolean endWatchesAtOnce, V1Pod... pods) {
		this.endWatchesAtOnce = endWatchesAtOnce;
		this.pods.addAll(List.of(pods));
	}

	public static ClientJavaSource of(V1Pod... pods) {
		return new ClientJavaSource(false, pods);
	}

	public void send(EventType type, V1Pod pod) {
		this.events.add(new Watch.Response<>(type.name(), pod));
	}

	public int watches() {
		return this.watches.get();
	}

	@Override
	public V1PodList list(CallGeneratorParams params) {
		return new V1PodList().metadata(new V1ListMeta().resourceVersion("1")).items(new ArrayList<>(this.pods));
	}

	@Override
	public Watchable<V1Pod> watch(CallGeneratorParams params) {
		this.watches.incrementAndGet();
		return new Events();
	}

	private final class Events implements Watchable<V1Pod> {

		private Watch.@Nullable Response<V1Pod> next;

		@Override
		public boolean hasNext() {
			if (ClientJavaSource.this.endWatchesAtOnce) {
				return false;
			}
			try {
				this.next = ClientJavaSource.this.events.take();
				return true;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}

		@Override
		public Watch.Response<V1Pod> next() {
			return this.next;
		}

		@Override
		public Iterator<Watch.Response<V1Pod>> iterator() {
			return this;
		}

		@Override
		public void close() {
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;

import dev.informer.TimeSource;
import dev.informer.client.Cancellation;
import dev.informer.client.ListRequest;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ServerStatusException;
import dev.informer.reflector.StreamingList.Streamed;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Reads the whole state, as a stream or by pages. When the server does not have the
 * version that it is asked for, it is asked once more without one. Belongs to the thread
 * of its reflector.
 *
 * @param <T> the type of the objects
 */
final class StateReader<T extends KubernetesObject> {

	private final ListerWatcher<T> source;

	private final ResourceVersionState versions;

	private final boolean streaming;

	private final PagedList<T> pagedList;

	private final StreamingList<T> streamingList;

	StateReader(ReflectorSettings settings, ListerWatcher<T> source, ResourceVersionState versions, TimeSource time,
			PagedList.PageFailureHandler pages) {
		this.source = source;
		this.versions = versions;
		this.streaming = settings.options().streamingList();
		this.pagedList = new PagedList<>(source, settings.options().pageSize(), pages);
		this.streamingList = new StreamingList<>(source, time);
	}

	/**
	 * Whether to read it as a stream.
	 */
	boolean isStreaming() {
		return this.streaming && this.streamingList.isUsable();
	}

	Streamed<T> stream(Duration watchTimeout, Cancellation scope) throws IOException {
		try {
			return this.streamingList.open(this.versions.forStream(), watchTimeout, scope);
		}
		catch (ServerStatusException ex) {
			if (!this.versions.refused(ex.status()) || scope.isCancelled()) {
				throw ex;
			}
			return this.streamingList.open(this.versions.forStream(), watchTimeout, scope);
		}
	}

	/**
	 * Reads it by pages.
	 * @return its version
	 */
	String pages(Snapshot<T> snapshot, Cancellation scope) throws IOException {
		try {
			return this.pagedList.read(this.versions.forList(), snapshot, scope);
		}
		catch (ServerStatusException ex) {
			if (!this.versions.refused(ex.status()) || scope.isCancelled()) {
				throw ex;
			}
			return this.pagedList.read(this.versions.forList(), snapshot, scope);
		}
	}

	/**
	 * Asks for the version that the server has reached.
	 */
	String currentVersion(Cancellation scope) throws IOException {
		return this.source.list(new ListRequest("", 1, null), new Snapshot<>(), scope).resourceVersion();
	}

}

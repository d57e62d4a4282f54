/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.client.Cancellation;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.CallTimer.Timeout;
import dev.informer.reconcilers.KeyQueue.Hold;
import dev.informer.work.FollowedCache;
import dev.informer.work.WorkerThreads;

/**
 * Lists of the server that tell what became of writes, and how new a cache has to be. One
 * per informer and namespace, for all keys. Thread-safe.
 */
final class LookUps {

	/** A list that takes longer is repeated. */
	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final CallTimer timer;

	private final TimeSource time;

	private final CallLog log;

	private volatile Cancellation current = new Cancellation();

	private volatile boolean closed;

	LookUps(CallTimer timer, TimeSource time, CallLog log) {
		this.timer = timer;
		this.time = time;
		this.log = log;
	}

	/**
	 * Look writes up, and note the results with the lock. Blocks.
	 */
	void run(List<Hold> holds, WorkerThreads<?> threads) {
		Map<Source, List<OwnWrite>> sources = new LinkedHashMap<>();
		for (Hold hold : holds) {
			if (hold instanceof OwnWrite write) {
				sources.computeIfAbsent(new Source(write.cache(), write.namespace()), (any) -> new ArrayList<>())
					.add(write);
			}
		}
		sources.forEach((source, writes) -> {
			Set<String> keys = new HashSet<>();
			threads.locked(() -> writes.forEach((write) -> keys.addAll(write.keys())));
			long began = this.time.nanoTime();
			long epoch = source.cache.epoch();
			ListedObjects listed = null;
			try {
				listed = list(source.cache, source.namespace, keys);
			}
			catch (IOException | RuntimeException ex) {
				failed(ex);
			}
			ListedObjects found = listed;
			threads.locked(() -> writes.forEach((write) -> write.lookedUp(found, epoch, began, this.time.nanoTime())));
		});
	}

	/**
	 * List what an informer selects in a namespace. Blocks.
	 */
	ListedObjects list(FollowedCache cache, String namespace, Set<String> wanted) throws IOException {
		Cancellation cancellation = new Cancellation();
		this.current = cancellation;
		if (this.closed) {
			cancellation.cancel();
		}
		Timeout timeout = this.timer.schedule(cancellation::cancel, TIMEOUT);
		try {
			return ListedObjects.read(cache, namespace, wanted, cancellation);
		}
		finally {
			this.timer.cancel(timeout);
		}
	}

	/**
	 * Report a list that has failed, and will be repeated.
	 */
	void failed(Throwable failure) {
		if (!this.closed) {
			this.log.notListed(failure);
		}
	}

	/**
	 * End the current list, and those that begin from now on.
	 */
	void close() {
		this.closed = true;
		this.current.cancel();
	}

	private record Source(FollowedCache cache, String namespace) {
	}

}

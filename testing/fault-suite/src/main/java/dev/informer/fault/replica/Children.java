/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.ApiServerClient;
import dev.informer.fault.server.Cluster;
import tools.jackson.databind.JsonNode;

/**
 * Objects that replicas create for gadgets: lists them all the time, and deletes one now
 * and then, as somebody else may do. Thread-safe.
 */
final class Children implements AutoCloseable {

	private static final String PATH = WatchedResource.SECRETS.path(Cluster.GADGETS);

	private static final long POLL_MILLIS = 150;

	/** Lists until an object is deleted. */
	private static final int LISTS_PER_DELETION = 7;

	private final ApiServerClient api;

	private final ChildOracle oracle = new ChildOracle();

	private final Random random = new Random(1);

	private final Thread thread = new Thread(this::run, "children");

	private boolean paused;

	/** UIDs of the objects that the last backup of etcd has. */
	private Set<String> backup = Set.of();

	private volatile boolean closed;

	Children(ApiServerClient api) {
		this.api = api;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void run() {
		for (long round = 1; !this.closed; round++) {
			try {
				TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
				List<Child> children = list();
				this.oracle.observe(children);
				if (round % LISTS_PER_DELETION == 0 && !children.isEmpty()) {
					delete(children.get(this.random.nextInt(children.size())));
				}
			}
			catch (IOException ex) {
				// The server is down
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	private synchronized void delete(Child child) throws IOException, InterruptedException {
		if (!this.paused) {
			this.api.delete(PATH + "/" + child.name());
		}
	}

	private List<Child> list() throws IOException, InterruptedException {
		return list(PATH, Child::of);
	}

	private <T> List<T> list(String path, Function<JsonNode, T> mapping) throws IOException, InterruptedException {
		return this.api.get(path)
			.expectSuccess()
			.json()
			.path("items")
			.valueStream()
			.map((item) -> mapping.apply(item.path("metadata")))
			.toList();
	}

	/**
	 * Delete no object until {@link #resume}.
	 */
	synchronized void pause() {
		this.paused = true;
	}

	/**
	 * Continue after {@link #pause}.
	 */
	synchronized void resume() {
		this.paused = false;
	}

	/**
	 * Note that etcd is about to be backed up.
	 */
	synchronized void backedUp() throws IOException, InterruptedException {
		this.backup = uids();
	}

	private Set<String> uids() throws IOException, InterruptedException {
		return list().stream().map(Child::uid).collect(Collectors.toSet());
	}

	/**
	 * Note that etcd is about to be restored.
	 */
	synchronized void restored() throws IOException, InterruptedException {
		Set<String> deleted = new HashSet<>(this.backup);
		deleted.removeAll(uids());
		this.oracle.restored(System.nanoTime(), deleted);
	}

	/**
	 * Compare with what is wanted.
	 */
	List<Violation> differences() throws IOException, InterruptedException {
		return this.oracle.differences(list(WatchedResource.GADGETS.path(), Primary::of), list());
	}

	/**
	 * Return the number of objects so far.
	 */
	int count() {
		return this.oracle.count();
	}

	/**
	 * Return the violations and reports so far.
	 */
	Verdict verdict() {
		return this.oracle.verdict();
	}

	@Override
	public void close() {
		this.closed = true;
		this.thread.interrupt();
		try {
			this.thread.join(TimeUnit.SECONDS.toMillis(10));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

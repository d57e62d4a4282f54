/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import dev.informer.fault.journal.WatchedResource;

/**
 * Changes of objects at a constant rate, by several threads with separate objects. A
 * change that fails is not made up for. Thread-safe.
 */
public final class Workload implements AutoCloseable {

	private static final int RATE = 200;

	private static final int THREADS = 4;

	/** One of so many changes is a deletion. */
	private static final int CHANGES_PER_DELETION = 20;

	private final ApiServerClient api;

	/** Nanoseconds between two changes of one thread. */
	private final long period;

	private final boolean deletions;

	private final ReadWriteLock gate = new ReentrantReadWriteLock(true);

	private final ConcurrentSkipListMap<Long, Integer> changesBySecond = new ConcurrentSkipListMap<>();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean closed;

	/**
	 * Create 304 objects of all resources, and start to change, delete and recreate them
	 * 200 times a second.
	 */
	public Workload(ApiServerClient api) throws IOException, InterruptedException {
		this(api, objects(), RATE, true);
	}

	/**
	 * Create objects and start to change them.
	 * @param rate the number of changes per second
	 * @param deletions whether objects are also deleted and recreated
	 */
	public Workload(ApiServerClient api, Map<WatchedResource, Integer> objects, int rate, boolean deletions)
			throws IOException, InterruptedException {
		this(api, objects(objects), rate, deletions);
	}

	private Workload(ApiServerClient api, List<TestObject> objects, int rate, boolean deletions)
			throws IOException, InterruptedException {
		this.api = api;
		int count = Math.min(THREADS, objects.size());
		long interval = TimeUnit.SECONDS.toNanos(1) / rate;
		this.period = interval * count;
		this.deletions = deletions;
		for (TestObject object : objects) {
			object.create(api);
		}
		for (int i = 0; i < count; i++) {
			int number = i;
			List<TestObject> own = new ArrayList<>();
			for (int j = i; j < objects.size(); j += count) {
				own.add(objects.get(j));
			}
			Thread thread = new Thread(() -> run(own, number, number * interval), "workload-" + number);
			thread.setDaemon(true);
			this.threads.add(thread);
			thread.start();
		}
	}

	private static List<TestObject> objects() {
		List<TestObject> objects = new ArrayList<>();
		add(objects, WatchedResource.CONFIG_MAPS, "small", 150, 400);
		add(objects, WatchedResource.CONFIG_MAPS, "medium", 30, 8_000);
		add(objects, WatchedResource.CONFIG_MAPS, "large", 4, 100_000);
		add(objects, WatchedResource.PODS, "pod", 60, 0);
		add(objects, WatchedResource.WIDGETS, "widget", 60, 1_000);
		return objects;
	}

	private static List<TestObject> objects(Map<WatchedResource, Integer> counts) {
		List<TestObject> objects = new ArrayList<>();
		counts.forEach((resource, count) -> add(objects, resource, "object", count, 400));
		return objects;
	}

	private static void add(List<TestObject> objects, WatchedResource resource, String prefix, int count, int size) {
		String namespace = (resource == WatchedResource.GADGETS) ? Cluster.GADGETS : Cluster.NAMESPACE;
		for (int i = 0; i < count; i++) {
			objects.add(new TestObject(resource, namespace, prefix + "-" + i, size));
		}
	}

	private void run(List<TestObject> objects, int number, long delay) {
		Random random = new Random(number);
		boolean[] absent = new boolean[objects.size()];
		long next = System.nanoTime() + delay;
		for (long round = 1; !this.closed; round++) {
			LockSupport.parkNanos(next - System.nanoTime());
			// A thread that is late does not catch up more than a few changes
			next = Math.max(next + this.period, System.nanoTime() - 5 * this.period);
			int index = random.nextInt(objects.size());
			this.gate.readLock().lock();
			try {
				boolean delete = this.deletions && random.nextInt(CHANGES_PER_DELETION) == 0;
				absent[index] = change(objects.get(index), absent[index], delete, round);
				this.changesBySecond.merge(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()), 1, Integer::sum);
			}
			catch (IOException ex) {
				// The server is down or rejects the change
			}
			catch (InterruptedException ex) {
				return;
			}
			finally {
				this.gate.readLock().unlock();
			}
		}
	}

	private boolean change(TestObject object, boolean absent, boolean delete, long round)
			throws IOException, InterruptedException {
		if (absent) {
			object.create(this.api);
			return false;
		}
		if (delete) {
			object.delete(this.api);
			return true;
		}
		if (object.change(this.api, round).status() == 404) {
			object.create(this.api);
		}
		return false;
	}

	/**
	 * Stop the changes until {@link #resume}, and wait for those that are running.
	 */
	public void pause() {
		this.gate.writeLock().lock();
	}

	/**
	 * Continue after {@link #pause}, which the same thread has called.
	 */
	public void resume() {
		this.gate.writeLock().unlock();
	}

	/**
	 * Return the median of the changes per second, of those seconds in which the server
	 * accepted changes, since the last call.
	 */
	public int takeRate() {
		List<Integer> counts = new ArrayList<>(this.changesBySecond.values());
		this.changesBySecond.clear();
		counts.sort(null);
		return counts.isEmpty() ? 0 : counts.get(counts.size() / 2);
	}

	@Override
	public void close() {
		this.closed = true;
		this.threads.forEach(Thread::interrupt);
		for (Thread thread : this.threads) {
			try {
				thread.join(TimeUnit.SECONDS.toMillis(10));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

}

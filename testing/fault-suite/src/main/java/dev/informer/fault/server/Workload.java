/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

	/** Changes per second. */
	public static final int RATE = 200;

	private static final int THREADS = 4;

	private static final long PERIOD = TimeUnit.SECONDS.toNanos(1) * THREADS / RATE;

	private final ApiServerClient api;

	private final ReadWriteLock gate = new ReentrantReadWriteLock(true);

	private final ConcurrentSkipListMap<Long, Integer> changesBySecond = new ConcurrentSkipListMap<>();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean closed;

	/**
	 * Create the objects and start the changes.
	 * @param api the access to the server
	 * @throws IOException if an object cannot be created
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Workload(ApiServerClient api) throws IOException, InterruptedException {
		this.api = api;
		List<TestObject> objects = objects();
		for (TestObject object : objects) {
			object.create(api);
		}
		for (int i = 0; i < THREADS; i++) {
			int number = i;
			List<TestObject> own = new ArrayList<>();
			for (int j = i; j < objects.size(); j += THREADS) {
				own.add(objects.get(j));
			}
			Thread thread = new Thread(() -> run(own, number), "workload-" + number);
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

	private static void add(List<TestObject> objects, WatchedResource resource, String prefix, int count, int size) {
		for (int i = 0; i < count; i++) {
			objects.add(new TestObject(resource, Cluster.NAMESPACE, prefix + "-" + i, size));
		}
	}

	private void run(List<TestObject> objects, int number) {
		Random random = new Random(number);
		boolean[] absent = new boolean[objects.size()];
		long next = System.nanoTime() + number * PERIOD / THREADS;
		for (long round = 1; !this.closed; round++) {
			LockSupport.parkNanos(next - System.nanoTime());
			// A thread that is late does not catch up more than a few changes
			next = Math.max(next + PERIOD, System.nanoTime() - 5 * PERIOD);
			int index = random.nextInt(objects.size());
			this.gate.readLock().lock();
			try {
				absent[index] = change(objects.get(index), absent[index], random.nextInt(20) == 0, round);
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
	 * @return the changes per second
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

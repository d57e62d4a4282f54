/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Main class of a run in which eight threads read a store of 20,000 objects while another
 * thread writes 10,000 times per second.
 */
public final class StoreReadsProcess {

	private static final int OBJECTS = 20_000;

	private static final int READERS = 8;

	private static final int WRITES_PER_SECOND = 10_000;

	private static final long WARM_UP_SECONDS = 2;

	private static final long SECONDS = 4;

	private static final int INDEX_READ_ONE_IN = 10;

	private final StoreObjects objects = new StoreObjects(OBJECTS);

	private final ObjectStore store;

	private final LongAdder reads = new LongAdder();

	private final LongAdder writes = new LongAdder();

	private volatile boolean stopped;

	private StoreReadsProcess(ObjectStore store) {
		this.store = store;
		store.fill(this.objects.pods());
	}

	/**
	 * Read the store of a client.
	 * @param arguments see {@link ClientSettings#of}
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static void main(String[] arguments) throws InterruptedException {
		ClientType client = ClientSettings.of(arguments).client();
		Report report = new Report(System.out);
		for (Figure figure : List.of(Figure.KEY_READS, Figure.INDEX_READS, Figure.MIXED_READS)) {
			ObjectStore store = (client == ClientType.INFORMER) ? ObjectStore.ofInformer()
					: ObjectStore.ofOfficialClient();
			new StoreReadsProcess(store).measure(figure, report);
		}
		System.exit(0);
	}

	private void measure(Figure figure, Report report) throws InterruptedException {
		List<Thread> threads = new ArrayList<>(List.of(new Thread(this::write)));
		for (int reader = 0; reader < READERS; reader++) {
			threads.add(new Thread(() -> read(figure)));
		}
		threads.forEach(Thread::start);
		TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
		long readsBefore = this.reads.sum();
		long writesBefore = this.writes.sum();
		long began = System.nanoTime();
		TimeUnit.SECONDS.sleep(SECONDS);
		double seconds = (System.nanoTime() - began) / 1e9;
		report.figure(figure, (this.reads.sum() - readsBefore) / seconds);
		if (figure == Figure.MIXED_READS) {
			report.figure(Figure.WRITES, (this.writes.sum() - writesBefore) / seconds);
		}
		this.stopped = true;
		for (Thread thread : threads) {
			thread.join();
		}
	}

	private void read(Figure figure) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		long found = 0;
		while (!this.stopped) {
			boolean byIndex = figure == Figure.INDEX_READS
					|| figure == Figure.MIXED_READS && random.nextInt(INDEX_READ_ONE_IN) == 0;
			if (byIndex) {
				found += this.store.readNamespace("namespace-" + random.nextInt(this.objects.namespaces())).size();
			}
			else {
				found += (this.store.read(this.objects.keys().get(random.nextInt(OBJECTS))) != null) ? 1 : 0;
			}
			this.reads.increment();
		}
		if (found == 0) {
			throw new IllegalStateException("Nothing was read");
		}
	}

	/**
	 * Write at an even pace. Overdue writes follow at once.
	 */
	private void write() {
		long began = System.nanoTime();
		long version = 1;
		while (!this.stopped) {
			long due = (System.nanoTime() - began) * WRITES_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
			while (version <= due && !this.stopped) {
				String key = this.objects.keys().get((int) (version % OBJECTS));
				version++;
				this.store.write(key, StoreObjects.next(key, version));
				this.writes.increment();
			}
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.micro;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.informer.benchmarks.client.ObjectStore;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of a store of 20,000 objects that eight threads read while another thread
 * writes 10,000 times per second. The figures of the writer are its pace.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init")
public class StoreBenchmark {

	private static final int OBJECTS = 20_000;

	/** Duration of a bundle of writes, in nanoseconds. */
	private static final long BUNDLE_NANOS = 200_000;

	private static final int BUNDLE = 2;

	/** Client that the store belongs to. */
	@Param({ "informer", "client-java" })
	public String client;

	private final StoreUpdates updates = new StoreUpdates(OBJECTS);

	private ObjectStore store;

	private int written;

	private long due;

	/**
	 * Fill the store.
	 */
	@Setup
	public void fill() {
		this.store = this.client.equals("informer") ? ObjectStore.ofInformer() : ObjectStore.ofOfficialClient();
		this.store.fill(this.updates.objects().pods());
		this.due = System.nanoTime();
	}

	/**
	 * Read an object.
	 * @return the object
	 */
	@Benchmark
	@Group("byKey")
	@GroupThreads(8)
	public @Nullable V1Pod readByKey() {
		return this.store.read(this.updates.keys().get(ThreadLocalRandom.current().nextInt(OBJECTS)));
	}

	/**
	 * Write while objects are read.
	 * @throws InterruptedException if the thread is interrupted
	 */
	@Benchmark
	@Group("byKey")
	@GroupThreads(1)
	public void writeBesideKeyReads() throws InterruptedException {
		write();
	}

	/**
	 * Read a namespace.
	 * @return its objects
	 */
	@Benchmark
	@Group("byIndex")
	@GroupThreads(8)
	public List<V1Pod> readByIndex() {
		int namespace = ThreadLocalRandom.current().nextInt(this.updates.objects().namespaces());
		return this.store.readNamespace("namespace-" + namespace);
	}

	/**
	 * Write while namespaces are read.
	 * @throws InterruptedException if the thread is interrupted
	 */
	@Benchmark
	@Group("byIndex")
	@GroupThreads(1)
	public void writeBesideIndexReads() throws InterruptedException {
		write();
	}

	private void write() throws InterruptedException {
		for (int count = 0; count < BUNDLE; count++) {
			this.store.write(this.updates.keys().get(this.written), this.updates.pod(this.written));
			this.written = (this.written + 1) % OBJECTS;
		}
		this.due += BUNDLE_NANOS;
		long wait = this.due - System.nanoTime();
		if (wait > 0) {
			TimeUnit.NANOSECONDS.sleep(wait);
		}
	}

}

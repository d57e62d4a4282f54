/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.List;
import java.util.Random;

import dev.informer.testing.FakeEtcd.Content;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.SteppedThread;
import dev.informer.testing.SteppedThreads;

/**
 * Random sequence of operations on an informer, from one seed, with steps of the
 * informer's threads between them in any order. At the end, it waits for rest twice: once
 * as it is, and once after all undecodable objects were repaired.
 */
final class ModelRun {

	private static final int LONGEST_SETTLING = 3000;

	/**
	 * Maximum number of rounds that a change needs from the reflector to the handlers.
	 */
	private static final int IDLE_ROUNDS = 4;

	private static final int MOST_STEPS_BETWEEN = 14;

	private final long seed;

	private final ModelWorld world;

	private final Trace trace;

	private final FakeSource source;

	private final SteppedThreads threads;

	/**
	 * Create a run, every second one with shared parts.
	 */
	ModelRun(long seed) {
		this(seed, seed % 2 == 0);
	}

	ModelRun(long seed, boolean shareValues) {
		this.seed = seed;
		this.world = new ModelWorld(ModelSettings.random(random(0), shareValues));
		this.trace = this.world.trace();
		this.source = this.world.source();
		this.threads = this.world.threads();
	}

	/**
	 * Return random numbers for a part of the run, independent of the other parts.
	 */
	private Random random(int part) {
		return new Random((this.seed * 1_000_003 + part) * 0x9E3779B97F4A7C15L);
	}

	/**
	 * Run the sequence.
	 * @param operations the numbers of the operations to perform
	 * @return the trace of the run
	 */
	Trace run(List<Integer> operations) {
		ModelOperations all = new ModelOperations(this.world);
		for (int number : operations) {
			Random random = random(number);
			if (!isOver()) {
				all.perform(random);
			}
			for (int i = random.nextInt(MOST_STEPS_BETWEEN); i > 0 && !isOver(); i--) {
				stepAny(random);
			}
		}
		settle("at rest");
		repair();
		settle("at rest and repaired");
		if (!isOver()) {
			this.world.store().checkEqual(this.world.current());
		}
		close();
		return this.trace;
	}

	private boolean isOver() {
		return this.trace.problem() != null;
	}

	private void stepAny(Random random) {
		List<SteppedThread> ready = this.threads.ready();
		if (ready.isEmpty()) {
			this.threads.advanceToNextDeadline();
		}
		else {
			this.world.step(ready.get(random.nextInt(ready.size())));
		}
	}

	/**
	 * Step all threads until the world is at rest, then check it.
	 */
	private void settle(String when) {
		this.trace.note(when);
		this.world.heal();
		int idle = 0;
		for (int round = 0; !this.world.isAtRest() && !isOver() && round < LONGEST_SETTLING; round++) {
			long progress = this.threads.progress();
			this.threads.all().forEach(this.world::step);
			idle = (progress == this.threads.progress()) ? idle + 1 : 0;
			if (idle == IDLE_ROUNDS) {
				urge();
				idle = 0;
			}
		}
		if (!isOver()) {
			this.trace.check(this.world.isAtRest(), "does not come to rest: %s", this.world);
			this.world.checkAtRest();
		}
	}

	/**
	 * Cause progress after every thread was idle for several rounds.
	 */
	private void urge() {
		this.world.start();
		if (this.world.isRewound()) {
			this.world.findOut();
		}
		else if (this.source.isQuiet()) {
			this.source.bookmark();
		}
		this.threads.advanceToNextDeadline();
	}

	/**
	 * Make all objects decodable, and have them listed.
	 */
	private void repair() {
		for (Item item : this.source.etcd().current().values()) {
			if (!ModelPods.isReadable(item, this.world.settings().transform())) {
				this.source.put(item.key(), Shape.FINE, new Content("web", "Running"));
			}
		}
		this.source.compactAndBreakWatches();
	}

	private void close() {
		this.world.close();
		for (int round = 0; !this.threads.all().isEmpty() && round < LONGEST_SETTLING; round++) {
			long progress = this.threads.progress();
			this.threads.all().forEach(this.threads::step);
			if (progress == this.threads.progress()) {
				this.threads.advanceToNextDeadline();
			}
		}
		this.trace.check(this.threads.all().isEmpty(), "threads are left: %s", this.threads.all());
	}

	int checks() {
		return this.world.store().checks();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.QueuePolicy;
import dev.informer.RetryPolicy;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Settings and behavior of a handler in a {@link ModelRun}.
 *
 * @param name its name
 * @param queue its queue policy
 * @param resync the resync period
 * @param attempts the maximum number of attempts of an invocation
 * @param app the label of its filter; empty for all objects
 * @param parts the parts of its change filter; empty for all parts
 * @param concurrency the maximum number of concurrent invocations
 * @param failures the percentage of invocations that throw
 * @param slowness the maximum number of steps of other threads during an invocation
 * @param stubborn whether it ignores interrupts
 */
record HandlerProfile(String name, QueuePolicy queue, Duration resync, int attempts, String app, Set<ChangedPart> parts,
		int concurrency, int failures, int slowness, boolean stubborn, boolean gated) {

	private static final List<Set<ChangedPart>> PARTS = List.of(Set.of(), Set.of(), Set.of(ChangedPart.LABELS),
			Set.of(ChangedPart.STATUS), Set.of(ChangedPart.LABELS, ChangedPart.STATUS));

	static HandlerProfile random(String name, Random random) {
		boolean coalesce = random.nextBoolean();
		return new HandlerProfile(name, coalesce ? QueuePolicy.COALESCE : QueuePolicy.KEEP_ALL,
				Duration.ofSeconds(random.nextBoolean() ? 0 : 1 + random.nextInt(60)), 1 + random.nextInt(3),
				(random.nextInt(3) == 0) ? "web" : "",
				(random.nextInt(3) == 0) ? PARTS.get(random.nextInt(PARTS.size())) : Set.of(),
				random.nextBoolean() ? 1 : 2 + random.nextInt(2), random.nextBoolean() ? 0 : random.nextInt(60),
				random.nextInt(6), random.nextInt(4) == 0, random.nextInt(3) == 0 && coalesce);
	}

	void applyTo(HandlerOptions.Builder<V1Pod> options) {
		options.name(this.name)
			.queue(this.queue)
			.resyncPeriod(this.resync)
			.retry(new RetryPolicy(this.attempts - 1, Duration.ofMillis(800), 2, Duration.ofSeconds(10), Duration.ZERO))
			.concurrency(this.concurrency)
			.changes(this.parts.toArray(ChangedPart[]::new));
		if (isFiltered()) {
			options.filter(this::wants);
		}
	}

	boolean isFiltered() {
		return !this.app.isEmpty();
	}

	/**
	 * Return whether all objects and all changes are delivered to it.
	 */
	boolean wantsEverything() {
		return !isFiltered() && this.parts.isEmpty();
	}

	boolean wants(V1Pod pod) {
		return !isFiltered() || this.app.equals(ModelPods.app(pod));
	}

	/**
	 * Return whether two states of an object differ in a part of its change filter.
	 */
	boolean differs(V1Pod one, V1Pod other) {
		return this.parts.isEmpty()
				|| (this.parts.contains(ChangedPart.LABELS) && !ModelPods.app(one).equals(ModelPods.app(other)))
				|| (this.parts.contains(ChangedPart.STATUS) && !ModelPods.phase(one).equals(ModelPods.phase(other)));
	}

}

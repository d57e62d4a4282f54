/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeEtcd.Content;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.SteppedThread;
import dev.informer.testing.SteppedThreads;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for epochs and retained objects in the store, in the orders of steps that are
 * critical for them.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class StoreEpochTests {

	private static final int ROUNDS = 30;

	private final SteppedThreads threads = new SteppedThreads();

	private final FakeSource source = new FakeSource().stepped(this.threads);

	private final EventLog<V1Pod> log = new EventLog<>();

	private SharedIndexInformer<V1Pod> informer = informer(false);

	@AfterEach
	void close() {
		this.threads.start("close", this.informer::close);
		release((thread) -> true);
	}

	@Test
	void deletionInAStream_isApplied_besideAnUnnamedObject() {
		this.informer = informer(true);
		this.source.put("a");
		this.source.put("b");
		this.source.put("c");
		start();
		this.source.delete("c");
		this.source.put("nameless", Shape.NAMELESS);
		this.source.compactAndBreakWatches();
		letReflectorOpenItsStream();
		this.source.delete("a");
		this.source.delete("b", Shape.BROKEN);
		this.source.put("b");
		release((thread) -> true);
		assertThat(this.informer.lister().keys()).as("the deletion of c is unknown")
			.containsExactlyInAnyOrder("ns/b", "ns/c");
		assertThat(this.log.story()).endsWith("DELETED ns/a", "DELETED ns/b", "ADDED ns/b");
		assertThat(this.log.problems()).isEmpty();
	}

	/**
	 * A server that was restored from a backup assigns the same versions again. Its list
	 * and its first change are queued, but the store still has the old objects.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void objectBeforeARollback_isNotTakenForOneOfTheNewEpoch(boolean stopped) {
		this.informer.setTransform((pod) -> pod);
		this.source.put("a", Shape.FINE, new Content("", "Pending"));
		long version = this.source.version();
		this.source.put("a", Shape.FINE, new Content("", "Lost"));
		start();
		this.source.rollBack(version);
		release(this::isReflector);
		this.source.put("a", Shape.FINE, new Content("", "Running"));
		release(this::isReflector);
		assertThat(phases()).containsExactly("Lost");
		if (stopped) {
			stop();
			this.informer.start();
		}
		release((thread) -> true);
		assertThat(phases()).containsExactly("Running");
		assertThat(this.log.events()).last()
			.satisfies((event) -> assertThat(phase(event.object())).isEqualTo("Running"));
	}

	/**
	 * An undecodable object keeps its last state, which belongs to the epoch before.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void retainedObjectBeforeARollback_isNotTakenForOneOfTheNewEpoch(boolean listed) {
		this.source.put("a", Shape.BROKEN, new Content("", "Pending"));
		long version = this.source.version();
		this.source.put("a", Shape.FINE, new Content("", "Lost"));
		start();
		this.source.rollBack(version);
		release((thread) -> true);
		assertThat(phases()).containsExactly("Lost");
		this.source.put("a", Shape.FINE, new Content("", "Running"));
		if (listed) {
			this.source.compactAndBreakWatches();
		}
		release((thread) -> true);
		assertThat(phases()).containsExactly("Running");
	}

	private void stop() {
		SteppedThread stop = this.threads.start("stop", () -> this.informer.stop(Duration.ZERO));
		while (stop.isAlive()) {
			this.threads.step(stop);
			this.threads.advanceToNextDeadline();
		}
	}

	private List<String> phases() {
		return this.informer.lister().list().stream().map(StoreEpochTests::phase).toList();
	}

	private static String phase(V1Pod pod) {
		return (pod.getStatus() != null) ? String.valueOf(pod.getStatus().getPhase()) : "";
	}

	private SharedIndexInformer<V1Pod> informer(boolean streaming) {
		return FakeInformers.pods(this.source,
				new InformerOptions.Builder(InformerOptions.DEFAULT).streamingList(streaming).build(),
				(settings) -> settings.threadFactory(this.threads).time(this.threads));
	}

	private void start() {
		this.informer.addHandler(this.log);
		this.informer.start();
		release((thread) -> true);
	}

	private void letReflectorOpenItsStream() {
		int before = this.source.requests().size();
		SteppedThread reflector = reflector();
		for (int i = 0; i < ROUNDS && streams(before).isEmpty(); i++) {
			this.threads.step(reflector);
			this.threads.advance(Duration.ofSeconds(1));
		}
		assertThat(streams(before)).hasSize(1);
	}

	private List<String> streams(int before) {
		return this.source.requests().stream().skip(before).filter((request) -> request.startsWith("STREAM")).toList();
	}

	private SteppedThread reflector() {
		return this.threads.all().stream().filter(this::isReflector).findAny().orElseThrow();
	}

	private boolean isReflector(SteppedThread thread) {
		return thread.getName().endsWith("reflector");
	}

	private void release(Predicate<SteppedThread> which) {
		for (int i = 0; i < ROUNDS; i++) {
			this.threads.all().stream().filter(which).forEach(this.threads::step);
			this.threads.advance(Duration.ofSeconds(1));
		}
	}

}

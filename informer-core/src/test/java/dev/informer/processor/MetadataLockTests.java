/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectSelector;
import dev.informer.testing.FakeGate;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads the metadata of objects whose class calls a method of the handler on another
 * thread each time, and waits for it. So metadata that were read under the lock of the
 * handler would be a deadlock.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class MetadataLockTests {

	private final ExecutorService caller = Executors.newSingleThreadExecutor();

	private final List<String> locked = new CopyOnWriteArrayList<>();

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	private volatile @Nullable HandlerRegistration handler;

	private volatile boolean failing;

	@AfterEach
	void close() {
		this.caller.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void metadata_areReadWithoutLock(QueuePolicy policy) throws Exception {
		try (HandlerFixture fixture = new HandlerFixture(FakeTime.autoAdvancingUpTo())) {
			live(fixture, policy);
		}
	}

	@Test
	void metadataForAGate_areReadWithoutLock() throws Exception {
		FakeGate gate = new FakeGate(1);
		gate.open(0);
		try (HandlerFixture fixture = new HandlerFixture(FakeTime.autoAdvancingUpTo(), new GatedSet(gate))) {
			live(fixture, QueuePolicy.COALESCE);
		}
	}

	private void live(HandlerFixture fixture, QueuePolicy policy) throws Exception {
		V1Pod one = new Asking(pod("a", "u1", 1));
		V1Pod two = new Asking(pod("a", "u1", 2));
		V1Pod other = new Asking(pod("a", "u2", 3));
		V1Pod third = new Asking(pod("a", "u3", 4));
		HandlerRegistration added = fixture.add((event) -> {
			if (this.failing) {
				throw new IllegalStateException("for the test");
			}
			this.delivered.add(event.type() + " " + ((Asking) event.object()).version);
		}, (options) -> options.queue(policy).retry(RetryPolicy.NONE), List.of());
		this.handler = added;
		fixture.start();
		fixture.distribute(new Added<>(one, false), new Updated<>(one, two), new Deleted<>(two, two, false),
				new Added<>(other, false));
		idle(added);
		this.failing = true;
		fixture.distribute(new Deleted<>(other, other, false));
		idle(added);
		fixture.distribute(new Added<>(third, false));
		idle(added);
		this.failing = false;
		added.diagnose("ns", "a");
		assertThat(added.retryNow()).isEqualTo(1);
		idle(added);
		added.pause();
		fixture.distribute(new Deleted<>(third, third, false), new Added<>(one, false));
		added.diagnose("ns", "a");
		added.resume();
		idle(added);
		assertThat(this.locked).isEmpty();
		assertThat(this.delivered).endsWith("DELETED 3", "ADDED 4", "DELETED 4", "ADDED 1");
		addLate(fixture, one);
		assertThat(this.locked).isEmpty();
	}

	/**
	 * Add a handler whose initial list has the object.
	 */
	private void addLate(HandlerFixture fixture, V1Pod object) throws Exception {
		fixture.processor().distribute(List.of(), 0, () -> Map.of("ns/a", object), true);
		HandlerRegistration late = fixture.processor()
			.add((event) -> this.delivered.add("late"), new HandlerOptions.Builder<V1Pod>().name("late").build());
		idle(late);
		assertThat(this.delivered).endsWith("late");
	}

	private static void idle(HandlerRegistration handler) throws InterruptedException {
		assertThat(handler.awaitIdle(Duration.ofDays(1))).isTrue();
	}

	private void look() {
		HandlerRegistration current = this.handler;
		if (current == null || !this.locked.isEmpty()) {
			return;
		}
		try {
			this.caller.submit(() -> {
				current.pending();
				return current.awaitSynced(Duration.ZERO);
			}).get(60, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			this.locked.add(Arrays.toString(new Throwable().getStackTrace()));
		}
		catch (Exception ex) {
			this.locked.add(ex.toString());
		}
	}

	private final class Asking extends V1Pod {

		private final String version;

		Asking(V1Pod pod) {
			setMetadata(pod.getMetadata());
			this.version = String.valueOf(Objects.requireNonNull(pod.getMetadata()).getResourceVersion());
		}

		@Override
		public V1ObjectMeta getMetadata() {
			look();
			return super.getMetadata();
		}

	}

	/**
	 * All objects, with a gate.
	 */
	private record GatedSet(InvocationGate gate) implements WatchedSet {

		@Override
		public ObjectSelector selector() {
			return (state) -> false;
		}

		@Override
		public void follow(Runnable changed) {
		}

		@Override
		public void unfollow(Runnable changed) {
		}

	}

}

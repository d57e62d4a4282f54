/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Shard;
import dev.informer.shard.FakeSharding;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.processor.HandlerFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class for tests of handlers of an informer that caches the objects of some slots,
 * by UID.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
abstract class AbstractShardGateTests {

	final FakeSharding sharding = new FakeSharding("me", 4);

	final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM, new Shard(this.sharding, Shard.Key.UID));

	final SlotCalls calls = new SlotCalls(this.sharding);

	/** Objects with the same name, in slots 1 and 2. */
	final V1Pod first = SlotUids.pod("a", 1, 1);

	final V1Pod changed = SlotUids.pod("a", 1, 2);

	final V1Pod second = SlotUids.pod("a", 2, 3);

	@AfterEach
	void close() {
		this.calls.unblock();
		this.fixture.close();
		for (int slot = 0; slot < this.sharding.slots(); slot++) {
			assertThat(this.sharding.running(slot)).isZero();
		}
	}

	HandlerRegistration add() {
		HandlerRegistration handler = this.fixture.add(this.calls, (options) -> options.name("handler"), List.of());
		this.fixture.start();
		return handler;
	}

	/**
	 * Add a handler that knows the first object.
	 */
	HandlerRegistration addKnown() throws InterruptedException {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.first, false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		this.calls.clear();
		return handler;
	}

	void recreate() {
		this.fixture.distribute(new Deleted<>(this.first, this.first, false), new Added<>(this.second, false));
	}

	void assertCalls(HandlerRegistration handler, String... expected) throws InterruptedException {
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls.calls()).containsExactly(expected);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import dev.informer.client.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorControl}.
 */
class ReflectorControlTests {

	private final ReflectorControl control = new ReflectorControl(TimeSource.SYSTEM);

	private final List<Boolean> seen = new ArrayList<>();

	@Test
	void listThatIsHandedOver_isToldToWhoeverWaitsForIt() {
		this.control.listing();
		BooleanSupplier[] polled = new BooleanSupplier[1];
		polled[0] = this.control.poll(() -> this.seen.add(polled[0].getAsBoolean()));
		this.control.handedOver();
		assertThat(this.control.listing()).isTrue();
		this.control.handedOver();
		// the first list had begun before the request
		assertThat(this.seen).containsExactly(false, true);
		assertThat(this.control.listing()).isFalse();
	}

}

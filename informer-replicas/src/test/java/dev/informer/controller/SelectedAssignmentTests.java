/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Shard;
import dev.informer.shard.FakeSharding;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SelectedAssignment}.
 */
class SelectedAssignmentTests {

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void closed_leavesNoListener(boolean factory) {
		FakeSharding sharding = new FakeSharding("one", 4);
		try (InformerFactory informers = InformerFactory.create(new ApiClient())) {
			SharedIndexInformer<V1Pod> informer = informers.informer(V1Pod.class,
					(options) -> options.watchedSet(new Shard(sharding, Shard.Key.UID)));
			informer.addHandler((event) -> {
			});
			assertThat(sharding.listeners()).isEqualTo(2);
			if (factory) {
				informers.close();
			}
			else {
				informer.close();
			}
			assertThat(sharding.listeners()).isZero();
		}
	}

}

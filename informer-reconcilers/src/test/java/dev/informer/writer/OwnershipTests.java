/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * Tests for applies with an owner.
 */
@Timeout(60)
class OwnershipTests extends OwnershipContract {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@Override
	ApiClient newClient() {
		return new ClientBuilder().setBasePath(this.kubernetes.url()).build();
	}

	@AfterEach
	void stop() {
		this.kubernetes.close();
	}

}

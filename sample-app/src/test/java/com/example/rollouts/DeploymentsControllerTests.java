/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import dev.informer.Lister;
import dev.informer.NamespaceNotWatchedException;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class DeploymentsControllerTests {

	private final Lister<V1Deployment> deployments = mock();

	private final MockMvcTester client = MockMvcTester
		.of(new DeploymentsController(this.deployments, mock(Pods.class)));

	@Test
	void namespaceThatIsNotWatched_returnsProblemDetails() {
		given(this.deployments.get("nowhere", "web")).willThrow(
				new NamespaceNotWatchedException("deployments", "nowhere", "watches only the namespaces [shop]"));
		assertThat(this.client.get().uri("/deployments/nowhere/web/pods")).hasStatus(HttpStatus.NOT_FOUND)
			.bodyJson()
			.extractingPath("$.detail")
			.asString()
			.contains("watches only the namespaces [shop]");
	}

}

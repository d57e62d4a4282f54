/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.AfterEach;

class EmbeddedOperatorResourcesTests extends OperatorResourcesTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@Override
	String kubeconfig() {
		return this.kubernetes.kubeconfig();
	}

	@Override
	@AfterEach
	void close() {
		super.close();
		this.kubernetes.close();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.support;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Pods for tests.
 */
public final class Pods {

	private Pods() {
	}

	public static V1Pod pod(String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name(name).uid(name));
	}

}

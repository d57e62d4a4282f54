/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import dev.informer.spring.boot.test.Listers;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PodNamesTests {

	@Test
	void namesOfPods_areSorted() {
		PodNames names = new PodNames(Listers.of(pod("shop", "web-2"), pod("shop", "web-1"), pod("billing", "api-1")));
		assertThat(names.in("shop")).containsExactly("web-1", "web-2");
	}

	static V1Pod pod(String namespace, String name) {
		return new V1Pod().apiVersion("v1").kind("Pod").metadata(new V1ObjectMeta().namespace(namespace).name(name));
	}

}

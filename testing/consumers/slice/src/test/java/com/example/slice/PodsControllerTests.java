/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.slice;

import dev.informer.Lister;
import dev.informer.spring.boot.test.Listers;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

@WebMvcTest
class PodsControllerTests {

	@Autowired
	MockMvcTester mvc;

	@Test
	void names_areThoseOfTheLister() {
		assertThat(this.mvc.get().uri("/names")).bodyJson().isEqualTo("[\"web-1\"]");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Pods {

		@Bean
		Lister<V1Pod> pods() {
			return Listers.of(new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("web-1")));
		}

	}

}

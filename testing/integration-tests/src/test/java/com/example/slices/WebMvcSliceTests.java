/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.slices;

import java.util.List;

import dev.informer.Lister;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.spring.boot.test.Listers;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * Tests for each advice of the analysis of a slice that has no informers.
 */
class WebMvcSliceTests {

	private static V1Pod pod() {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("web-1"));
	}

	@Nested
	@WebMvcTest
	class MockedLister {

		@Autowired
		MockMvcTester mvc;

		@MockitoBean
		Lister<V1Pod> pods;

		@Test
		void controller_readsMock() {
			given(this.pods.list()).willReturn(List.of(pod()));
			assertThat(this.mvc.get().uri("/names")).bodyJson().isEqualTo("[\"web-1\"]");
		}

	}

	@Nested
	@WebMvcTest
	class ListerOfObjects {

		@Autowired
		MockMvcTester mvc;

		@Test
		void controller_readsObjects() {
			assertThat(this.mvc.get().uri("/names")).bodyJson().isEqualTo("[\"web-1\"]");
		}

		@TestConfiguration
		static class Pods {

			@Bean
			Lister<V1Pod> pods() {
				return Listers.of(pod());
			}

		}

	}

	@Nested
	@WebMvcTest
	@AutoConfigureEmbeddedKubernetes
	@ImportAutoConfiguration({ KubernetesConnectionAutoConfiguration.class, InformerAutoConfiguration.class })
	class EmbeddedServer {

		@Autowired
		MockMvcTester mvc;

		@Test
		void controller_readsCache() {
			assertThat(this.mvc.get().uri("/names")).bodyJson().isEqualTo("[]");
		}

	}

}

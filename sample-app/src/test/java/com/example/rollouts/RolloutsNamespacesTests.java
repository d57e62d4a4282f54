/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

import dev.informer.spring.InformerRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "rollouts.namespaces=shop, billing", "informer.auto-startup=false" })
class RolloutsNamespacesTests {

	@Autowired
	private InformerRegistry informers;

	@Test
	void namespacesProperty_appliesToEveryInformer() {
		assertThat(this.informers.informers()).hasSize(3)
			.allSatisfy(
					(informer) -> assertThat(informer.options().namespaces()).isEqualTo(List.of("billing", "shop")));
	}

}

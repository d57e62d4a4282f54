/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import java.util.List;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.spring.InformerCustomizer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.context.annotation.Bean;

/**
 * Beans of the documentation that customize informers.
 */
final class InformerBeans {

	private InformerBeans() {
	}

	@Bean
	static IndexFunction<V1Pod> byNode() {
		return (pod) -> (pod.getSpec().getNodeName() != null) ? List.of(pod.getSpec().getNodeName()) : List.of();
	}

	@Bean
	static ObjectTransform<V1Pod> withoutEnvironment() {
		return (pod) -> {
			pod.getSpec().getContainers().forEach((container) -> container.setEnv(null));
			return pod;
		};
	}

	@Bean
	static InformerCustomizer<KubernetesObject> owners() {
		return (informer) -> informer.enableIndex(Lister.OWNER_INDEX);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.lang.reflect.Proxy;
import java.util.Map;

import dev.informer.InformerOptions;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Settings of a reflector of pods in all namespaces.
 */
final class TestSettings {

	private TestSettings() {
	}

	/**
	 * Return settings with a stub of the informer.
	 * @param options the options of the informer
	 */
	static ReflectorSettings of(InformerOptions options) {
		Map<String, Object> values = Map.of("name", "pods", "resourceType", ResourceType.of(V1Pod.class), "options",
				options);
		SharedIndexInformer<?> informer = (SharedIndexInformer<?>) Proxy.newProxyInstance(
				TestSettings.class.getClassLoader(), new Class<?>[] { SharedIndexInformer.class },
				(proxy, method, arguments) -> values.get(method.getName()));
		return new ReflectorSettings(informer, "");
	}

}

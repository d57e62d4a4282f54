/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.lang.reflect.Proxy;
import java.util.Map;

import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Settings of a reflector of pods in all namespaces.
 */
final class TestSettings {

	private TestSettings() {
	}

	/**
	 * Return a log that no other reflector uses.
	 */
	static ReflectorLog log(TimeSource time) {
		return new ReflectorLog(of(InformerOptions.DEFAULT).informer(), time);
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

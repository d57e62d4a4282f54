/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ListerWatcher;
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
	 * Create a reflector with a log that no other reflector uses.
	 */
	static Reflector<V1Pod> reflector(ReflectorSettings settings, ListerWatcher<V1Pod> source, Indexer<V1Pod> cache,
			UnaryOperator<Delta<V1Pod>> sink, TimeSource time, InformerListener listener) {
		ReflectorLog log = new ReflectorLog(settings.informer(), time);
		ReflectorStatus status = new ReflectorStatus(settings, time, listener, cache.staleObjects(), log);
		return new Reflector<>(settings, source, cache, sink, status, time);
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

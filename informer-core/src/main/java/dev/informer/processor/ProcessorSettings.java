/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.function.BiFunction;

import dev.informer.HandlerInterceptor;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Indexer;
import dev.informer.client.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Settings that the handlers of one informer share.
 *
 * @param cache its cache, from which handlers are diagnosed
 * @param threadFactory creates a thread from the name of a handler and its task
 * @param events the listener to notify, which must not throw
 */
public record ProcessorSettings<T extends KubernetesObject>(SharedIndexInformer<?> informer, Indexer<T> cache,
		@Nullable HandlerInterceptor interceptor, BiFunction<String, Runnable, Thread> threadFactory, TimeSource time,
		InformerListener events) {

}

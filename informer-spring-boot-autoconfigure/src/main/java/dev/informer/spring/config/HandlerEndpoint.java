/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerOptions;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * A handler method of a bean, with what its annotation says after placeholders and
 * expressions have been resolved.
 *
 * @param id its id
 * @param beanName the name of the bean
 * @param method the method
 * @param informer the name of the informer to listen to; {@code null} for the default one
 * @param options the callback that sets the options of its annotation
 * @param filter says of which objects it is told; {@code null} for all
 * @param errorHandler hears of calls that throw; {@code null} for nobody
 */
record HandlerEndpoint(String id, String beanName, HandlerMethod method, @Nullable String informer,
		Consumer<HandlerOptions.Builder<?>> options, @Nullable Predicate<? super KubernetesObject> filter,
		@Nullable HandlerErrorHandler<? super KubernetesObject> errorHandler) {
}

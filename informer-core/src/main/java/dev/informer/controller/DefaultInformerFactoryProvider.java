/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.function.Supplier;

import dev.informer.InformerFactory;
import io.kubernetes.client.openapi.ApiClient;

/**
 * Makes factories of informers; found through {@link java.util.ServiceLoader}.
 */
public final class DefaultInformerFactoryProvider implements InformerFactory.Provider {

	@Override
	public InformerFactory create(Supplier<ApiClient> apiClient, InformerFactory.Settings settings) {
		return new DefaultInformerFactory(apiClient, settings);
	}

}

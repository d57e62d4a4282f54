/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.aot;

import io.kubernetes.client.openapi.models.V1Lease;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.ResolvableType;

/**
 * Runtime hints for every application with informers: the table of the models of the
 * official client.
 */
final class InformerRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("dev/informer/client/official-models.tsv")
			.registerPattern("dev/informer/client/protobuf/kubernetes-messages.txt");
		// leader election watches it without a bean
		new ModelHints(hints.reflection()).register(ResolvableType.forClass(V1Lease.class));
	}

}

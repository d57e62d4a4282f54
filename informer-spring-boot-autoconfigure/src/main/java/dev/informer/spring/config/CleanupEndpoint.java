/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Objects;

import dev.informer.client.PartialObjectMetadata;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InvalidHandlerMethodException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Endpoint of a cleanup method of a bean.
 */
final class CleanupEndpoint extends MethodEndpoint<ReconcilerMethod<InformerCleanup>> {

	private final String finalizer;

	private final @Nullable String reconcilerId;

	/**
	 * Create an endpoint.
	 * @throws InvalidHandlerMethodException if an attribute is invalid, or the method
	 * cannot be invoked on the bean
	 */
	CleanupEndpoint(ConfigurableListableBeanFactory beanFactory, String beanName,
			ReconcilerMethod<InformerCleanup> method) {
		super(beanFactory, beanName, method);
		InformerCleanup annotation = method.annotation();
		this.finalizer = Objects.requireNonNullElse(text("value", annotation.value()), "");
		this.reconcilerId = text("reconciler", annotation.reconciler());
		if (method.type() == PartialObjectMetadata.class) {
			throw invalid("its objects have only their metadata, so that no finalizer can be added to them",
					"Let both methods take the class of the whole objects first.");
		}
		check(() -> new ReconcilerOptions.Builder<>(beanName).cleanup(this.finalizer, method.reconciler(this)).build());
	}

	String finalizer() {
		return this.finalizer;
	}

	/**
	 * Return the ID of the reconciler; {@code null} for the only one with the primary
	 * object.
	 */
	@Nullable String reconcilerId() {
		return this.reconcilerId;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Model of a custom resource.
 */
@CustomResource(group = "example.com", version = "v1", plural = "widgets")
public class Widget implements KubernetesObject {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private @Nullable Spec spec;

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * Return the specification.
	 * @return the specification
	 */
	public @Nullable Spec getSpec() {
		return this.spec;
	}

	/**
	 * Specification of a widget.
	 */
	public static class Spec {

		private int size;

		/**
		 * Return the size.
		 * @return the size
		 */
		public int getSize() {
			return this.size;
		}

	}

}

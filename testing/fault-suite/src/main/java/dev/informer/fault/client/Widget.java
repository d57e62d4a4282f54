/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.util.Map;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Model of a custom resource.
 */
@CustomResource(group = "fault.informer.dev", version = "v1", plural = "widgets")
public class Widget implements KubernetesObject {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private @Nullable Map<String, String> data;

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
	 * Return the content.
	 */
	public @Nullable Map<String, String> getData() {
		return this.data;
	}

}

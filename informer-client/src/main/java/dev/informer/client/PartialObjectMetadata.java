/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of an object of any kind. The server sends only the metadata, which takes a
 * fraction of the traffic and memory of the complete object.
 *
 * @see ResourceType#metadataOnly()
 */
public final class PartialObjectMetadata implements KubernetesObject {

	/**
	 * API version of all objects in this form.
	 */
	public static final String API_VERSION = "meta.k8s.io/v1";

	/**
	 * Kind of all objects in this form.
	 */
	public static final String KIND = "PartialObjectMetadata";

	private String apiVersion = API_VERSION;

	private String kind = KIND;

	private V1ObjectMeta metadata;

	/**
	 * Create an object with empty metadata.
	 */
	public PartialObjectMetadata() {
		this(new V1ObjectMeta());
	}

	/**
	 * Create an object.
	 * @param metadata the metadata
	 */
	public PartialObjectMetadata(V1ObjectMeta metadata) {
		this.metadata = metadata;
	}

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof PartialObjectMetadata that && this.apiVersion.equals(that.apiVersion)
				&& this.kind.equals(that.kind) && this.metadata.equals(that.metadata);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.apiVersion, this.kind, this.metadata);
	}

	@Override
	public String toString() {
		return KIND + " " + this.metadata;
	}

}

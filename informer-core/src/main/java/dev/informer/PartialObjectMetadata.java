/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object of any kind, for whom it is enough. The server sends nothing
 * else, which costs a fraction of the traffic and of the memory.
 *
 * @see ResourceType#metadataOnly()
 */
public final class PartialObjectMetadata implements KubernetesObject {

	/**
	 * The version of all objects in this form.
	 */
	public static final String API_VERSION = "meta.k8s.io/v1";

	/**
	 * The kind of all objects in this form.
	 */
	public static final String KIND = "PartialObjectMetadata";

	private String apiVersion = API_VERSION;

	private String kind = KIND;

	private V1ObjectMeta metadata;

	/**
	 * Creates an object with empty metadata.
	 */
	public PartialObjectMetadata() {
		this(new V1ObjectMeta());
	}

	/**
	 * Creates an object.
	 * @param metadata its metadata
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

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.PartialObjectMetadata;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Factory of root decoders.
 */
final class RootDecoders {

	private RootDecoders() {
	}

	/**
	 * Return the decoder of a class.
	 * @throws IllegalArgumentException if its objects cannot be decoded
	 */
	@SuppressWarnings("unchecked")
	static <T> RootDecoder<T> of(Class<T> type, String apiVersion, String kind, boolean keepManagedFields) {
		if (type == DynamicKubernetesObject.class) {
			return (RootDecoder<T>) new DynamicRootDecoder(apiVersion, kind, keepManagedFields);
		}
		DecoderTables tables = new DecoderTables(JSON.getGson(), keepManagedFields);
		if (type == PartialObjectMetadata.class) {
			return (RootDecoder<T>) KindCheckingDecoder.metadataOnly(tables);
		}
		return new ModelRootDecoder<>(type, apiVersion, kind, tables);
	}

}

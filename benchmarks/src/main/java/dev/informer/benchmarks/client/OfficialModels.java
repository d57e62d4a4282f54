/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Resource versions of the official client's models.
 */
final class OfficialModels {

	private OfficialModels() {
	}

	static Map<String, String> resourceVersions(Collection<? extends KubernetesObject> objects) {
		return objects.stream()
			.map(KubernetesObject::getMetadata)
			.collect(Collectors.toMap((metadata) -> metadata.getNamespace() + "/" + metadata.getName(),
					(metadata) -> metadata.getResourceVersion()));
	}

}

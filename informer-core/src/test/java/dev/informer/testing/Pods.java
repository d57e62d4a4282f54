/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

/**
 * Makes pods.
 */
public final class Pods {

	private Pods() {
	}

	/**
	 * A pod in namespace {@code ns} whose UID follows from its name.
	 */
	public static V1Pod pod(String name, long resourceVersion) {
		return pod(name, "uid-" + name, resourceVersion);
	}

	public static V1Pod pod(String name, String uid, long resourceVersion) {
		return new V1Pod().metadata(
				new V1ObjectMeta().namespace("ns").name(name).uid(uid).resourceVersion(Long.toString(resourceVersion)))
			.spec(new V1PodSpec());
	}

	public static V1Pod onNode(V1Pod pod, String node) {
		pod.getSpec().setNodeName(node);
		return pod;
	}

}

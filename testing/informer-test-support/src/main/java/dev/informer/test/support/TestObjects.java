/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import org.jspecify.annotations.Nullable;

/**
 * Objects for tests, as models of the official client. Each can be created in an API
 * server, which assigns the UID and the resource version itself.
 */
public final class TestObjects {

	private TestObjects() {
	}

	/**
	 * Return a namespace.
	 * @param name the name of the namespace
	 * @return the namespace
	 */
	public static V1Namespace namespace(String name) {
		return new V1Namespace().apiVersion("v1").kind("Namespace").metadata(new V1ObjectMeta().name(name));
	}

	/**
	 * Return a config map without data and labels.
	 * @param namespace the namespace
	 * @param name the name of the config map
	 * @return the config map
	 */
	public static V1ConfigMap configMap(String namespace, String name) {
		return configMap(namespace, name, Map.of());
	}

	/**
	 * Return a config map without data.
	 * @param namespace the namespace
	 * @param name the name of the config map
	 * @param labels the labels
	 * @return the config map
	 */
	public static V1ConfigMap configMap(String namespace, String name, Map<String, String> labels) {
		return new V1ConfigMap().apiVersion("v1")
			.kind("ConfigMap")
			.metadata(new V1ObjectMeta().namespace(namespace).name(name).labels(labels));
	}

	/**
	 * Return a pod whose UID follows from its name.
	 * @param namespace the namespace
	 * @param name the name of the pod
	 * @return the pod, without a resource version
	 */
	public static V1Pod pod(String namespace, String name) {
		return pod(new V1ObjectMeta().namespace(namespace).name(name).uid("uid-" + name));
	}

	/**
	 * Return a pod in namespace {@code ns} whose UID follows from its name.
	 * @param name the name of the pod
	 * @param resourceVersion the resource version
	 * @return the pod
	 */
	public static V1Pod pod(String name, long resourceVersion) {
		return pod(name, "uid-" + name, resourceVersion);
	}

	/**
	 * Return a pod in namespace {@code ns}.
	 * @param name the name of the pod
	 * @param uid the UID
	 * @param resourceVersion the resource version
	 * @return the pod
	 */
	public static V1Pod pod(String name, String uid, long resourceVersion) {
		return pod(
				new V1ObjectMeta().namespace("ns").name(name).uid(uid).resourceVersion(Long.toString(resourceVersion)));
	}

	private static V1Pod pod(V1ObjectMeta metadata) {
		return new V1Pod().apiVersion("v1").kind("Pod").metadata(metadata).spec(new V1PodSpec());
	}

	/**
	 * Assign a pod to a node.
	 * @param pod the pod, which is changed
	 * @param node the name of the node, or {@code null} for none
	 * @return the same pod
	 */
	public static V1Pod onNode(V1Pod pod, @Nullable String node) {
		pod.getSpec().setNodeName(node);
		return pod;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.Map;

import dev.informer.client.ObjectKey;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeEtcd.Shape;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pods of a {@link ModelRun}, and transforms them.
 */
final class ModelPods {

	/** The label of pods that the transform throws for. */
	static final String POISON = "poison";

	private static final String TRANSFORMED = "transformed";

	private ModelPods() {
	}

	/**
	 * The transform: counts how often it has seen an object, and throws for some.
	 */
	static V1Pod transform(V1Pod pod) {
		if (POISON.equals(app(pod))) {
			throw new IllegalStateException("for the test");
		}
		pod.getMetadata().putAnnotationsItem(TRANSFORMED, annotation(pod) + "x");
		return pod;
	}

	static boolean isTransformedOnce(V1Pod pod) {
		return "x".equals(annotation(pod));
	}

	private static String annotation(V1Pod pod) {
		Map<String, String> annotations = pod.getMetadata().getAnnotations();
		return (annotations != null) ? annotations.getOrDefault(TRANSFORMED, "") : "";
	}

	static String app(V1Pod pod) {
		Map<String, String> labels = pod.getMetadata().getLabels();
		return (labels != null) ? labels.getOrDefault("app", "") : "";
	}

	static String phase(V1Pod pod) {
		return (pod.getStatus() != null) ? String.valueOf(pod.getStatus().getPhase()) : "";
	}

	static String uid(V1Pod pod) {
		return String.valueOf(pod.getMetadata().getUid());
	}

	static long version(V1Pod pod) {
		return Long.parseLong(String.valueOf(pod.getMetadata().getResourceVersion()));
	}

	/**
	 * Whether a pod is an object of the server in a certain state.
	 */
	static boolean isState(@Nullable V1Pod pod, Item item) {
		return pod != null && uid(pod).equals(item.uid()) && version(pod) == item.version()
				&& app(pod).equals(item.content().app()) && phase(pod).equals(item.content().phase());
	}

	/**
	 * Whether an object can be decoded, and transformed.
	 */
	static boolean isReadable(Item item, boolean transform) {
		return item.shape() == Shape.FINE && !(transform && item.content().app().equals(POISON));
	}

	static String text(@Nullable V1Pod pod) {
		return (pod != null)
				? ObjectKey.of(pod) + " " + uid(pod) + "@" + version(pod) + " " + app(pod) + "/" + phase(pod)
				: "nothing";
	}

}

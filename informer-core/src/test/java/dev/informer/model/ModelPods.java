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
 * Accessors of the pods of a {@link ModelRun}, and their transform.
 */
final class ModelPods {

	/** Label of pods for which the transform throws. */
	static final String POISON = "poison";

	private static final String TRANSFORMED = "transformed";

	private ModelPods() {
	}

	/**
	 * Transform a pod: count how often its transform was applied, or throw if it is
	 * poisoned.
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
		return (pod.getStatus() != null && pod.getStatus().getPhase() != null) ? pod.getStatus().getPhase() : "";
	}

	static String uid(V1Pod pod) {
		return String.valueOf(pod.getMetadata().getUid());
	}

	static long version(V1Pod pod) {
		return Long.parseLong(String.valueOf(pod.getMetadata().getResourceVersion()));
	}

	/**
	 * Return whether a pod is the decoded object of an item.
	 */
	static boolean isState(@Nullable V1Pod pod, Item item) {
		return pod != null && uid(pod).equals(item.uid()) && version(pod) == item.version()
				&& app(pod).equals(item.content().app()) && phase(pod).equals(item.content().phase());
	}

	/**
	 * Return whether an object can be decoded, and transformed.
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

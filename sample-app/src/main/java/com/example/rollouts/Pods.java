/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.util.labels.LabelSelector;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The pods in the cache of the informer.
 */
@Component
class Pods {

	private static final String BY_NODE = "by-node";

	private static final Comparator<PodSummary> ORDER = Comparator.comparing(PodSummary::namespace)
		.thenComparing(PodSummary::name);

	private final Lister<V1Pod> lister;

	Pods(SharedIndexInformer<V1Pod> informer) {
		informer.addIndex(BY_NODE, Pods::node);
		this.lister = informer.lister();
	}

	List<PodSummary> all() {
		return summaries(this.lister.list().stream());
	}

	List<PodSummary> onNode(String node) {
		return summaries(this.lister.byIndex(BY_NODE, node).stream());
	}

	List<PodSummary> of(V1Deployment deployment) {
		LabelSelector selector = LabelSelector.parse(deployment.getSpec().getSelector());
		return summaries(this.lister.list(deployment.getMetadata().getNamespace())
			.stream()
			.filter((pod) -> selector.test(labels(pod))));
	}

	private static List<PodSummary> summaries(Stream<V1Pod> pods) {
		return pods.map(PodSummary::of).sorted(ORDER).toList();
	}

	private static Map<String, String> labels(V1Pod pod) {
		return Optional.ofNullable(pod.getMetadata().getLabels()).orElseGet(Map::of);
	}

	static @Nullable String node(V1Pod pod) {
		return Optional.ofNullable(pod.getSpec()).map(V1PodSpec::getNodeName).orElse(null);
	}

}

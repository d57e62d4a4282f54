/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.stream.Collectors;

import dev.informer.spring.NoKubernetesClusterException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes a {@link NoKubernetesClusterException}.
 */
class NoKubernetesClusterFailureAnalyzer extends AbstractFailureAnalyzer<NoKubernetesClusterException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoKubernetesClusterException cause) {
		String places = cause.lookedAt()
			.stream()
			.map((place) -> "    - " + place)
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis(
				"The informers have no Kubernetes cluster to connect to. This is where was looked, in this order:"
						+ System.lineSeparator() + System.lineSeparator() + places,
				"Run where there is a kubeconfig or in a cluster, name the API server by informer.connection.url or "
						+ "a kubeconfig by informer.connection.kubeconfig, define an ApiClient or a "
						+ "KubernetesConnectionDetails bean, or, where no cluster is needed (in a test), set "
						+ "informer.auto-startup=false.",
				cause);
	}

}

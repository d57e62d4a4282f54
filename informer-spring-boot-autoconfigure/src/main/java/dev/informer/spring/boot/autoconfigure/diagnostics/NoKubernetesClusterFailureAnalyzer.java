/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.client.connection.NoKubernetesClusterException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link NoKubernetesClusterException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class NoKubernetesClusterFailureAnalyzer extends AbstractFailureAnalyzer<NoKubernetesClusterException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoKubernetesClusterException cause) {
		String locations = Stream
			.concat(Stream.of("property 'informer.connection.url': not set",
					"property 'informer.connection.kubeconfig': not set"), cause.locations().stream())
			.map((location) -> "    - " + location)
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis(
				"No Kubernetes cluster was found for the informers. The following locations were checked, in order:"
						+ System.lineSeparator() + System.lineSeparator() + locations,
				"Run the application with a kubeconfig or in a cluster, set informer.connection.url or "
						+ "informer.connection.kubeconfig, define an ApiClient or a "
						+ "KubernetesConnectionDetails bean, or, if no cluster is required (in a test), set "
						+ "informer.auto-startup=false; if a bean injects the ApiClient, set "
						+ "informer.connection.url=https://localhost as well, to which nothing is sent.",
				cause);
	}

}

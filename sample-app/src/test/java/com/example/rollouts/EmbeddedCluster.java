package com.example.rollouts;

import dev.informer.spring.connection.KubernetesConnectionDetails;
import dev.informer.test.EmbeddedKubernetes;

import org.springframework.context.annotation.Bean;

/**
 * A Kubernetes API server within the application's own process, and the connection to it.
 * Not annotated, so that only those get it who ask for it, not whoever scans this
 * package.
 */
class EmbeddedCluster {

	@Bean
	EmbeddedKubernetes embeddedKubernetes() {
		return EmbeddedKubernetes.start();
	}

	@Bean
	KubernetesConnectionDetails embeddedConnectionDetails(EmbeddedKubernetes kubernetes) {
		return new EmbeddedConnectionDetails(kubernetes.url());
	}

	/**
	 * A class with a name, because the log says where the connection comes from.
	 */
	private record EmbeddedConnectionDetails(String getUrl) implements KubernetesConnectionDetails {
	}

}

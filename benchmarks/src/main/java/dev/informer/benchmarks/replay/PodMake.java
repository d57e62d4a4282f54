/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.List;
import java.util.Locale;

/**
 * What the pods look like.
 */
public enum PodMake {

	/** One or two containers per pod, of deployments and of stateful sets. */
	WEB("pod-of-deployment.json", "pod-of-statefulset.json"),

	/**
	 * A container and a sidecar, each with an environment, two probes and the pod's own
	 * token.
	 */
	SIDECAR("pod-with-sidecar.json"),

	/**
	 * Pods as the kube-apiserver returned them, made by its controller-manager and run by
	 * kwok.
	 */
	RECORDED("recorded-pod-of-deployment.json", "recorded-pod-of-statefulset.json");

	private final List<String> templates;

	PodMake(String... templates) {
		this.templates = List.of(templates);
	}

	List<String> templates() {
		return this.templates;
	}

	/**
	 * Return the make with a name, in lower case.
	 */
	static PodMake of(String name) {
		return name.isEmpty() ? WEB : valueOf(name.toUpperCase(Locale.ROOT));
	}

}

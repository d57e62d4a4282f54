/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.Yaml;

/**
 * Manifests that deploy the application to a cluster.
 */
final class Manifests {

	private static final List<String> FILES = List.of("../../sample-app/k8s/deployment.yaml",
			"../../sample-app/k8s/rbac.yaml");

	private Manifests() {
	}

	static List<KubernetesObject> all() throws IOException {
		List<KubernetesObject> all = new ArrayList<>();
		for (String file : FILES) {
			Yaml.loadAll(new File(file)).forEach((object) -> all.add((KubernetesObject) object));
		}
		return all;
	}

	static <T extends KubernetesObject> T read(Class<T> type) throws IOException {
		return all().stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
	}

}

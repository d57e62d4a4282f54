/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.test.context.TestConfiguration;

/**
 * The definition of the custom resource, on the embedded API server.
 */
@TestConfiguration(proxyBeanMethods = false)
class WebAppDefinition implements EmbeddedKubernetesCustomizer {

	@Override
	public void populate(EmbeddedKubernetes kubernetes) {
		kubernetes.create(read("webapps-crd.yaml"));
	}

	static Object read(String manifest) {
		try {
			return new Yaml().load(Files.readString(Path.of("k8s", manifest)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

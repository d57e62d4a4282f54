/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import dev.informer.spring.InformerRegistry;
import dev.informer.spring.config.RbacManifest;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that has the least rights that the informers of this
 * application need, as YAML to apply.
 */
@Endpoint(id = "informerrbac")
public class InformerRbacEndpoint {

	private final InformerRegistry registry;

	private final String name;

	InformerRbacEndpoint(InformerRegistry registry, String name) {
		this.registry = registry;
		this.name = name;
	}

	/**
	 * The manifests of a ClusterRole, of Roles, or of both.
	 * @return YAML
	 */
	@ReadOperation(produces = { "application/yaml", "text/plain" })
	public String manifest() {
		RbacManifest manifest = new RbacManifest();
		this.registry.informers()
			.forEach((informer) -> manifest.add(informer.resourceType(), informer.options().namespaces()));
		return manifest.toYaml(this.name);
	}

}

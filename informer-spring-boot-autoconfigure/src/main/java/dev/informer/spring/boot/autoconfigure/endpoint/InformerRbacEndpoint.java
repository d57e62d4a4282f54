/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import dev.informer.spring.config.RequiredRights;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that returns a manifest with the least privileges that the
 * informers, the reconcilers and the declared writes of this application require.
 */
@Endpoint(id = "informerrbac")
public class InformerRbacEndpoint {

	private final RequiredRights rights;

	InformerRbacEndpoint(RequiredRights rights) {
		this.rights = rights;
	}

	/**
	 * Return the manifest: a ClusterRole, Roles, or both.
	 * @return the manifest as YAML
	 */
	@ReadOperation(produces = { "application/yaml", "text/plain" })
	public String manifest() {
		return this.rights.manifest();
	}

}

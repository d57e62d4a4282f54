/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import dev.informer.SharedIndexInformer;
import dev.informer.leader.LeaderElector;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.config.DefaultLeaderElections;
import dev.informer.spring.config.RbacManifest;
import dev.informer.spring.config.ShardMembership;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that returns a manifest with the least privileges that the
 * informers of this application require.
 */
@Endpoint(id = "informerrbac")
public class InformerRbacEndpoint {

	private final InformerRegistry registry;

	private final DefaultLeaderElections elections;

	private final ShardMembership membership;

	private final String name;

	InformerRbacEndpoint(InformerRegistry registry, DefaultLeaderElections elections, ShardMembership membership,
			String name) {
		this.registry = registry;
		this.elections = elections;
		this.membership = membership;
		this.name = name;
	}

	/**
	 * Return the manifest: a ClusterRole, Roles, or both.
	 * @return the manifest as YAML
	 */
	@ReadOperation(produces = { "application/yaml", "text/plain" })
	public String manifest() {
		RbacManifest manifest = new RbacManifest();
		this.registry.informers().forEach((informer) -> add(informer, manifest));
		this.elections.electors()
			.stream()
			.map(LeaderElector::options)
			.forEach((options) -> manifest.addLease(options.leaseNamespace(), options.leaseName()));
		this.membership.member().ifPresent((member) -> manifest.addLeases(member.options().namespace()));
		return manifest.toYaml(this.name);
	}

	private static void add(SharedIndexInformer<?> informer, RbacManifest manifest) {
		String selector = informer.options().namespaceSelector();
		if (selector != null) {
			manifest.addSelected(informer.resourceType(), selector, informer.statesByNamespace().keySet());
		}
		else {
			manifest.add(informer.resourceType(), informer.options().namespaces());
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.util.Set;

import dev.informer.SharedIndexInformer;
import dev.informer.leader.LeaderElector;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.RbacManifest;
import dev.informer.spring.config.Replicas;
import dev.informer.writer.ObjectWrite.Operation;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that returns a manifest with the least privileges that the
 * informers, the reconcilers and the declared writes of this application require.
 */
@Endpoint(id = "informerrbac")
public class InformerRbacEndpoint {

	private final InformerRegistry registry;

	private final InformerSettings settings;

	private final Reconcilers reconcilers;

	private final Replicas replicas;

	private final String name;

	InformerRbacEndpoint(InformerRegistry registry, InformerSettings settings, Reconcilers reconcilers,
			Replicas replicas, String name) {
		this.registry = registry;
		this.settings = settings;
		this.reconcilers = reconcilers;
		this.replicas = replicas;
		this.name = name;
	}

	/**
	 * Return the manifest: a ClusterRole, Roles, or both.
	 * @return the manifest as YAML
	 */
	@ReadOperation(produces = { "application/yaml", "text/plain" })
	public String manifest() {
		RbacManifest manifest = new RbacManifest();
		this.registry.informers().forEach(manifest::add);
		this.reconcilers.registrations()
			.forEach((reconciler) -> add(reconciler.options(), reconciler.informer(), manifest));
		this.settings.addWritesTo(manifest);
		this.replicas.electors()
			.stream()
			.map(LeaderElector::options)
			.forEach((options) -> manifest.addLease(options.leaseNamespace(), options.leaseName()));
		this.replicas.member().ifPresent((member) -> manifest.addLeases(member.options().namespace()));
		return manifest.toYaml(this.name);
	}

	/**
	 * Add the permissions to write owned objects, the finalizer of primary objects, and
	 * the status of those of a custom resource. None on {@code <plural>/finalizers} is
	 * required, because the writer sets no {@code blockOwnerDeletion}.
	 */
	private static void add(ReconcilerOptions<?> reconciler, SharedIndexInformer<?> primaries, RbacManifest manifest) {
		reconciler.owned()
			.forEach((informer) -> manifest.addWrites(informer,
					reconciler.writes().getOrDefault(informer, Set.of(Operation.APPLY))));
		Set<Operation> ofPrimary = primaries.resourceType().isBuiltIn() ? Set.of() : Set.of(Operation.UPDATE_STATUS);
		manifest.addWrites(primaries, reconciler.writes().getOrDefault(primaries, ofPrimary));
		if (reconciler.finalizer() != null) {
			manifest.addWrites(primaries, Set.of(Operation.PATCH));
		}
	}

}

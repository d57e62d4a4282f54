/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Set;

import dev.informer.SharedIndexInformer;
import dev.informer.leader.LeaderElector;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerRegistry;
import dev.informer.writer.ObjectWrite.Operation;

/**
 * Rights that the informers, the reconcilers, the declared writes and the replicas of an
 * application require, granted or not.
 */
public final class RequiredRights {

	/** Text before a manifest. */
	public static final String INTRODUCTION = "The following manifest grants all rights of the application, to read "
			+ "and to write, once it is bound to the service account:\n\n";

	private final InformerRegistry registry;

	private final InformerSettings settings;

	private final Reconcilers reconcilers;

	private final Replicas replicas;

	private final String name;

	/**
	 * Create the rights, with the name of their roles.
	 */
	public RequiredRights(InformerRegistry registry, InformerSettings settings, Reconcilers reconcilers,
			Replicas replicas, String name) {
		this.registry = registry;
		this.settings = settings;
		this.reconcilers = reconcilers;
		this.replicas = replicas;
		this.name = name;
	}

	/**
	 * Return the manifest that grants them once it is bound: a ClusterRole, Roles, or
	 * both.
	 */
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
			.forEach((informer) -> manifest.addWrites(informer, primaries,
					reconciler.writes().getOrDefault(informer, Set.of(Operation.APPLY))));
		Set<Operation> ofPrimary = primaries.resourceType().isBuiltIn() ? Set.of() : Set.of(Operation.UPDATE_STATUS);
		manifest.addWrites(primaries, reconciler.writes().getOrDefault(primaries, ofPrimary));
		if (reconciler.finalizer() != null) {
			manifest.addWrites(primaries, Set.of(Operation.PATCH));
		}
	}

}

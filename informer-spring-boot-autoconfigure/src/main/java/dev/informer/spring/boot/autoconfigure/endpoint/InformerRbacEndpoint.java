/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.util.Set;
import java.util.TreeSet;

import dev.informer.SharedIndexInformer;
import dev.informer.leader.LeaderElector;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.RbacManifest;
import dev.informer.spring.config.Replicas;

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
		this.registry.informers().forEach((informer) -> add(informer, manifest, "list", "watch"));
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
		reconciler.owned().forEach((informer) -> add(informer, manifest, "create", "patch", "delete"));
		if (reconciler.finalizer() != null) {
			add(primaries, manifest, "patch");
		}
		String group = primaries.resourceType().group();
		if (group.contains(".") && !group.endsWith(".k8s.io")) {
			manifest.addStatus(primaries.resourceType(), primaries.options().namespaceSelector(),
					namespaces(primaries));
		}
	}

	private static void add(SharedIndexInformer<?> informer, RbacManifest manifest, String... verbs) {
		manifest.add(informer.resourceType(), informer.options().namespaceSelector(), namespaces(informer), verbs);
	}

	private static Set<String> namespaces(SharedIndexInformer<?> informer) {
		Set<String> namespaces = new TreeSet<>(informer.options().namespaces());
		if (informer.options().namespaceSelector() != null) {
			namespaces.addAll(informer.statesByNamespace().keySet());
			namespaces.addAll(informer.omittedNamespaces());
		}
		return namespaces;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

/**
 * A resource that the server serves: where it is found and what its objects are called.
 *
 * @param group the API group, empty for the core group
 * @param version the version, for instance {@code v1}
 * @param plural the name in paths, for instance {@code pods}
 * @param kind the kind of its objects, for instance {@code Pod}
 * @param namespaced whether its objects live in namespaces
 * @param status whether it has a {@code status} subresource
 * @param builtIn whether it is one of Kubernetes' own resources; the others are shaped on
 * the wire as custom resources are
 */
public record ResourceDefinition(String group, String version, String plural, String kind, boolean namespaced,
		boolean status, boolean builtIn) {

	/**
	 * A custom resource whose objects live in namespaces, without status subresource.
	 * @param group the API group
	 * @param version the version
	 * @param plural the name in paths
	 * @param kind the kind of its objects
	 * @return the definition
	 */
	public static ResourceDefinition namespaced(String group, String version, String plural, String kind) {
		return new ResourceDefinition(group, version, plural, kind, true, false, false);
	}

	/**
	 * A custom resource whose objects belong to the whole cluster, without status
	 * subresource.
	 * @param group the API group
	 * @param version the version
	 * @param plural the name in paths
	 * @param kind the kind of its objects
	 * @return the definition
	 */
	public static ResourceDefinition clusterScoped(String group, String version, String plural, String kind) {
		return new ResourceDefinition(group, version, plural, kind, false, false, false);
	}

	/**
	 * The same resource with a status subresource.
	 * @return the definition
	 */
	public ResourceDefinition withStatus() {
		return new ResourceDefinition(this.group, this.version, this.plural, this.kind, this.namespaced, true,
				this.builtIn);
	}

	/**
	 * The API version as objects carry it.
	 * @return for instance {@code v1} or {@code apps/v1}
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * The name that tells this resource from all others, whatever the version.
	 * @return for instance {@code pods} or {@code deployments.apps}
	 */
	public String resource() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

/**
 * Definition of a resource: its paths and the type of its objects.
 *
 * @param group the API group, empty for the core group
 * @param version the version, for instance {@code v1}
 * @param plural the name in paths, for instance {@code pods}
 * @param kind the kind of its objects, for instance {@code Pod}
 * @param namespaced whether its objects are namespaced
 * @param status whether it has a {@code status} subresource
 * @param builtIn whether it is built into Kubernetes; other resources are encoded like
 * custom resources
 */
public record ResourceDefinition(String group, String version, String plural, String kind, boolean namespaced,
		boolean status, boolean builtIn) {

	/**
	 * Create a namespaced custom resource without a status subresource.
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
	 * Create a cluster-scoped custom resource without a status subresource.
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
	 * Return a copy of this definition with a status subresource.
	 * @return the copy
	 */
	public ResourceDefinition withStatus() {
		return new ResourceDefinition(this.group, this.version, this.plural, this.kind, this.namespaced, true,
				this.builtIn);
	}

	/**
	 * Return the {@code apiVersion} of the objects.
	 * @return the API version, for instance {@code v1} or {@code apps/v1}
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * Return the name of the resource with its group, without its version.
	 * @return the name, for instance {@code pods} or {@code deployments.apps}
	 */
	public String resource() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

}

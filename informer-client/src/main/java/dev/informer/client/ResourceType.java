/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Resource of the Kubernetes API, and the class of its objects. Immutable.
 *
 * @param <T> the type of the objects
 * @param type the class of the objects
 * @param group the API group; empty for the core group
 * @param version the version within the group; empty if unknown, see
 * {@link #named(Class, String)}
 * @param plural the plural name, as used in API paths
 * @param kind the kind of the objects; empty if unknown
 * @param namespaced whether the resource is namespaced
 */
public record ResourceType<T extends KubernetesObject>(Class<T> type, String group, String version, String plural,
		String kind, boolean namespaced) {

	private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

	private static final Pattern GROUP = Pattern
		.compile("(?=.{0,253}$)([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*)?");

	private static final String SEGMENT = "[a-z0-9-]+";

	/**
	 * Plural, version and group of a name. A version before a group is any label that
	 * begins like one, such as {@code v1api20200601}.
	 */
	private static final Pattern NAME = Pattern
		.compile("(" + SEGMENT + ")(?:\\.(v[0-9]+(?:(?:alpha|beta)[0-9]+)?|v[0-9][-a-z0-9]*(?=\\.)))?(?:\\.(" + SEGMENT
				+ "(?:\\." + SEGMENT + ")*))?");

	private static final Pattern KIND = Pattern.compile("[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?");

	/**
	 * Return the resource that a class is the model of.
	 * @param <T> the type of the objects
	 * @param type a model class of the official client, or a class annotated with
	 * {@link CustomResource}
	 * @return the resource
	 * @throws IllegalArgumentException if the class is neither, or an attribute of its
	 * annotation is invalid
	 */
	public static <T extends KubernetesObject> ResourceType<T> of(Class<T> type) {
		CustomResource custom = type.getAnnotation(CustomResource.class);
		if (custom != null) {
			String kind = custom.kind().isEmpty() ? type.getSimpleName() : custom.kind();
			check(type, "group", custom.group(), GROUP, "example.com");
			check(type, "version", custom.version(), LABEL, "v1");
			check(type, "plural", custom.plural(), LABEL, "tenants");
			check(type, "kind", kind, KIND, "Tenant");
			return new ResourceType<>(type, custom.group(), custom.version(), custom.plural(), kind,
					custom.namespaced());
		}
		ResourceType<T> model = OfficialModels.find(type);
		if (model == null && type == PartialObjectMetadata.class) {
			throw new IllegalArgumentException(type.getName() + " is the metadata of objects of any resource. Name the "
					+ "resource, such as ResourceType.of(V1Pod.class).metadataOnly()");
		}
		if (model == null && type == DynamicKubernetesObject.class) {
			throw new IllegalArgumentException(type.getName() + " is the class of objects of any resource. Name the "
					+ "resource, such as ResourceType.named(DynamicKubernetesObject.class, \"tenants.example.com\")");
		}
		if (model == null) {
			throw new IllegalArgumentException(type.getName() + " is not a resource that can be listed and watched. "
					+ "Use a model class of the official client that has a list endpoint, "
					+ "or annotate the class with @CustomResource(group, version, plural)");
		}
		return model;
	}

	private static void check(Class<?> type, String attribute, String value, Pattern pattern, String example) {
		if (!pattern.matcher(value).matches()) {
			throw new IllegalArgumentException(type.getName() + " is annotated with @CustomResource, but its "
					+ attribute + " '" + value + "' is invalid. Use the " + attribute
					+ " of the CustomResourceDefinition, such as " + example);
		}
	}

	/**
	 * Return a resource of untyped objects.
	 * @param group the API group; empty for the core group
	 * @param version the version within the group
	 * @param plural the plural name, as used in API paths
	 * @param kind the kind of the objects
	 * @param namespaced whether the resource is namespaced
	 * @return the resource
	 */
	public static ResourceType<DynamicKubernetesObject> dynamic(String group, String version, String plural,
			String kind, boolean namespaced) {
		return new ResourceType<>(DynamicKubernetesObject.class, group, version, plural, kind, namespaced);
	}

	/**
	 * Return a resource that is discovered later. An informer of it discovers version,
	 * and kind at the API server when it starts, before its first list, and again after
	 * the server has stopped serving the resource. A failed discovery is retried like a
	 * failed list. This method does not contact the server.
	 * @param <T> the type of the objects
	 * @param type the class of the objects; {@link CustomResource} is not required
	 * @param resource {@code plural.version.group}, or {@code plural.group} for the
	 * version that the server prefers, or the first other one that has the resource; the
	 * core group is omitted. Of a name that can be read as both, the first is used if the
	 * server has it, as {@code kubectl} does
	 * @return the resource
	 * @throws IllegalArgumentException if the name is invalid
	 */
	public static <T extends KubernetesObject> ResourceType<T> named(Class<T> type, String resource) {
		Matcher name = NAME.matcher(resource);
		if (!name.matches()) {
			throw new IllegalArgumentException(
					"'" + resource + "' is not the name of a resource. Use plural.version.group in lower case, "
							+ "such as certificates.v1.cert-manager.io");
		}
		return new ResourceType<>(type, Objects.requireNonNullElse(name.group(3), ""),
				Objects.requireNonNullElse(name.group(2), ""), name.group(1), "", true);
	}

	/**
	 * Return the other reading of a name: with the version as a part of the group, or the
	 * first part of the group as the version; {@code null} if there is none.
	 */
	@Nullable ResourceType<T> otherReading() {
		int dot = this.group.indexOf('.');
		if (!this.version.isEmpty() && !this.group.isEmpty()) {
			return versioned("", this.version + "." + this.group);
		}
		return (dot > 0) ? versioned(this.group.substring(0, dot), this.group.substring(dot + 1)) : null;
	}

	private ResourceType<T> versioned(String version, String group) {
		return new ResourceType<>(this.type, group, version, this.plural, this.kind, this.namespaced);
	}

	/**
	 * Return the resources for which the official client has a model. The key is the
	 * plural ({@code pods}) and the plural with its group ({@code deployments.apps}). Of
	 * several versions the newest stable one is returned; a plural that exists in several
	 * groups denotes the core group.
	 * @return the resources by name, sorted
	 */
	public static Map<String, ResourceType<?>> official() {
		return OfficialModels.byName();
	}

	/**
	 * Return whether the resource is one of Kubernetes, in any version: one for which the
	 * official client has a model.
	 * @return {@code false} for a custom resource, whatever the name of its group
	 */
	public boolean isBuiltIn() {
		return OfficialModels.isResource(qualifiedName());
	}

	/**
	 * Return the same resource with objects reduced to their metadata. An informer of it
	 * asks the server to send only the metadata.
	 * @return the resource with metadata-only objects
	 */
	public ResourceType<PartialObjectMetadata> metadataOnly() {
		return new ResourceType<>(PartialObjectMetadata.class, this.group, this.version, this.plural, this.kind,
				this.namespaced);
	}

	/**
	 * Return whether the resource can be requested without discovery.
	 * @return {@code false} for a resource that is {@linkplain #named(Class, String)
	 * discovered later}
	 */
	public boolean isComplete() {
		return !this.version.isEmpty() && !this.kind.isEmpty();
	}

	/**
	 * Return the API version as objects contain it: {@code v1} or {@code apps/v1}.
	 * @return group and version
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * Return the plural with its group, as used in RBAC rules and by {@code kubectl}:
	 * {@code pods} or {@code deployments.apps}.
	 * @return plural and group
	 */
	public String qualifiedName() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

	/**
	 * Return the path of the list at the API server.
	 * @param namespace the namespace; {@code null} for all namespaces
	 * @return the path, with a leading slash
	 */
	public String path(@Nullable String namespace) {
		String root = this.group.isEmpty() ? "/api/" : "/apis/" + this.group + "/";
		String namespacePath = (namespace != null) ? "/namespaces/" + namespace : "";
		return root + this.version + namespacePath + "/" + this.plural;
	}

	@Override
	public String toString() {
		String form = (this.type == PartialObjectMetadata.class) ? " (metadata only)" : "";
		return qualifiedName() + (this.version.isEmpty() ? "" : "/" + this.version) + form;
	}

}

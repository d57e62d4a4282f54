/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * A resource of the Kubernetes API and the class of its objects.
 *
 * @param <T> the type of the objects
 * @param type the class of the objects
 * @param group the API group; empty for the core group
 * @param version the version within the group; empty where it is not known, see
 * {@link #named(Class, String)}
 * @param plural the name in the path of the API
 * @param kind the kind of the objects; empty where it is not known
 * @param namespaced whether the objects live in namespaces
 */
public record ResourceType<T extends KubernetesObject>(Class<T> type, String group, String version, String plural,
		String kind, boolean namespaced) {

	/**
	 * Finds out which resource a class is the model of.
	 * @param <T> the type of the objects
	 * @param type a model of the official client, or a class with {@link CustomResource}
	 * @return the resource
	 * @throws IllegalArgumentException when the class is neither, with what to do about
	 * it
	 */
	public static <T extends KubernetesObject> ResourceType<T> of(Class<T> type) {
		CustomResource custom = type.getAnnotation(CustomResource.class);
		if (custom != null) {
			String kind = custom.kind().isEmpty() ? type.getSimpleName() : custom.kind();
			return new ResourceType<>(type, custom.group(), custom.version(), custom.plural(), kind,
					custom.namespaced());
		}
		ResourceType<T> model = OfficialModels.find(type);
		if (model == null) {
			throw new IllegalArgumentException(type.getName()
					+ " is no resource that can be listed and watched: it is neither a model of the "
					+ "official client with a list endpoint nor annotated with @CustomResource(group, version, plural)");
		}
		return model;
	}

	/**
	 * A resource whose objects have no class of their own.
	 * @param group the API group; empty for the core group
	 * @param version the version within the group
	 * @param plural the name in the path of the API
	 * @param kind the kind of the objects
	 * @param namespaced whether the objects live in namespaces
	 * @return the resource
	 * @see InformerFactory#discover(Class, String)
	 */
	public static ResourceType<DynamicKubernetesObject> dynamic(String group, String version, String plural,
			String kind, boolean namespaced) {
		return new ResourceType<>(DynamicKubernetesObject.class, group, version, plural, kind, namespaced);
	}

	/**
	 * A resource of which nothing but the name is known. An informer of it asks the API
	 * server for the rest when it is started, before its first list, and again when the
	 * server has ceased to serve what it was; where that fails, it is tried again as a
	 * list is. Until then nothing is contacted.
	 * @param <T> the type of the objects
	 * @param type the class of its objects, which needs no {@link CustomResource}
	 * @param resource {@code plural.version.group}, or {@code plural.group} for the
	 * version that the server prefers; the core group is left out
	 * @return the resource
	 * @throws IllegalArgumentException when the text is no name of a resource
	 */
	public static <T extends KubernetesObject> ResourceType<T> named(Class<T> type, String resource) {
		ResourceName name = ResourceName.parse(resource);
		return new ResourceType<>(type, name.group(), Objects.requireNonNullElse(name.version(), ""), name.plural(), "",
				true);
	}

	/**
	 * The resources that the official client has models of, by what they are called: the
	 * plural ({@code pods}), and the plural with its group ({@code deployments.apps}). Of
	 * several versions it is the newest stable one, and a plural without a group that
	 * several groups have is that of the core group.
	 * @return the resources by name, sorted
	 */
	public static Map<String, ResourceType<?>> official() {
		return OfficialModels.byName();
	}

	/**
	 * The same resource, but of its objects the metadata alone: an informer of it asks
	 * the server to send nothing else.
	 * @return the resource whose objects are metadata
	 */
	public ResourceType<PartialObjectMetadata> metadataOnly() {
		return new ResourceType<>(PartialObjectMetadata.class, this.group, this.version, this.plural, this.kind,
				this.namespaced);
	}

	/**
	 * Whether everything is known of the resource that a request needs.
	 * @return whether nobody has to be asked; {@code false} for what is
	 * {@linkplain #named(Class, String) known by name}
	 */
	public boolean isComplete() {
		return !this.version.isEmpty() && !this.kind.isEmpty();
	}

	/**
	 * The version as objects say it: {@code v1}, or {@code apps/v1}.
	 * @return group and version
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * The plural with its group, as RBAC rules and {@code kubectl} say it: {@code pods},
	 * or {@code deployments.apps}.
	 * @return plural and group
	 */
	public String qualifiedName() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

	/**
	 * The path of the list at the API server.
	 * @param namespace the namespace; {@code null} for all of them
	 * @return the path, with a leading slash
	 */
	public String path(@Nullable String namespace) {
		String root = this.group.isEmpty() ? "/api/" : "/apis/" + this.group + "/";
		String scope = (namespace != null) ? "/namespaces/" + namespace : "";
		return root + this.version + scope + "/" + this.plural;
	}

	@Override
	public String toString() {
		String form = (this.type == PartialObjectMetadata.class) ? " (metadata only)" : "";
		return qualifiedName() + (this.version.isEmpty() ? "" : "/" + this.version) + form;
	}

}

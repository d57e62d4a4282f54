/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.client.CustomResource;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Resolves the resources of classes, and of the properties below a prefix such as
 * {@code informer.resources}. Not thread-safe.
 */
public final class ResourceResolver {

	private final String prefix;

	private final List<ResourceType<?>> used;

	/** Resources of the official client, read at the first use because that is slow. */
	private final SingletonSupplier<Map<String, ResourceType<?>>> official = SingletonSupplier
		.of(ResourceType::official);

	ResourceResolver(String prefix, List<ResourceType<?>> used) {
		this.prefix = prefix;
		this.used = used;
	}

	/**
	 * Find the resource of a class, which official models and classes with
	 * {@link dev.informer.client.CustomResource} have.
	 */
	public static Optional<ResourceType<?>> find(Class<? extends KubernetesObject> type) {
		try {
			return Optional.of(ResourceType.of(type));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Return the name of the default informer of a resource: its plural without
	 * characters that are invalid in a name.
	 */
	public static String defaultName(ResourceType<?> resourceType) {
		return resourceType.plural().replaceAll("[^a-z0-9]", "");
	}

	/**
	 * Describe why an informer of a class without a resource must be declared.
	 */
	static String describeUnknown(Class<? extends KubernetesObject> type) {
		if (type == DynamicKubernetesObject.class || type == PartialObjectMetadata.class) {
			return type.getName() + " belongs to no resource, and no property declares an informer of it";
		}
		if (type.isAnnotationPresent(CustomResource.class)) {
			return annotationFailure(type);
		}
		return type.getName() + " has no resource: it is not a model of the official client with a list endpoint, is "
				+ "not annotated with @CustomResource(group, version, plural), and no property declares an informer "
				+ "of it";
	}

	private static String annotationFailure(Class<? extends KubernetesObject> type) {
		try {
			return ResourceType.of(type) + " cannot be used";
		}
		catch (IllegalArgumentException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	/**
	 * Describe how to declare an informer of a class without a resource.
	 */
	public static String remedy(Class<? extends KubernetesObject> type) {
		if (type == DynamicKubernetesObject.class) {
			return "Declare an informer by its resource, such as "
					+ "informer.resources.certificates.resource=certificates.cert-manager.io.";
		}
		if (type == PartialObjectMetadata.class) {
			return "Declare an informer of the metadata by informer.resources.<name>.metadata-only=true and "
					+ "informer.resources.<name>.resource, such as pods.";
		}
		if (type.isAnnotationPresent(CustomResource.class)) {
			return "Correct the annotation @CustomResource of the class " + type.getName() + ".";
		}
		return "Use a model of the official client or a class that is annotated with @CustomResource(group, version, "
				+ "plural), or declare the resource by informer.resources.<name>.type=" + type.getName()
				+ " and informer.resources.<name>.resource=<plural>.<group>.";
	}

	/**
	 * Resolve the resource of an informer.
	 * @throws InvalidInformerPropertyException if there is no such resource
	 */
	ResourceType<?> resolve(String name, DeclaredResource declared) {
		if (!Names.isSimple(name)) {
			throw new InvalidInformerPropertyException(this.prefix + name,
					"'" + name + "' is not a valid name, which consists of lowercase letters and digits and starts "
							+ "with a letter",
					"Choose another name, and set the resource by '" + this.prefix + "<name>.resource' or '"
							+ this.prefix + "<name>.type'.");
		}
		ResourceType<?> resourceType = (declared.type() != null) ? ofType(name, declared.type(), declared.resource())
				: ofText(name, declared.resource());
		return declared.metadataOnly() ? resourceType.metadataOnly() : resourceType;
	}

	private ResourceType<?> ofType(String name, Class<?> type, @Nullable String resource) {
		String key = this.prefix + name + ".type";
		if (!KubernetesObject.class.isAssignableFrom(type)) {
			throw new InvalidInformerPropertyException(key, type.getName() + " is not a KubernetesObject",
					"Name a model of the official client such as io.kubernetes.client.openapi.models.V1Pod, "
							+ "or a class that implements KubernetesObject and is annotated with @CustomResource.");
		}
		if (type == PartialObjectMetadata.class) {
			throw new InvalidInformerPropertyException(key, "PartialObjectMetadata is the metadata of any resource",
					"Name the resource instead; for an informer, set informer.resources." + name
							+ ".metadata-only=true.");
		}
		Class<? extends KubernetesObject> objects = type.asSubclass(KubernetesObject.class);
		Optional<ResourceType<?>> known = find(objects);
		if (known.isEmpty() && type.isAnnotationPresent(CustomResource.class)) {
			throw new InvalidInformerPropertyException(key, describeUnknown(objects), remedy(objects));
		}
		if (known.isPresent() && resource != null) {
			throw new InvalidInformerPropertyException(key,
					this.prefix + name + ".resource is set as well, but the class belongs to " + known.get(),
					"Set one of the two.");
		}
		return known.orElseGet(() -> ofTypeWithoutResource(name, objects, resource));
	}

	private ResourceType<?> ofTypeWithoutResource(String name, Class<? extends KubernetesObject> type,
			@Nullable String resource) {
		if (resource == null && find(name).isEmpty()) {
			throw new InvalidInformerPropertyException(this.prefix + name + ".type",
					type.getName() + " does not determine a resource",
					"Set " + this.prefix + name + ".resource (plural and group, such as tenants.example.com), "
							+ "or annotate the class with @CustomResource(group, version, plural).");
		}
		ResourceType<?> found = ofText(name, resource);
		return new ResourceType<>(type, found.group(), found.version(), found.plural(), found.kind(),
				found.namespaced());
	}

	private ResourceType<?> ofText(String name, @Nullable String resource) {
		return (resource != null) ? ofResource(name, resource) : ofName(name);
	}

	private ResourceType<?> ofResource(String name, String resource) {
		return find(resource).or(() -> findCustom(resource))
			.orElseThrow(() -> new InvalidInformerPropertyException(this.prefix + name + ".resource",
					"'" + resource + "' is not a resource that the official client has a model of",
					suggestion(resource) + "Name a custom resource by plural and group, certificates.cert-manager.io, "
							+ "or by plural, version and group, certificates.v1.cert-manager.io; the class of its "
							+ "objects can be set by '" + this.prefix + name + ".type'."));
	}

	private ResourceType<?> ofName(String name) {
		return find(name).orElseThrow(() -> new InvalidInformerPropertyException(this.prefix + name,
				"'" + name + "' is not a resource that the official client has a model of",
				suggestion(name) + "For a name of your choice, set '" + this.prefix + name
						+ ".resource' (a plural such as pods, or deployments.apps) or '" + this.prefix + name
						+ ".type' (a class)."));
	}

	private Optional<ResourceType<?>> find(String resource) {
		List<ResourceType<?>> matching = this.used.stream().filter((each) -> isNamed(each, resource)).toList();
		if (matching.size() == 1) {
			return Optional.of(matching.get(0));
		}
		return Optional.<ResourceType<?>>ofNullable(this.official.obtain().get(resource))
			.or(() -> this.official.obtain().values().stream().filter((each) -> isNamed(each, resource)).findFirst());
	}

	private static boolean isNamed(ResourceType<?> resourceType, String resource) {
		String group = resourceType.group().isEmpty() ? "" : "." + resourceType.group();
		return resource.equals(resourceType.plural()) || resource.equals(resourceType.qualifiedName())
				|| resource.equals(resourceType.plural() + "." + resourceType.version() + group);
	}

	/**
	 * Find a custom resource without a class. The group of a custom resource contains a
	 * dot and is not one of the official groups.
	 */
	private Optional<ResourceType<?>> findCustom(String resource) {
		try {
			ResourceType<?> named = ResourceType.named(DynamicKubernetesObject.class, resource);
			boolean official = this.official.obtain()
				.values()
				.stream()
				.anyMatch((each) -> each.group().equals(named.group()));
			return (named.version().isEmpty() && (official || !named.group().contains("."))) ? Optional.empty()
					: Optional.of(named);
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	private String suggestion(String resource) {
		return Names.suggest(resource, this.official.obtain().keySet());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceType;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which resource is meant by what stands below {@code informer.resources}.
 */
final class ResourceNames {

	private static final String PREFIX = "informer.resources.";

	private final List<ResourceType<?>> used;

	private @Nullable Map<String, ResourceType<?>> official;

	ResourceNames(List<ResourceType<?>> used) {
		this.used = used;
	}

	ResourceType<?> resolve(String name, DeclaredResource declared) {
		if (!Names.isSimple(name)) {
			throw new InvalidInformerPropertyException(PREFIX + name,
					"'" + name + "' is no name of an informer, which has small letters and digits only "
							+ "and starts with a letter",
					"Choose another name, and say what to look at by '" + PREFIX + "<name>.resource' or '" + PREFIX
							+ "<name>.type'.");
		}
		ResourceType<?> resourceType = (declared.type() != null) ? ofType(name, declared.type(), declared.resource())
				: ofText(name, declared.resource());
		return declared.metadataOnly() ? resourceType.metadataOnly() : resourceType;
	}

	private ResourceType<?> ofType(String name, Class<?> type, @Nullable String resource) {
		String key = PREFIX + name + ".type";
		if (!KubernetesObject.class.isAssignableFrom(type)) {
			throw new InvalidInformerPropertyException(key, type.getName() + " is no KubernetesObject",
					"Name a model of the official client such as io.kubernetes.client.openapi.models.V1Pod, "
							+ "or a class that implements KubernetesObject and is annotated with @CustomResource.");
		}
		if (type == PartialObjectMetadata.class) {
			throw new InvalidInformerPropertyException(key, "metadata is of any resource",
					"Name the resource in its place, and set " + PREFIX + name + ".metadata-only=true.");
		}
		Class<? extends KubernetesObject> objects = type.asSubclass(KubernetesObject.class);
		Optional<ResourceType<?>> own = ObjectTypes.resource(objects);
		if (own.isPresent() && resource != null) {
			throw new InvalidInformerPropertyException(key,
					PREFIX + name + ".resource is given as well, and the class says by itself that it is " + own.get(),
					"Give one of the two.");
		}
		return own.orElseGet(() -> ofTypeWithout(name, objects, resource));
	}

	private ResourceType<?> ofTypeWithout(String name, Class<? extends KubernetesObject> type,
			@Nullable String resource) {
		if (resource == null && find(name).isEmpty()) {
			throw new InvalidInformerPropertyException(PREFIX + name + ".type",
					type.getName() + " does not say of which resource it is",
					"Say it by " + PREFIX + name + ".resource (plural and group, such as tenants.example.com), "
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
		return find(resource).or(() -> custom(resource))
			.orElseThrow(() -> new InvalidInformerPropertyException(PREFIX + name + ".resource",
					"'" + resource + "' is no resource that the official client has a model of",
					suggestion(resource)
							+ "A custom resource is called by plural and group, certificates.cert-manager.io, or by "
							+ "plural, version and group, certificates.v1.cert-manager.io; the class of its objects "
							+ "can be given by '" + PREFIX + name + ".type'."));
	}

	private ResourceType<?> ofName(String name) {
		return find(name).orElseThrow(() -> new InvalidInformerPropertyException(PREFIX + name,
				"'" + name + "' is no resource that the official client has a model of",
				suggestion(name) + "If it is a name of your own, say what to look at by '" + PREFIX + name
						+ ".resource' (a plural " + "such as pods, or deployments.apps) or '" + PREFIX + name
						+ ".type' (a class)."));
	}

	private Optional<ResourceType<?>> find(String resource) {
		List<ResourceType<?>> matching = this.used.stream().filter((each) -> isCalled(each, resource)).toList();
		if (matching.size() == 1) {
			return Optional.of(matching.get(0));
		}
		return Optional.<ResourceType<?>>ofNullable(official().get(resource))
			.or(() -> official().values().stream().filter((each) -> isCalled(each, resource)).findFirst());
	}

	private static boolean isCalled(ResourceType<?> resourceType, String resource) {
		String group = resourceType.group().isEmpty() ? "" : "." + resourceType.group();
		return resource.equals(resourceType.plural()) || resource.equals(resourceType.qualifiedName())
				|| resource.equals(resourceType.plural() + "." + resourceType.version() + group);
	}

	/**
	 * What can be a resource that nobody has a class of: the groups of custom resources
	 * have a dot, and those that are official are known.
	 */
	private Optional<ResourceType<?>> custom(String resource) {
		try {
			ResourceType<?> named = ResourceType.named(DynamicKubernetesObject.class, resource);
			boolean official = official().values().stream().anyMatch((each) -> each.group().equals(named.group()));
			return (named.version().isEmpty() && (official || !named.group().contains("."))) ? Optional.empty()
					: Optional.of(named);
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Read when it is needed first: it takes a while.
	 */
	private Map<String, ResourceType<?>> official() {
		Map<String, ResourceType<?>> known = this.official;
		if (known == null) {
			known = ResourceType.official();
			this.official = known;
		}
		return known;
	}

	private String suggestion(String resource) {
		return Names.nearest(resource, official().keySet())
			.map((nearest) -> "Did you mean '" + nearest + "'? ")
			.orElse("");
	}

}

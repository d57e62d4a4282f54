/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Optional;

import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * What a class of objects says about the resource that they belong to.
 */
public final class ObjectTypes {

	private ObjectTypes() {
	}

	/**
	 * The resource that a class belongs to by itself, as official models and classes with
	 * {@link dev.informer.CustomResource} do.
	 * @param type the class of the objects
	 * @return the resource, if the class says it
	 */
	public static Optional<ResourceType<?>> resource(Class<? extends KubernetesObject> type) {
		try {
			return Optional.of(ResourceType.of(type));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/**
	 * The name of the default informer of a resource.
	 * @param resourceType the resource
	 * @return its plural, as far as a name can have it
	 */
	public static String defaultName(ResourceType<?> resourceType) {
		return resourceType.plural().replaceAll("[^a-z0-9]", "");
	}

	/**
	 * Why an informer of a class that belongs to no resource has to be declared.
	 */
	static String undeclared(Class<? extends KubernetesObject> type) {
		return type.getName() + " belongs to no resource by itself: it is no model of the official client with a list "
				+ "endpoint and not annotated with @CustomResource(group, version, plural), and no property "
				+ "declares an informer of it";
	}

	/**
	 * How to declare an informer of such a class.
	 * @param type the class of the objects
	 * @return an instruction
	 */
	public static String declaration(Class<? extends KubernetesObject> type) {
		if (type == DynamicKubernetesObject.class) {
			return "Declare an informer by its resource, such as "
					+ "informer.resources.certificates.resource=certificates.cert-manager.io.";
		}
		if (type == PartialObjectMetadata.class) {
			return "Declare an informer of the metadata by informer.resources.<name>.metadata-only=true and "
					+ "informer.resources.<name>.resource, such as pods.";
		}
		return "Use a model of the official client or a class that is annotated with @CustomResource(group, version, "
				+ "plural), or say which resource it is by informer.resources.<name>.type=" + type.getName()
				+ " and informer.resources.<name>.resource=<plural>.<group>.";
	}

}

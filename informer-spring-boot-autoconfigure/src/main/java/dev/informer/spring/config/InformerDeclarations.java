/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceType;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Collects the informers of an application: those that its properties declare, and the
 * default informer of every resource that its code asks for without naming one. Not
 * thread-safe.
 */
final class InformerDeclarations {

	private final Map<String, ResourceType<?>> declared = new LinkedHashMap<>();

	private final Map<Class<?>, String> defaults = new LinkedHashMap<>();

	/**
	 * Adds the informers that the properties declare.
	 * @param resources what they look at, by name
	 * @param used the resources that the code uses, which can be called by their plural
	 * as the official ones can
	 */
	void declare(Map<String, DeclaredResource> resources, List<ResourceType<?>> used) {
		if (!resources.isEmpty()) {
			ResourceNames names = new ResourceNames(used);
			resources.forEach((name, resource) -> this.declared.put(name, names.resolve(name, resource)));
		}
		this.declared.forEach((name, resourceType) -> {
			boolean ofItsOwn = ObjectTypes.resource(resourceType.type()).isPresent();
			if (ofItsOwn && name.equals(ObjectTypes.defaultName(resourceType))) {
				this.defaults.put(resourceType.type(), name);
			}
		});
	}

	/**
	 * Makes sure that a resource has a default informer.
	 * @param resourceType the resource
	 */
	void need(ResourceType<?> resourceType) {
		if (this.defaults.containsKey(resourceType.type())) {
			return;
		}
		String name = ObjectTypes.defaultName(resourceType);
		ResourceType<?> taken = this.declared.putIfAbsent(name, resourceType);
		this.defaults.put(resourceType.type(), (taken != null) ? onlyOne(resourceType, taken) : name);
	}

	/**
	 * Whether there is an informer of a type.
	 * @param type the type of the objects
	 * @return whether a property declares one, or one is needed
	 */
	boolean contains(Class<? extends KubernetesObject> type) {
		return this.declared.values().stream().anyMatch((each) -> each.type() == type);
	}

	/**
	 * The informers.
	 * @return the informers
	 */
	List<InformerDeclaration> all() {
		List<InformerDeclaration> all = new ArrayList<>();
		this.declared.forEach((name, resourceType) -> all
			.add(new InformerDeclaration(name, resourceType, name.equals(this.defaults.get(resourceType.type())))));
		return all;
	}

	private String onlyOne(ResourceType<?> resourceType, ResourceType<?> taken) {
		List<String> names = this.declared.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().type() == resourceType.type())
			.map(Map.Entry::getKey)
			.toList();
		if (names.size() == 1) {
			return names.get(0);
		}
		String name = ObjectTypes.defaultName(resourceType);
		Class<? extends KubernetesObject> type = resourceType.type();
		if (taken.type() == PartialObjectMetadata.class) {
			throw new InvalidInformerPropertyException("informer.resources." + name + ".metadata-only",
					"the application asks for whole objects of type " + type.getName()
							+ " as well, by a handler or an injection point",
					"Let it take PartialObjectMetadata of the informer '" + name
							+ "', or give the informer of the metadata a name of its own: informer.resources." + name
							+ "metadata.resource=" + resourceType.qualifiedName() + " and informer.resources." + name
							+ "metadata.metadata-only=true.");
		}
		throw new InvalidInformerPropertyException("informer.resources." + name,
				"two resources would have an informer of this name, " + taken + " (" + taken.type().getName() + ") and "
						+ resourceType + " (" + type.getName() + ")",
				"Give one of them another name, for instance informer.resources."
						+ type.getSimpleName().toLowerCase(Locale.ROOT) + ".type=" + type.getName() + ".");
	}

}

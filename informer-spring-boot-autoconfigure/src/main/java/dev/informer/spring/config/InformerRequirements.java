/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.InvalidInjectionPointException;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Collects the informers that an application requires: those that its properties declare,
 * and the default informer of every resource that its annotated methods and injection
 * points refer to by type. Not thread-safe.
 */
final class InformerRequirements {

	private final List<Requirement> requirements = new ArrayList<>();

	private final Map<String, ResourceType<?>> declared = new LinkedHashMap<>();

	/** Names that properties declare. */
	private final Set<String> configured = new HashSet<>();

	private final Map<Class<?>, String> defaults = new LinkedHashMap<>();

	/**
	 * Add the objects of an annotated method, {@code named} if it names their informer.
	 */
	void add(AnnotatedMethod<?> method, Class<? extends KubernetesObject> type, boolean named) {
		this.requirements.add(new Requirement(type, named, null, method::invalid));
	}

	/**
	 * Add an injection point, given the names of the informers that properties declare.
	 */
	void add(InformerInjectionPoint injectionPoint, Set<String> informers) {
		Class<? extends KubernetesObject> type = injectionPoint.type();
		this.requirements
			.add(new Requirement(type, informers.stream().anyMatch(injectionPoint::isNamedLike), injectionPoint,
					(reason, action) -> new InvalidInjectionPointException(injectionPoint.place(), reason, action)));
	}

	/**
	 * Resolve all requirements, given the resources that properties declare, by name of
	 * the informer.
	 * @throws InvalidHandlerMethodException if an annotated method has no resource
	 */
	List<InformerDeclaration> resolve(Map<String, DeclaredResource> resources) {
		declare(resources, usedResources());
		injectionPoints(false).forEach(this::checkIntended);
		for (Requirement requirement : this.requirements) {
			if (!requirement.named()) {
				Class<? extends KubernetesObject> type = requirement.type();
				ResourceResolver.find(type).ifPresentOrElse((found) -> require(found, requirement.failure()), () -> {
					if (namesOf(type).isEmpty()) {
						throw requirement.failure()
							.apply(ResourceResolver.describeUnknown(type), ResourceResolver.remedy(type));
					}
				});
			}
		}
		injectionPoints(true).forEach(this::checkUnambiguous);
		return declarations();
	}

	private List<InformerInjectionPoint> injectionPoints(boolean named) {
		return this.requirements.stream()
			.filter((each) -> each.named() == named)
			.flatMap((each) -> Stream.ofNullable(each.injectionPoint()))
			.toList();
	}

	/**
	 * Return the resources that the code refers to. Where two have the same plural, one
	 * that is required by type comes before one of a named informer.
	 */
	private List<ResourceType<?>> usedResources() {
		return this.requirements.stream()
			.sorted(Comparator.comparing(Requirement::named))
			.map(Requirement::type)
			.distinct()
			.<ResourceType<?>>flatMap((type) -> ResourceResolver.find(type).stream())
			.toList();
	}

	/**
	 * Add the informers that properties declare, by name. Their resources may be named by
	 * the plural of one that the code refers to.
	 */
	void declare(Map<String, DeclaredResource> resources, List<ResourceType<?>> used) {
		this.configured.addAll(resources.keySet());
		if (!resources.isEmpty()) {
			ResourceResolver resolver = new ResourceResolver("informer.resources.", used);
			resources.forEach((name, resource) -> this.declared.put(name, resolver.resolve(name, resource)));
		}
		this.declared.forEach((name, resourceType) -> {
			boolean known = ResourceResolver.find(resourceType.type()).isPresent();
			if (known && name.equals(ResourceResolver.defaultName(resourceType))) {
				this.defaults.put(resourceType.type(), name);
			}
		});
	}

	/**
	 * Add the default informer of a resource, unless there is one.
	 * @param failure creates the exception of the place that requires it, with a reason
	 * and a remedy
	 */
	void require(ResourceType<?> resourceType, BiFunction<String, String, RuntimeException> failure) {
		if (!this.defaults.containsKey(resourceType.type())) {
			String name = ResourceResolver.defaultName(resourceType);
			List<String> own = namesOf(resourceType.type());
			if (own.size() == 1 && isNameOfAnother(name, resourceType.type())) {
				this.defaults.put(resourceType.type(), own.get(0));
				return;
			}
			ResourceType<?> other = this.declared.putIfAbsent(name, resourceType);
			this.defaults.put(resourceType.type(), (other != null) ? onlyInformer(resourceType, other, failure) : name);
		}
	}

	/**
	 * Return whether the application uses another class whose default informer has the
	 * name.
	 */
	private boolean isNameOfAnother(String name, Class<? extends KubernetesObject> type) {
		return this.requirements.stream()
			.filter((each) -> !each.named() && each.type() != type)
			.flatMap((each) -> ResourceResolver.find(each.type()).stream())
			.anyMatch((other) -> name.equals(ResourceResolver.defaultName(other)));
	}

	List<InformerDeclaration> declarations() {
		List<InformerDeclaration> declarations = new ArrayList<>();
		this.declared.forEach((name, resourceType) -> declarations
			.add(new InformerDeclaration(name, resourceType, name.equals(this.defaults.get(resourceType.type())))));
		return declarations;
	}

	private List<String> namesOf(Class<?> type) {
		return this.declared.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().type() == type)
			.map(Map.Entry::getKey)
			.toList();
	}

	private String onlyInformer(ResourceType<?> resourceType, ResourceType<?> other,
			BiFunction<String, String, RuntimeException> failure) {
		List<String> names = namesOf(resourceType.type());
		if (names.size() == 1) {
			return names.get(0);
		}
		String name = ResourceResolver.defaultName(resourceType);
		Class<? extends KubernetesObject> type = resourceType.type();
		if (other.type() == PartialObjectMetadata.class) {
			throw new InvalidInformerPropertyException("informer.resources." + name + ".metadata-only",
					"a method or an injection point of the application requires whole objects of type "
							+ type.getName(),
					"Use PartialObjectMetadata of the informer '" + name
							+ "' there, or give the informer of the metadata another name: informer.resources." + name
							+ "metadata.resource=" + resourceType.qualifiedName() + " and informer.resources." + name
							+ "metadata.metadata-only=true.");
		}
		String action = "Give one of them another name, for instance informer.resources."
				+ type.getSimpleName().toLowerCase(Locale.ROOT) + ".type=" + type.getName() + ".";
		if (this.configured.contains(name)) {
			throw new InvalidInformerPropertyException("informer.resources." + name,
					"the informers of two resources have this name, " + other + " (" + other.type().getName() + ") and "
							+ resourceType + " (" + type.getName() + ")",
					action);
		}
		throw failure.apply("the informer of " + resourceType + " (" + type.getName() + ") would have the name '" + name
				+ "' of that of " + other + " (" + other.type().getName() + "), which the application uses as well",
				action);
	}

	/**
	 * Check that an injection point does not add an informer beside those of its type
	 * that properties declare, unless the code refers to the additional one otherwise.
	 */
	private void checkIntended(InformerInjectionPoint injectionPoint) {
		Class<? extends KubernetesObject> type = injectionPoint.type();
		List<String> candidates = namesOf(type).stream().map((each) -> each + injectionPoint.suffix()).toList();
		String name = ResourceResolver.find(type).map(ResourceResolver::defaultName).orElse("");
		boolean intended = this.defaults.containsKey(type) || this.requirements.stream()
			.anyMatch((each) -> !each.named() && each.type() == type
					&& (each.injectionPoint() == null || each.injectionPoint().isNamedLike(name)));
		if (candidates.isEmpty() || name.isEmpty() || intended
				|| (candidates.size() == 1 && isNameOfAnother(name, type))) {
			return;
		}
		throw new InvalidInjectionPointException(injectionPoint.place(),
				"'" + injectionPoint.name() + "' is the name of none of the beans " + candidates
						+ ", and another informer of " + type.getSimpleName() + " would be created, without their "
						+ "namespaces and selectors",
				"Add @Qualifier(\"" + candidates.get(0)
						+ "\"), or give the parameter or field this name and compile with "
						+ "-parameters. For the other informer, set informer.resources." + name + ".required=true.");
	}

	private void checkUnambiguous(InformerInjectionPoint injectionPoint) {
		String byType = this.defaults.get(injectionPoint.type());
		if (byType != null && !injectionPoint.isNamedLike(byType)
				&& namesOf(injectionPoint.type()).stream().anyMatch(injectionPoint::isNamedLike)) {
			String name = injectionPoint.name();
			throw new InvalidInjectionPointException(injectionPoint.place(),
					"'" + name + "' has the name of another informer than the default one of its type, "
							+ "which would be injected",
					"Add @Qualifier(\"" + name + "\"), or choose another name.");
		}
	}

	/**
	 * Reference of the code to the objects of a type.
	 *
	 * @param named whether the code names the informer
	 * @param injectionPoint the injection point; {@code null} for an annotated method
	 * @param failure creates an exception with a reason and a remedy
	 */
	private record Requirement(Class<? extends KubernetesObject> type, boolean named,
			@Nullable InformerInjectionPoint injectionPoint, BiFunction<String, String, RuntimeException> failure) {
	}

}

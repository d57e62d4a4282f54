/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;

import dev.informer.SharedIndexInformer;
import dev.informer.client.PartialObjectMetadata;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Finds the informers of annotated methods, by name or by the type of the objects.
 */
final class InformerLookup {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DefaultInformerRegistry registry;

	InformerLookup(ConfigurableListableBeanFactory beanFactory, DefaultInformerRegistry registry) {
		this.beanFactory = beanFactory;
		this.registry = registry;
	}

	/**
	 * Find the informer with a name, or the default one of a type, for a method.
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> find(@Nullable String name, Class<T> type,
			AnnotatedMethod<?> method) {
		if (name == null) {
			return findDefault(type, method);
		}
		try {
			return this.registry.informer(name, type);
		}
		catch (IllegalArgumentException ex) {
			throw method.invalid(String.valueOf(ex.getMessage()), remedy(name, type));
		}
	}

	@SuppressWarnings("unchecked")
	private <T extends KubernetesObject> SharedIndexInformer<T> findDefault(Class<T> type, AnnotatedMethod<?> method) {
		ResolvableType wanted = ResolvableType.forClassWithGenerics(SharedIndexInformer.class, type);
		try {
			return (SharedIndexInformer<T>) this.beanFactory.getBeanProvider(wanted).getObject();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw method.invalid(
					"there are several informers of " + type.getSimpleName() + ": " + ex.getBeanNamesFound(),
					"Name one of them in the attribute 'informer', without the suffix 'Informer' of the name of its bean, "
							+ "or annotate the bean that is meant with @Primary.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw method.invalid("there is no informer of " + type.getName(),
					"Declare one by informer.resources.<name>.resource or informer.resources.<name>.type. If a "
							+ "@Bean method creates the bean, let it return the class with the method, so "
							+ "that the method is found in time; an application that was processed ahead of time "
							+ "must be built again.");
		}
	}

	private String remedy(String name, Class<? extends KubernetesObject> type) {
		return this.registry.findInformer(name).map((informer) -> {
			Class<?> objects = informer.resourceType().type();
			String take = "Let the method take " + objects.getSimpleName() + ", ";
			if (objects == PartialObjectMetadata.class) {
				return take + "or remove informer.resources." + name + ".metadata-only: the objects of the informer "
						+ "have only their metadata.";
			}
			if (objects == DynamicKubernetesObject.class || type == DynamicKubernetesObject.class) {
				return take + "or set informer.resources." + name + ".type=" + type.getName() + ".";
			}
			return take + "or name another informer in the attribute 'informer'.";
		})
			.orElseGet(() -> declare(name, type,
					this.registry.informers().stream().map(SharedIndexInformer::name).toList()));
	}

	private static String declare(String name, Class<? extends KubernetesObject> type, List<String> names) {
		if (!Names.isSimple(name)) {
			return Names.suggest(name, names)
					+ "Change the attribute 'informer' to the name of an informer, which consists of lowercase letters "
					+ "and digits, such as "
					+ ResourceResolver.find(type).map(ResourceResolver::defaultName).orElse("tenants") + ".";
		}
		String key = "informer.resources." + name;
		String resource = key + ".resource"
				+ ResourceResolver.find(type).map((found) -> "=" + found.qualifiedName()).orElse("");
		return Names.suggest(name, names) + "Change the attribute 'informer', or declare the informer by "
				+ ((type == PartialObjectMetadata.class) ? key + ".metadata-only=true and " : "") + resource + ".";
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.IndexFunction;
import dev.informer.InformerFactory;
import dev.informer.ObjectTransform;
import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Makes informers as properties and beans say. Thread-safe.
 */
final class InformerBeanFactory {

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final GenericBeanLookup typedBeans;

	/**
	 * Creates an instance.
	 * @param factory makes the informers
	 * @param settings says what they look at
	 * @param beanFactory has index functions, transforms and customizers
	 */
	InformerBeanFactory(InformerFactory factory, InformerSettings settings,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.typedBeans = new GenericBeanLookup(beanFactory);
	}

	/**
	 * Makes an informer that the properties may name.
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> make(String name, ResourceType<T> resourceType) {
		InformerSettings.Informer configured = this.settings.informer(name);
		boolean byDefault = name.equals(resourceType.plural()) && resourceType.type() != PartialObjectMetadata.class;
		SharedIndexInformer<T> informer;
		try {
			informer = this.factory.informer(resourceType, (builder) -> {
				configured.options().accept(builder);
				builder.name(byDefault ? null : name);
			});
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException("informer.resources." + name, String.valueOf(ex.getMessage()),
					"Correct the properties below informer.resources." + name + ".", ex);
		}
		configured.indices().forEach(informer::enableIndex);
		customize(informer);
		return informer;
	}

	/**
	 * Gives an informer what beans have for its type.
	 */
	@SuppressWarnings("unchecked")
	<T extends KubernetesObject> void customize(SharedIndexInformer<T> informer) {
		Class<T> type = informer.resourceType().type();
		this.typedBeans.named(IndexFunction.class, type)
			.forEach((index, function) -> informer.addMultiValueIndex(index, function));
		ObjectTransform<T> transform = this.typedBeans.onlyOne(ObjectTransform.class, type);
		if (transform != null) {
			informer.setTransform(transform);
		}
		this.typedBeans.ordered(InformerCustomizer.class, type).forEach((customizer) -> customizer.customize(informer));
	}

}

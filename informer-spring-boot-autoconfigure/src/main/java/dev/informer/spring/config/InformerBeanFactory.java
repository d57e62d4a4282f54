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
import dev.informer.UndecodableTypeException;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Creates informers with the options of the properties and with the index functions, the
 * transform and the customizers that are beans. Thread-safe.
 */
final class InformerBeanFactory {

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final GenericBeanLookup beans;

	InformerBeanFactory(InformerFactory factory, InformerSettings settings,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.beans = new GenericBeanLookup(beanFactory);
	}

	/**
	 * Create the informer of a bean.
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> create(String name, ResourceType<T> resourceType) {
		InformerSettings.Informer configured = this.settings.informer(name);
		boolean defaultName = name.equals(resourceType.plural()) && resourceType.type() != PartialObjectMetadata.class;
		SharedIndexInformer<T> informer;
		try {
			informer = this.factory.informer(resourceType, (builder) -> {
				configured.options().accept(builder);
				builder.name(defaultName ? null : name);
			});
		}
		catch (UndecodableTypeException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of("informer.resources." + name, ex);
		}
		configured.indices().forEach(informer::enableIndex);
		customize(informer);
		return informer;
	}

	/**
	 * Apply the index functions, the transform and the customizers for the type of an
	 * informer.
	 */
	@SuppressWarnings("unchecked")
	<T extends KubernetesObject> void customize(SharedIndexInformer<T> informer) {
		Class<T> type = informer.resourceType().type();
		this.beans.findByName(IndexFunction.class, type)
			.forEach((index, function) -> informer.addMultiValueIndex(index, function));
		ObjectTransform<T> transform = this.beans.findOnly(ObjectTransform.class, type);
		if (transform != null) {
			informer.setTransform(transform);
		}
		this.beans.findOrdered(InformerCustomizer.class, type).forEach((customizer) -> customizer.customize(informer));
	}

}

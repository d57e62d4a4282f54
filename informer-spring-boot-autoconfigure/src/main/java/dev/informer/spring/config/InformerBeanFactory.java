/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Set;

import dev.informer.IndexFunction;
import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.SharedIndexInformer;
import dev.informer.UndecodableTypeException;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InvalidInformerBeanException;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Creates informers with the options of the properties and with the index functions, the
 * transform and the customizers that are beans. Thread-safe.
 */
final class InformerBeanFactory {

	private static final Set<String> BUILT_IN_INDICES = Set.of(Lister.OWNER_INDEX, Lister.LABEL_INDEX);

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final GenericBeanLookup beans;

	InformerBeanFactory(InformerFactory factory, InformerSettings settings,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.beans = new GenericBeanLookup(beanFactory);
	}

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
	@SuppressWarnings({ "unchecked", "rawtypes" })
	<T extends KubernetesObject> void customize(SharedIndexInformer<T> informer) {
		Class<T> type = informer.resourceType().type();
		this.beans.findAll(IndexFunction.class, type)
			.forEach((index, function) -> configure(index, useOtherIndex(index, informer.name()),
					() -> informer.addMultiValueIndex(index, function)));
		List<ObjectTransform> transforms = this.beans.findMostSpecific(ObjectTransform.class, type);
		if (!transforms.isEmpty()) {
			informer.setTransform((object) -> {
				T transformed = object;
				for (ObjectTransform<T> transform : transforms) {
					transformed = transform.transform(transformed);
				}
				return transformed;
			});
		}
		this.beans.findAll(InformerCustomizer.class, type)
			.forEach((name, customizer) -> configure(name, "Correct the bean, an InformerCustomizer.",
					() -> customizer.customize(informer)));
	}

	private static void configure(String bean, String action, Runnable configuration) {
		try {
			configuration.run();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerBeanException(bean, String.valueOf(ex.getMessage()), action, ex);
		}
	}

	private static String useOtherIndex(String index, String informer) {
		String builtIn = (BUILT_IN_INDICES.contains(index) && Names.isSimple(informer))
				? ", or use the built-in index: informer.resources." + informer + ".indices=" + index : "";
		return "Give the bean, whose name is that of its index, another name" + builtIn + ".";
	}

}

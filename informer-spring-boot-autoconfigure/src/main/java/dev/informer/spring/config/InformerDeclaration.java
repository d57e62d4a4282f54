/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;

/**
 * Informer that an application requires or declares by properties.
 *
 * @param defaultOfType whether this informer is injected by the type of the objects alone
 */
record InformerDeclaration(String name, ResourceType<?> resourceType, boolean defaultOfType) {

	/**
	 * Add the definitions of a {@link SharedIndexInformer} and a {@link Lister} bean, so
	 * that both can be injected by the type of the objects, unless the application has
	 * them. They have factory methods instead of instance suppliers, which cannot be
	 * processed ahead of time.
	 */
	void define(ListableBeanFactory beanFactory, Map<String, RootBeanDefinition> definitions) {
		Class<?> type = this.resourceType.type();
		List<String> informers = beanNames(beanFactory, SharedIndexInformer.class, type);
		String informer = this.name + "Informer";
		if (!this.defaultOfType || informers.isEmpty()) {
			definitions.put(informer,
					definition(SharedIndexInformer.class, DefaultInformerRegistry.BEAN_NAME,
							DefaultInformerRegistry.CREATE_INFORMER, this.name, type, this.resourceType.group(),
							this.resourceType.version(), this.resourceType.plural(), this.resourceType.kind(),
							this.resourceType.namespaced()));
		}
		else {
			informer = informers.get(0);
		}
		boolean hasLister = !beanNames(beanFactory, Lister.class, type).isEmpty();
		if (!this.defaultOfType || (!hasLister && informers.size() <= 1)) {
			definitions.put(this.name + "Lister", definition(Lister.class, informer, "lister"));
		}
	}

	private RootBeanDefinition definition(Class<?> beanType, String factoryBean, String factoryMethod,
			Object... arguments) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(ResolvableType.forClassWithGenerics(beanType, this.resourceType.type()));
		definition.setFactoryBeanName(factoryBean);
		definition.setFactoryMethodName(factoryMethod);
		for (int index = 0; index < arguments.length; index++) {
			definition.getConstructorArgumentValues().addIndexedArgumentValue(index, arguments[index]);
		}
		definition.setFallback(!this.defaultOfType);
		definition.setLazyInit(false);
		return definition;
	}

	/**
	 * Return the names of the beans of a generic type.
	 */
	static List<String> beanNames(ListableBeanFactory beanFactory, Class<?> beanType, Class<?> type) {
		return List
			.of(beanFactory.getBeanNamesForType(ResolvableType.forClassWithGenerics(beanType, type), true, false));
	}

}

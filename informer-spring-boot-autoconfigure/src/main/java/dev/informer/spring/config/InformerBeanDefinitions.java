/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;

/**
 * Creates the definitions of a {@link SharedIndexInformer} and a {@link Lister} bean per
 * informer, so that both can be injected by the type of the objects. The definitions have
 * factory methods instead of instance suppliers, which cannot be processed ahead of time.
 */
final class InformerBeanDefinitions {

	private final String registryBeanName;

	private final ListableBeanFactory beanFactory;

	InformerBeanDefinitions(String registryBeanName, ListableBeanFactory beanFactory) {
		this.registryBeanName = registryBeanName;
		this.beanFactory = beanFactory;
	}

	/**
	 * Create the definitions of beans that the application does not have.
	 * @param declarations the informers
	 * @return the definitions by name
	 */
	Map<String, RootBeanDefinition> create(List<InformerDeclaration> declarations) {
		Map<String, RootBeanDefinition> definitions = new LinkedHashMap<>();
		declarations.forEach((declaration) -> create(declaration, definitions));
		return definitions;
	}

	private void create(InformerDeclaration declaration, Map<String, RootBeanDefinition> definitions) {
		Class<? extends KubernetesObject> type = declaration.resourceType().type();
		List<String> informers = beanNames(this.beanFactory, SharedIndexInformer.class, type);
		String informer = declaration.name() + "Informer";
		if (!declaration.defaultOfType() || informers.isEmpty()) {
			definitions.put(informer, informer(declaration));
		}
		else {
			informer = informers.get(0);
		}
		boolean hasLister = !beanNames(this.beanFactory, Lister.class, type).isEmpty();
		if (!declaration.defaultOfType() || (!hasLister && informers.size() <= 1)) {
			definitions.put(declaration.name() + "Lister", lister(declaration, informer));
		}
	}

	/**
	 * Return the names of the beans of a generic type.
	 */
	static List<String> beanNames(ListableBeanFactory beanFactory, Class<?> beanType, Class<?> type) {
		return List
			.of(beanFactory.getBeanNamesForType(ResolvableType.forClassWithGenerics(beanType, type), true, false));
	}

	private RootBeanDefinition informer(InformerDeclaration declaration) {
		RootBeanDefinition definition = definition(SharedIndexInformer.class, declaration);
		definition.setFactoryBeanName(this.registryBeanName);
		definition.setFactoryMethodName(DefaultInformerRegistry.CREATE_INFORMER);
		ResourceType<?> resourceType = declaration.resourceType();
		ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
		arguments.addIndexedArgumentValue(0, declaration.name());
		arguments.addIndexedArgumentValue(1, resourceType.type());
		arguments.addIndexedArgumentValue(2, resourceType.group());
		arguments.addIndexedArgumentValue(3, resourceType.version());
		arguments.addIndexedArgumentValue(4, resourceType.plural());
		arguments.addIndexedArgumentValue(5, resourceType.kind());
		arguments.addIndexedArgumentValue(6, resourceType.namespaced());
		return definition;
	}

	private static RootBeanDefinition lister(InformerDeclaration declaration, String informer) {
		RootBeanDefinition definition = definition(Lister.class, declaration);
		definition.setFactoryBeanName(informer);
		definition.setFactoryMethodName("lister");
		return definition;
	}

	private static RootBeanDefinition definition(Class<?> beanType, InformerDeclaration declaration) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(ResolvableType.forClassWithGenerics(beanType, declaration.resourceType().type()));
		definition.setFallback(!declaration.defaultOfType());
		definition.setLazyInit(false);
		return definition;
	}

}

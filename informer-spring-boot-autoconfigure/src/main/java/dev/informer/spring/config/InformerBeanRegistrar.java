/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.informer.Lister;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Registers a {@link SharedIndexInformer} and a {@link Lister} bean for every informer of
 * the application, so that both can be injected by the type of the objects. The
 * definitions name factory methods and have no instance suppliers, so that they can be
 * processed ahead of time; when they were, there is nothing left to do.
 */
public final class InformerBeanRegistrar implements BeanDefinitionRegistryPostProcessor {

	private final String registryBeanName;

	private final Environment environment;

	private final Supplier<Map<String, DeclaredResource>> resources;

	/**
	 * Creates a registrar.
	 * @param registryBeanName the name of the {@link DefaultInformerRegistry} bean
	 * @param environment resolves placeholders
	 * @param resources what the properties declare, by name
	 */
	public InformerBeanRegistrar(String registryBeanName, Environment environment,
			Supplier<Map<String, DeclaredResource>> resources) {
		this.registryBeanName = registryBeanName;
		this.environment = environment;
		this.resources = resources;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (AotDetector.useGeneratedArtifacts() || !(registry instanceof ConfigurableListableBeanFactory beanFactory)) {
			return;
		}
		ApplicationScanner scanner = new ApplicationScanner(beanFactory);
		List<InformerDeclaration> declarations = scanner.scan(this.resources.get(),
				this.environment::resolvePlaceholders);
		Map<String, RootBeanDefinition> definitions = new LinkedHashMap<>();
		declarations.forEach((declaration) -> define(declaration, scanner, definitions));
		definitions.forEach(registry::registerBeanDefinition);
	}

	private void define(InformerDeclaration declaration, ApplicationScanner scanner,
			Map<String, RootBeanDefinition> definitions) {
		Class<? extends KubernetesObject> type = declaration.resourceType().type();
		List<String> informers = scanner.beanNames(SharedIndexInformer.class, type);
		String informer = declaration.name() + "Informer";
		if (scanner.isInherited(informer)) {
			return;
		}
		if (!declaration.defaultOfType() || informers.isEmpty()) {
			definitions.put(informer, informer(declaration, type));
		}
		else {
			informer = informers.get(0);
		}
		boolean hasLister = !scanner.beanNames(Lister.class, type).isEmpty();
		if (!declaration.defaultOfType() || (!hasLister && informers.size() <= 1)) {
			definitions.put(declaration.name() + "Lister", lister(declaration, type, informer));
		}
	}

	private RootBeanDefinition informer(InformerDeclaration declaration, Class<? extends KubernetesObject> type) {
		RootBeanDefinition definition = definition(SharedIndexInformer.class, declaration, type);
		definition.setFactoryBeanName(this.registryBeanName);
		definition.setFactoryMethodName(DefaultInformerRegistry.CREATE_INFORMER);
		ResourceType<?> resourceType = declaration.resourceType();
		ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
		arguments.addIndexedArgumentValue(0, declaration.name());
		arguments.addIndexedArgumentValue(1, type);
		arguments.addIndexedArgumentValue(2, resourceType.group());
		arguments.addIndexedArgumentValue(3, resourceType.version());
		arguments.addIndexedArgumentValue(4, resourceType.plural());
		arguments.addIndexedArgumentValue(5, resourceType.kind());
		arguments.addIndexedArgumentValue(6, resourceType.namespaced());
		return definition;
	}

	private static RootBeanDefinition lister(InformerDeclaration declaration, Class<? extends KubernetesObject> type,
			String informer) {
		RootBeanDefinition definition = definition(Lister.class, declaration, type);
		definition.setFactoryBeanName(informer);
		definition.setFactoryMethodName("lister");
		return definition;
	}

	private static RootBeanDefinition definition(Class<?> beanType, InformerDeclaration declaration,
			Class<? extends KubernetesObject> type) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(ResolvableType.forClassWithGenerics(beanType, type));
		definition.setFallback(!declaration.defaultOfType());
		definition.setLazyInit(false);
		return definition;
	}

}

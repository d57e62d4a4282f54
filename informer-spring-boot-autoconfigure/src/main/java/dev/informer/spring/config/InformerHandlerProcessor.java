/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Processes methods annotated with {@link dev.informer.spring.InformerHandler},
 * {@link dev.informer.spring.InformerReconciler} or
 * {@link dev.informer.spring.InformerCleanup}. Before any bean is created, it registers
 * the beans of the informers that these methods, injection points and properties require;
 * nothing is left to register for an application that was processed ahead of time. Once
 * all singletons exist and before anything starts, it adds the handlers to their
 * informers, and the reconcilers. Each class is scanned once, as is that of a bean that
 * is created later.
 */
public final class InformerHandlerProcessor implements BeanDefinitionRegistryPostProcessor, SmartInitializingSingleton {

	private final Environment environment;

	private final Supplier<Map<String, DeclaredResource>> resources;

	private final Map<Class<?>, List<AnnotatedMethod<?>>> methods = new ConcurrentHashMap<>();

	private final CreatedBeanCheck created = new CreatedBeanCheck(this::methods);

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Create a processor with the supplier of the resources that properties declare, by
	 * name of the informer.
	 */
	public InformerHandlerProcessor(Environment environment, Supplier<Map<String, DeclaredResource>> resources) {
		this.environment = environment;
		this.resources = resources;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (AotDetector.useGeneratedArtifacts() || !(registry instanceof ConfigurableListableBeanFactory beanFactory)) {
			return;
		}
		Map<String, DeclaredResource> declared = this.resources.get();
		InformerRequirements requirements = new InformerRequirements();
		annotatedMethods(beanFactory).values()
			.stream()
			.flatMap(List::stream)
			.forEach((method) -> method.informers().forEach((needed) -> {
				boolean named = StringUtils.hasText(this.environment.resolvePlaceholders(needed.name()));
				if (named || InformerDeclaration.beanNames(beanFactory, SharedIndexInformer.class, needed.type())
					.isEmpty()) {
					requirements.add(method, needed.type(), named);
				}
			}));
		BeanTypes beans = new BeanTypes(beanFactory);
		beans.names()
			.stream()
			.flatMap((name) -> InformerInjectionPoint.find(beans, name).stream())
			.filter((each) -> InformerDeclaration.beanNames(beanFactory, each.beanType(), each.type()).isEmpty())
			.forEach((each) -> requirements.add(each, declared.keySet()));
		Map<String, RootBeanDefinition> definitions = new LinkedHashMap<>();
		requirements.resolve(declared).forEach((declaration) -> declaration.define(beanFactory, definitions));
		definitions.forEach(registry::registerBeanDefinition);
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		beanFactory.addBeanPostProcessor(this.created);
	}

	private Map<String, List<AnnotatedMethod<?>>> annotatedMethods(ConfigurableListableBeanFactory beanFactory) {
		BeanTypes beans = new BeanTypes(beanFactory);
		Map<String, List<AnnotatedMethod<?>>> methods = new LinkedHashMap<>();
		for (String name : beans.names()) {
			Class<?> type = beans.find(name);
			if (type != null) {
				methods.put(name, methods(type));
			}
		}
		return methods;
	}

	private List<AnnotatedMethod<?>> methods(Class<?> type) {
		return this.methods.computeIfAbsent(type, AnnotatedMethod::findAll);
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory beanFactory = Objects.requireNonNull(this.beanFactory);
		DefaultInformerRegistry registry = beanFactory.getBean(DefaultInformerRegistry.BEAN_NAME,
				DefaultInformerRegistry.class);
		InformerSettings settings = beanFactory.getBean(InformerSettings.class);
		Map<String, List<AnnotatedMethod<?>>> methods = annotatedMethods(beanFactory);
		this.created.bind(methods);
		InformerReconcilers reconcilers = new InformerReconcilers(beanFactory, settings.properties(), methods);
		Map<String, InformerHandlerEndpoint> handlers = handlers(beanFactory, methods);
		settings.properties().handlers().keySet().forEach((id) -> Names.checkHandler(id, handlers.keySet()));
		registry.collectBeans();
		InformerLookup informers = new InformerLookup(beanFactory, registry);
		MethodRegistrar registrar = new MethodRegistrar(registry, beanFactory.getBean(Reconcilers.class),
				beanFactory.getBeanProvider(Replicas.class).getIfAvailable(() -> Replicas.NONE), settings);
		handlers.values()
			.forEach((endpoint) -> registrar.addHandler(endpoint,
					informers.find(endpoint.informer(), endpoint.method().type(), endpoint.method())));
		reconcilers.add(informers, registrar);
	}

	private static Map<String, InformerHandlerEndpoint> handlers(ConfigurableListableBeanFactory beanFactory,
			Map<String, List<AnnotatedMethod<?>>> methods) {
		Map<String, InformerHandlerEndpoint> endpoints = new LinkedHashMap<>();
		methods.forEach((beanName, ofBean) -> ofBean.forEach((method) -> {
			if (method instanceof HandlerMethod handler) {
				InformerHandlerEndpoint endpoint = new InformerHandlerEndpoint(beanFactory, beanName, handler);
				endpoint.checkUnique(endpoint.id(), endpoints.putIfAbsent(endpoint.id(), endpoint));
			}
		}));
		return endpoints;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.informer.SharedIndexInformer;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Processes methods annotated with {@link dev.informer.spring.InformerHandler}. Before
 * any bean is created, it registers the beans of the informers that handler methods,
 * injection points and properties require; nothing is left to register for an application
 * that was processed ahead of time. Once all singletons exist and before anything starts,
 * it adds the handlers to their informers. Each class is scanned once.
 */
public final class InformerHandlerProcessor implements BeanDefinitionRegistryPostProcessor, SmartInitializingSingleton {

	private final Environment environment;

	private final Supplier<Map<String, DeclaredResource>> resources;

	private final Map<Class<?>, List<HandlerMethod>> methods = new ConcurrentHashMap<>();

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
		handlerMethods(beanFactory).values().stream().flatMap(List::stream).forEach((method) -> {
			boolean named = StringUtils.hasText(this.environment.resolvePlaceholders(method.annotation().informer()));
			if (named
					|| InformerDeclaration.beanNames(beanFactory, SharedIndexInformer.class, method.type()).isEmpty()) {
				requirements.add(method, named);
			}
		});
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
	}

	private Map<String, List<HandlerMethod>> handlerMethods(ConfigurableListableBeanFactory beanFactory) {
		BeanTypes beans = new BeanTypes(beanFactory);
		Map<String, List<HandlerMethod>> methods = new LinkedHashMap<>();
		for (String name : beans.names()) {
			Class<?> type = beans.find(name);
			if (type != null) {
				methods.put(name, this.methods.computeIfAbsent(type, HandlerMethod::findAll));
			}
		}
		return methods;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory beanFactory = Objects.requireNonNull(this.beanFactory);
		DefaultInformerRegistry registry = beanFactory.getBean(DefaultInformerRegistry.BEAN_NAME,
				DefaultInformerRegistry.class);
		Map<String, InformerHandlerEndpoint> endpoints = endpoints(beanFactory);
		registry.settings().properties().handlers().keySet().forEach((id) -> checkKnown(id, endpoints.keySet()));
		registry.collectBeans();
		endpoints.values()
			.forEach((endpoint) -> registry.addHandler(endpoint, findInformer(endpoint, registry, beanFactory)));
	}

	private Map<String, InformerHandlerEndpoint> endpoints(ConfigurableListableBeanFactory beanFactory) {
		Map<String, InformerHandlerEndpoint> endpoints = new LinkedHashMap<>();
		handlerMethods(beanFactory).forEach((beanName, methods) -> methods.forEach((method) -> {
			InformerHandlerEndpoint endpoint = new InformerHandlerEndpoint(beanFactory, beanName, method);
			InformerHandlerEndpoint other = endpoints.putIfAbsent(endpoint.id(), endpoint);
			if (other != null) {
				throw method.invalid(
						"its ID '" + endpoint.id() + "' is the ID of another handler, "
								+ other.method().method().toGenericString(),
						"Give each of them a unique ID: @InformerHandler(id = \"...\").");
			}
		}));
		return endpoints;
	}

	private static void checkKnown(String id, Set<String> known) {
		String key = Names.handlerKey(id);
		if (!known.contains(id)) {
			throw new InvalidInformerPropertyException(key, "no handler has the ID '" + id + "'; the IDs are " + (known
				.isEmpty() ? "none" : known), Names.suggest(id, known)
						+ "Give the method an ID of lowercase letters and digits, "
						+ "@InformerHandler(id = \"audit\"), and use it in the key, informer.handlers.audit. Put any "
						+ "other ID into brackets, such as a default one: informer.handlers[bean.method].");
		}
	}

	private static SharedIndexInformer<?> findInformer(InformerHandlerEndpoint endpoint,
			DefaultInformerRegistry registry, ConfigurableListableBeanFactory beanFactory) {
		Class<? extends KubernetesObject> type = endpoint.method().type();
		String name = endpoint.informer();
		if (name == null) {
			return findDefaultInformer(endpoint, beanFactory);
		}
		try {
			return registry.informer(name, type);
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.invalid(String.valueOf(ex.getMessage()), remedy(name, type, registry));
		}
	}

	private static SharedIndexInformer<?> findDefaultInformer(InformerHandlerEndpoint endpoint,
			ConfigurableListableBeanFactory beanFactory) {
		Class<? extends KubernetesObject> type = endpoint.method().type();
		ResolvableType wanted = ResolvableType.forClassWithGenerics(SharedIndexInformer.class, type);
		try {
			return (SharedIndexInformer<?>) beanFactory.getBeanProvider(wanted).getObject();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw endpoint.invalid(
					"there are several informers of " + type.getSimpleName() + ": " + ex.getBeanNamesFound(),
					"Name one of them by @InformerHandler(informer = \"...\"), without the suffix 'Informer' of "
							+ "the name of its bean.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw endpoint.invalid("there is no informer of " + type.getName(),
					"Declare one by informer.resources.<name>.resource or informer.resources.<name>.type. If a "
							+ "@Bean method creates the bean, let it return the class with the handler method, so "
							+ "that the method is found in time; an application that was processed ahead of time "
							+ "must be built again.");
		}
	}

	private static String remedy(String name, Class<? extends KubernetesObject> type, InformerRegistry registry) {
		return registry.findInformer(name).map((informer) -> {
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
		}).orElseGet(() -> declare(name, type, registry.informers().stream().map(SharedIndexInformer::name).toList()));
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

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.informer.HandlerRegistration;
import dev.informer.PartialObjectMetadata;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Adds the handler methods of all beans to their informers, once all beans are there and
 * before anything starts.
 */
public final class InformerHandlerRegistrar implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DefaultInformerRegistry registry;

	private final InformerSettings settings;

	/**
	 * Creates a registrar.
	 * @param beanFactory has the beans
	 * @param registry takes the handlers
	 * @param settings says how handlers want to be called
	 */
	public InformerHandlerRegistrar(ConfigurableListableBeanFactory beanFactory, DefaultInformerRegistry registry,
			InformerSettings settings) {
		this.beanFactory = beanFactory;
		this.registry = registry;
		this.settings = settings;
	}

	@Override
	public void afterSingletonsInstantiated() {
		HandlerEndpointReader reader = new HandlerEndpointReader(this.beanFactory);
		HandlerBeanCheck check = new HandlerBeanCheck(this.beanFactory);
		Map<String, HandlerEndpoint> endpoints = new LinkedHashMap<>();
		new ApplicationScanner(this.beanFactory).handlerMethods()
			.forEach((beanName,
					methods) -> methods.stream().map((method) -> reader.read(beanName, method)).forEach((endpoint) -> {
						check.check(endpoint);
						checkUnique(endpoint, endpoints.putIfAbsent(endpoint.id(), endpoint));
					}));
		Set<String> known = new LinkedHashSet<>(endpoints.keySet());
		this.registry.parent().ifPresent((parent) -> known.addAll(parent.handlerIds()));
		this.settings.handlers().keySet().forEach((id) -> checkKnown(id, known));
		this.registry.informersCreated();
		endpoints.values().forEach((endpoint) -> add(endpoint, informer(endpoint)));
	}

	private static void checkUnique(HandlerEndpoint endpoint, @Nullable HandlerEndpoint other) {
		if (other != null) {
			throw endpoint.method()
				.refuse("its id '" + endpoint.id() + "' belongs to another handler already, "
						+ other.method().method().toGenericString(),
						"Give each of them an id of its own: @InformerHandler(id = \"...\").");
		}
	}

	private static void checkKnown(String id, Set<String> known) {
		String key = "informer.handlers." + id;
		String remedy = "Give the method an id of small letters and digits, @InformerHandler(id = \"audit\"), "
				+ "and use it in the key, informer.handlers.audit. Default ids have a dot and cannot be part of a key.";
		if (!Names.isSimple(id)) {
			throw new InvalidInformerPropertyException(key,
					"'" + id + "' is no id that can be part of a key, which has small letters and digits only "
							+ "and starts with a letter",
					remedy);
		}
		if (!known.contains(id)) {
			throw new InvalidInformerPropertyException(key,
					"no handler has the id '" + id + "'; there are " + (known.isEmpty() ? "none" : known),
					Names.nearest(id, known).map((nearest) -> "Did you mean '" + nearest + "'? ").orElse("") + remedy);
		}
	}

	private SharedIndexInformer<?> informer(HandlerEndpoint endpoint) {
		Class<? extends KubernetesObject> type = endpoint.method().type();
		if (endpoint.informer() == null) {
			return onlyInformer(endpoint, type);
		}
		try {
			return inherited(endpoint.informer()).orElse(this.registry).informer(endpoint.informer(), type);
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.method().refuse(String.valueOf(ex.getMessage()), remedy(endpoint.informer(), type));
		}
	}

	private Optional<InformerRegistry> inherited(String informer) {
		return this.registry.findInformer(informer).isPresent() ? Optional.empty()
				: this.registry.parent().filter((parent) -> parent.findInformer(informer).isPresent());
	}

	private SharedIndexInformer<?> onlyInformer(HandlerEndpoint endpoint, Class<? extends KubernetesObject> type) {
		ResolvableType wanted = ResolvableType.forClassWithGenerics(SharedIndexInformer.class, type);
		try {
			return (SharedIndexInformer<?>) this.beanFactory.getBeanProvider(wanted).getObject();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw endpoint.method()
				.refuse("there are several informers of " + type.getSimpleName() + ": " + ex.getBeanNamesFound(),
						"Name one of them by @InformerHandler(informer = \"...\"), without the 'Informer' at the "
								+ "end of the name of its bean.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw endpoint.method()
				.refuse("there is no informer of " + type.getName(),
						"Declare one by informer.resources.<name>.resource or informer.resources.<name>.type. Where "
								+ "a @Bean method makes the bean, let it return the class with the handler method, so "
								+ "that it is seen in time; an application that was processed ahead of time has to be "
								+ "built again.");
		}
	}

	private String remedy(String name, Class<? extends KubernetesObject> type) {
		return this.registry.findInformer(name).map((informer) -> {
			Class<?> objects = informer.resourceType().type();
			String take = "Let the method take " + objects.getSimpleName() + ", ";
			if (objects == PartialObjectMetadata.class) {
				return take + "or remove informer.resources." + name + ".metadata-only: the objects of the informer "
						+ "have nothing but their metadata.";
			}
			if (objects == DynamicKubernetesObject.class) {
				return take + "or give the class of the objects by informer.resources." + name + ".type="
						+ type.getName() + ".";
			}
			return take + "or name another informer in the attribute 'informer'.";
		})
			.orElseGet(() -> "Change the attribute 'informer', or declare the informer by informer.resources." + name
					+ ((type == PartialObjectMetadata.class) ? ".metadata-only=true and informer.resources." + name
							: "")
					+ ".resource.");
	}

	private <T extends KubernetesObject> void add(HandlerEndpoint endpoint, SharedIndexInformer<T> informer) {
		try {
			HandlerRegistration registration = informer.addHandler(
					new HandlerMethodInvoker<>(this.beanFactory, endpoint.beanName(), endpoint.method()), (builder) -> {
						this.settings.informer(informer.name()).handler().accept(builder);
						endpoint.options().accept(builder);
						this.settings.handlers().getOrDefault(endpoint.id(), (none) -> {
						}).accept(builder);
						builder.name(endpoint.id())
							.on(endpoint.method().on().toArray(ResourceEvent.Type[]::new))
							.filter(endpoint.filter())
							.errorHandler(endpoint.errorHandler());
					});
			this.registry.handlerAdded(endpoint.id(), registration, informer);
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.method()
				.refuse("its attributes and properties do not fit together: " + ex.getMessage(),
						"Change its attributes, or the properties below informer.handlers." + endpoint.id()
								+ " or informer.resources.<name>.handler.");
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.spring.InformerRegistry;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * The ancestors of an application context. Informers of ancestors are used instead of
 * creating new ones. Handlers that a context adds to them are paused while its registry
 * is stopped, and removed when it is closed, because those informers keep running.
 * Thread-safe.
 */
final class ContextHierarchy {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Set<HandlerRegistration> handlers = ConcurrentHashMap.newKeySet();

	private final Set<HandlerRegistration> paused = ConcurrentHashMap.newKeySet();

	ContextHierarchy(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the registry of the parent context.
	 */
	Optional<InformerRegistry> parentRegistry() {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return (parent != null) ? Optional.ofNullable(parent.getBeanProvider(InformerRegistry.class).getIfAvailable())
				: Optional.empty();
	}

	/**
	 * Return the names of the beans of a generic type, in this context and in its
	 * ancestors. Fallback beans of ancestors are not injected by type and left out.
	 */
	List<String> beanNames(Class<?> beanType, Class<?> type) {
		ResolvableType wanted = ResolvableType.forClassWithGenerics(beanType, type);
		List<String> names = new ArrayList<>(List.of(this.beanFactory.getBeanNamesForType(wanted, true, false)));
		BeanFactory ancestor = this.beanFactory.getParentBeanFactory();
		while (ancestor instanceof ConfigurableListableBeanFactory inherited) {
			Stream.of(inherited.getBeanNamesForType(wanted, true, false))
				.filter((name) -> !inherited.containsBeanDefinition(name)
						|| !inherited.getBeanDefinition(name).isFallback())
				.forEach(names::add);
			ancestor = inherited.getParentBeanFactory();
		}
		return names;
	}

	/**
	 * Return whether an ancestor has a bean.
	 */
	boolean isInherited(String beanName) {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return parent != null && parent.containsBean(beanName);
	}

	/**
	 * Add a paused handler of an inherited informer.
	 * @param handler the handler
	 * @param resume whether {@link #resumeHandlers()} resumes it
	 */
	void addHandler(HandlerRegistration handler, boolean resume) {
		this.handlers.add(handler);
		if (resume) {
			this.paused.add(handler);
		}
	}

	void pauseHandlers() {
		this.handlers.forEach(this::pause);
	}

	private void pause(HandlerRegistration handler) {
		if (!handler.isPaused()) {
			handler.pause("the stop of its application context");
			this.paused.add(handler);
		}
	}

	void resumeHandlers() {
		this.paused.forEach(HandlerRegistration::resume);
		this.paused.clear();
	}

	void removeHandlers() {
		this.handlers.forEach(HandlerRegistration::remove);
	}

}

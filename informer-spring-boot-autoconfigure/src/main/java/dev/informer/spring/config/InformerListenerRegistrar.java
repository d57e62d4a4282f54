/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Collection;

import dev.informer.InformerFactory;
import dev.informer.InformerListener;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Adds the {@link InformerListener} beans of the context, without those of its ancestors,
 * to the {@link InformerFactory}. They are looked up once all singletons exist, so that a
 * listener may depend on informers.
 */
public final class InformerListenerRegistrar implements SmartInitializingSingleton {

	private final InformerFactory factory;

	private final ListableBeanFactory beanFactory;

	/**
	 * Create a registrar.
	 * @param factory the factory of the informers
	 * @param beanFactory the bean factory with the listeners
	 */
	public InformerListenerRegistrar(InformerFactory factory, ListableBeanFactory beanFactory) {
		this.factory = factory;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Collection<InformerListener> own = this.beanFactory.getBeansOfType(InformerListener.class).values();
		this.beanFactory.getBeanProvider(InformerListener.class)
			.orderedStream()
			.filter(own::contains)
			.forEach(this.factory::addListener);
	}

}

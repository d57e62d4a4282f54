/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses handler methods that could not be called because of their bean: its scope or
 * its proxy.
 */
final class HandlerBeanCheck {

	/** Scopes that have a bean only while a thread serves a request. */
	private static final Set<String> OF_REQUESTS = Set.of("request", "session", "websocket");

	private final ConfigurableListableBeanFactory beanFactory;

	HandlerBeanCheck(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	void check(HandlerEndpoint endpoint) {
		checkScope(endpoint);
		Class<?> type = this.beanFactory.getType(endpoint.beanName());
		if (type != null) {
			checkProxy(endpoint, type);
		}
	}

	private void checkScope(HandlerEndpoint endpoint) {
		String scope = scope(endpoint.beanName());
		if (scope != null && OF_REQUESTS.contains(scope)) {
			throw endpoint.method()
				.refuse("its bean '" + endpoint.beanName() + "' is of the scope '" + scope
						+ "', and no request is there when the cluster changes",
						"Put the method into a bean of the singleton scope, which may keep what others ask for.");
		}
	}

	private @Nullable String scope(String beanName) {
		String target = ScopedProxyUtils.getTargetBeanName(beanName);
		String name = this.beanFactory.containsBeanDefinition(target) ? target : beanName;
		return this.beanFactory.containsBeanDefinition(name) ? this.beanFactory.getMergedBeanDefinition(name).getScope()
				: null;
	}

	private static void checkProxy(HandlerEndpoint endpoint, Class<?> type) {
		try {
			AopUtils.selectInvocableMethod(endpoint.method().method(), type);
		}
		catch (IllegalStateException ex) {
			throw endpoint.method()
				.refuse("the proxy of the bean '" + endpoint.beanName() + "' implements its interfaces only "
						+ "and does not have the method",
						"Declare the method in an interface of the bean, or let the proxy extend its class "
								+ "(proxyTargetClass).");
		}
		boolean subclass = SpringProxy.class.isAssignableFrom(type) && !Proxy.isProxyClass(type);
		if (subclass && Modifier.isFinal(endpoint.method().method().getModifiers())) {
			throw endpoint.method()
				.refuse("it is final, so that it would be called at the proxy of the bean '" + endpoint.beanName()
						+ "', which has no fields of its own, and not at the bean", "Let the method not be final.");
		}
	}

}

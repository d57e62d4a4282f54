/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a handler method. The bean is looked up at the first event, or at each when it is
 * not a singleton, so that lazy and scoped beans work. Called by as many threads at once
 * as the handler has; two that are the first find the same bean.
 *
 * @param <T> the type of the objects
 */
final class HandlerMethodInvoker<T extends KubernetesObject> implements ResourceEventHandler<T> {

	private final BeanFactory beanFactory;

	private final String beanName;

	private final HandlerMethod handler;

	private volatile @Nullable Target singleton;

	HandlerMethodInvoker(BeanFactory beanFactory, String beanName, HandlerMethod handler) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.handler = handler;
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		Target target = target();
		try {
			target.method().invoke(target.bean(), this.handler.arguments().of(event));
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
		}
	}

	private Target target() {
		Target known = this.singleton;
		if (known != null) {
			return known;
		}
		Object bean = this.beanFactory.getBean(this.beanName);
		Method method = AopUtils.selectInvocableMethod(this.handler.method(), bean.getClass());
		ReflectionUtils.makeAccessible(method);
		Target target = new Target(bean, method);
		if (this.beanFactory.isSingleton(this.beanName)) {
			this.singleton = target;
		}
		return target;
	}

	private record Target(Object bean, Method method) {
	}

}

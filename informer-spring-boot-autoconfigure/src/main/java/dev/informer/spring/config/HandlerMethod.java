/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Method;
import java.util.Set;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import io.kubernetes.client.common.KubernetesObject;

/**
 * A handler method that can work, and how it is called.
 *
 * @param method the method
 * @param annotation what its annotation says
 * @param type the type of the objects that it takes
 * @param on the kinds of events that it is called for
 * @param arguments what it takes
 */
record HandlerMethod(Method method, InformerHandler annotation, Class<? extends KubernetesObject> type,
		Set<ResourceEvent.Type> on, HandlerArguments arguments) {

	/**
	 * Refuses the method for a reason that lies outside of its signature.
	 * @param found what is wrong with it
	 * @param action what to do about it
	 * @return the exception to throw
	 */
	public InvalidHandlerMethodException refuse(String found, String action) {
		return new InvalidHandlerMethodException(this.method, found, action);
	}

}

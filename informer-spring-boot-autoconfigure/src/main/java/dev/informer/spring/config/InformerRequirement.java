/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.function.Supplier;

import dev.informer.spring.InvalidInjectionPointException;
import io.kubernetes.client.common.KubernetesObject;

/**
 * A place in the code that takes objects of a type from an informer.
 *
 * @param type the type of the objects
 * @param named whether the place names the informer
 * @param refusal what to throw when there is none and it cannot be made
 */
record InformerRequirement(Class<? extends KubernetesObject> type, boolean named, Supplier<RuntimeException> refusal) {

	static InformerRequirement of(HandlerMethod handler, boolean named) {
		return new InformerRequirement(handler.type(), named,
				() -> handler.refuse(ObjectTypes.undeclared(handler.type()), ObjectTypes.declaration(handler.type())));
	}

	static InformerRequirement of(InjectionPoint injectionPoint, boolean named) {
		Class<? extends KubernetesObject> type = injectionPoint.type();
		return new InformerRequirement(type, named, () -> new InvalidInjectionPointException(injectionPoint.place(),
				ObjectTypes.undeclared(type), ObjectTypes.declaration(type)));
	}

}

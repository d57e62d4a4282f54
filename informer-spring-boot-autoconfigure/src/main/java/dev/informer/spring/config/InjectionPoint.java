/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * A place where a bean asks for an informer or a lister by the type of the objects.
 *
 * @param wanted {@link SharedIndexInformer} or {@link Lister}
 * @param type the type of the objects
 * @param name the name of the parameter or field; {@code null} when not known
 * @param place where it is, for messages
 */
record InjectionPoint(Class<?> wanted, Class<? extends KubernetesObject> type, @Nullable String name, Object place) {

	static @Nullable InjectionPoint of(ResolvableType declared, @Nullable String name, Object place) {
		ResolvableType wanted = isWanted(declared.toClass()) ? declared : declared.getGeneric(0);
		Class<?> type = wanted.getGeneric(0).resolve();
		if (!isWanted(wanted.toClass()) || type == null || !KubernetesObject.class.isAssignableFrom(type)
				|| type == KubernetesObject.class) {
			return null;
		}
		return new InjectionPoint(wanted.toClass(), type.asSubclass(KubernetesObject.class), name, place);
	}

	/**
	 * Whether it is called like the bean of an informer of this name.
	 */
	boolean isCalledLike(String informer) {
		return (informer + ((this.wanted == Lister.class) ? "Lister" : "Informer")).equals(this.name);
	}

	private static boolean isWanted(Class<?> type) {
		return type == SharedIndexInformer.class || type == Lister.class;
	}

}

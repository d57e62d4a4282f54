/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;
import java.util.Optional;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Objects of one class to which the primary object of a call refers, as far as they
 * exist. They are those of the cache: do not modify them. Immutable.
 *
 * @param <S> the type of the objects
 * @param list the objects, in the order of the references
 */
public record Watched<S extends KubernetesObject>(List<S> list) {

	/**
	 * Copy the list.
	 */
	public Watched {
		list = List.copyOf(list);
	}

	/**
	 * Create an instance, for tests of a reconciler.
	 * @param <S> the type of the objects
	 * @param objects the objects
	 * @return the instance
	 */
	@SafeVarargs
	@SuppressWarnings("varargs")
	public static <S extends KubernetesObject> Watched<S> of(S... objects) {
		return new Watched<>(List.of(objects));
	}

	/**
	 * Return the object with a name.
	 * @param name the name
	 * @return the object; empty if there is none
	 */
	public Optional<S> get(String name) {
		return this.list.stream().filter((object) -> name.equals(object.getMetadata().getName())).findFirst();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;
import java.util.Optional;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Objects of one class that have the primary object of a call as their controller. They
 * are those of the cache: do not modify them. Immutable.
 *
 * @param <S> the type of the objects
 * @param list the objects, in no particular order
 */
public record Owned<S extends KubernetesObject>(List<S> list) {

	/**
	 * Copy the list.
	 */
	public Owned {
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
	public static <S extends KubernetesObject> Owned<S> of(S... objects) {
		return new Owned<>(List.of(objects));
	}

	/**
	 * Return the object with a name, of a cluster-scoped primary object that of any
	 * namespace.
	 * @param name the name
	 * @return the object; empty if there is none
	 * @see #get(String, String)
	 */
	public Optional<S> get(String name) {
		return this.list.stream().filter((object) -> name.equals(object.getMetadata().getName())).findFirst();
	}

	/**
	 * Return the object with a name in a namespace.
	 * @param namespace the namespace
	 * @param name the name
	 * @return the object; empty if there is none
	 */
	public Optional<S> get(String namespace, String name) {
		return this.list.stream()
			.filter((object) -> namespace.equals(object.getMetadata().getNamespace())
					&& name.equals(object.getMetadata().getName()))
			.findFirst();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.support;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.informer.Lister;
import io.kubernetes.client.common.KubernetesObject;

/**
 * A lister of nothing.
 *
 * @param <T> the type of the objects
 */
public final class TestLister<T extends KubernetesObject> implements Lister<T> {

	@Override
	public Optional<T> get(String name) {
		return Optional.empty();
	}

	@Override
	public Optional<T> get(String namespace, String name) {
		return Optional.empty();
	}

	@Override
	public List<T> list() {
		return List.of();
	}

	@Override
	public List<T> list(String namespace) {
		return List.of();
	}

	@Override
	public List<T> byIndex(String index, String value) {
		return List.of();
	}

	@Override
	public List<T> index(String index, T object) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<String> indexKeys(String index, String value) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<String> keys() {
		throw new UnsupportedOperationException();
	}

	@Override
	public Set<String> indexValues(String index) {
		return Set.of();
	}

	@Override
	public int size() {
		return 0;
	}

}

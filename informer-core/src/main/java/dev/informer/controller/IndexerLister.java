/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

import dev.informer.Lister;
import dev.informer.NotSyncedException;
import dev.informer.cache.Indexer;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;

/**
 * {@link Lister} of an {@link Indexer}, which refuses to read before the sync.
 */
final class IndexerLister<T extends KubernetesObject> implements Lister<T> {

	private final String informer;

	private final Indexer<T> indexer;

	private final BooleanSupplier complete;

	IndexerLister(String informer, Indexer<T> indexer, BooleanSupplier complete) {
		this.informer = informer;
		this.indexer = indexer;
		this.complete = complete;
	}

	@Override
	public Optional<T> get(String name) {
		return Optional.ofNullable(indexer().get(name));
	}

	@Override
	public Optional<T> get(String namespace, String name) {
		return get(ObjectKey.of(namespace, name));
	}

	@Override
	public List<T> list() {
		return indexer().list();
	}

	@Override
	public List<T> list(String namespace) {
		return byIndex(NAMESPACE_INDEX, namespace);
	}

	@Override
	public List<T> byIndex(String index, String value) {
		return indexer().byIndex(index, value);
	}

	@Override
	public List<T> index(String index, T object) {
		return indexer().index(index, object);
	}

	@Override
	public List<String> indexKeys(String index, String value) {
		return indexer().indexKeys(index, value);
	}

	@Override
	public List<String> keys() {
		return indexer().keys("");
	}

	@Override
	public Set<String> indexValues(String index) {
		return indexer().indexValues(index);
	}

	@Override
	public int size() {
		return indexer().size();
	}

	private Indexer<T> indexer() {
		if (!this.complete.getAsBoolean()) {
			throw new NotSyncedException(this.informer);
		}
		return this.indexer;
	}

}

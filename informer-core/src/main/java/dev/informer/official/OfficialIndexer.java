/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.Indexer;
import org.jspecify.annotations.Nullable;

/**
 * Cache of an informer as an indexer of the official client, without its writes.
 *
 * @see OfficialInformers#informer(SharedIndexInformer)
 */
final class OfficialIndexer<T extends KubernetesObject> implements Indexer<T> {

	private final SharedIndexInformer<T> informer;

	private final Lister<T> lister;

	OfficialIndexer(SharedIndexInformer<T> informer) {
		this.informer = informer;
		this.lister = informer.lister();
	}

	@Override
	public List<T> list() {
		return this.lister.list();
	}

	@Override
	public List<String> listKeys() {
		return this.lister.keys();
	}

	@Override
	public @Nullable T get(T object) {
		return getByKey(Caches.metaNamespaceKeyFunc(object));
	}

	@Override
	public @Nullable T getByKey(String key) {
		int slash = key.indexOf('/');
		return ((slash < 0) ? this.lister.get(key) : this.lister.get(key.substring(0, slash), key.substring(slash + 1)))
			.orElse(null);
	}

	@Override
	public List<T> index(String name, T object) {
		return this.lister.index(name, object);
	}

	@Override
	public List<T> byIndex(String name, String value) {
		return this.lister.byIndex(name, value);
	}

	@Override
	public List<String> indexKeys(String name, String value) {
		return this.lister.indexKeys(name, value);
	}

	@Override
	public Map<String, Function<T, List<String>>> getIndexers() {
		Map<String, Function<T, List<String>>> indexers = new LinkedHashMap<>();
		this.informer.indices()
			.forEach((name, function) -> indexers.put(name, (object) -> List.copyOf(function.values(object))));
		return indexers;
	}

	@Override
	public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
		Set<String> taken = new TreeSet<>(this.informer.indices().keySet());
		taken.addAll(List.of(Lister.OWNER_INDEX, Lister.LABEL_INDEX));
		taken.retainAll(indexers.keySet());
		if (!taken.isEmpty()) {
			// none of them, as the official client
			throw new IllegalArgumentException("Cannot add the indexers to informer '" + this.informer.name()
					+ "': indices " + taken + " exist or are built in. Use other names.");
		}
		indexers.forEach((name, function) -> this.informer.addMultiValueIndex(name, indexFunction(function)));
	}

	/**
	 * Adapt an index function, which the official client allows to return {@code null}
	 * for no value, and {@code null} elements.
	 */
	private static <T extends KubernetesObject> IndexFunction<T> indexFunction(Function<T, List<String>> function) {
		return (object) -> {
			@Nullable List<String> values = function.apply(object);
			return (values != null) ? values.stream().filter(Objects::nonNull).toList() : List.of();
		};
	}

	@Override
	public void resync() {
		this.informer.resync();
	}

	@Override
	public void add(T object) {
		throw readOnly("add an object to");
	}

	@Override
	public void update(T object) {
		throw readOnly("update an object in");
	}

	@Override
	public void delete(T object) {
		throw readOnly("delete an object from");
	}

	@Override
	public void replace(List<T> objects, String resourceVersion) {
		throw readOnly("replace the objects in");
	}

	private UnsupportedOperationException readOnly(String operation) {
		return new UnsupportedOperationException("Cannot " + operation + " the cache of informer '"
				+ this.informer.name() + "': it follows the API server. Send the change to the API server.");
	}

}

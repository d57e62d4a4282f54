package dev.informer.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.IndexFunction;
import io.kubernetes.client.common.KubernetesObject;

/**
 * One index of an {@link Indexer}: the objects by value and key. Values that no object
 * has any more are removed. Not thread-safe, the indexer guards it.
 *
 * @param <T> the type of the objects
 */
final class Index<T extends KubernetesObject> {

	private final Map<String, Map<String, T>> objectsByValue = new HashMap<>();

	private final String name;

	private final IndexFunction<T> function;

	private final IndexFailureHandler failureHandler;

	Index(String name, IndexFunction<T> function, IndexFailureHandler failureHandler) {
		this.name = name;
		this.function = function;
		this.failureHandler = failureHandler;
	}

	/**
	 * An empty index of the same kind.
	 */
	Index<T> empty() {
		return new Index<>(this.name, this.function, this.failureHandler);
	}

	void add(String key, T object) {
		for (String value : values(key, object)) {
			this.objectsByValue.computeIfAbsent(value, (any) -> new HashMap<>()).put(key, object);
		}
	}

	void remove(String key, T object) {
		Collection<String> values;
		try {
			values = this.function.values(object);
		}
		catch (RuntimeException ex) {
			values = List.copyOf(this.objectsByValue.keySet());
		}
		for (String value : values) {
			Map<String, T> objects = this.objectsByValue.get(value);
			if (objects == null || objects.remove(key) == null) {
				continue;
			}
			if (objects.isEmpty()) {
				this.objectsByValue.remove(value);
			}
		}
	}

	List<T> objects(String value) {
		Map<String, T> objects = this.objectsByValue.get(value);
		return (objects != null) ? List.copyOf(objects.values()) : List.of();
	}

	Set<String> keys(String value) {
		Map<String, T> objects = this.objectsByValue.get(value);
		return (objects != null) ? Set.copyOf(objects.keySet()) : Set.of();
	}

	Set<String> values() {
		return Set.copyOf(this.objectsByValue.keySet());
	}

	private Collection<String> values(String key, T object) {
		try {
			return this.function.values(object);
		}
		catch (RuntimeException ex) {
			this.failureHandler.indexFailed(this.name, key, ex);
			return List.of();
		}
	}

}

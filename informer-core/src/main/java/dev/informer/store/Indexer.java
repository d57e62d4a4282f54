package dev.informer.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * The objects by key, and by the values of any number of indices. The objects are shared
 * with whoever reads them.
 * <p>
 * <b>Concurrency.</b> Any number of readers, who do not block each other and are given
 * snapshots. Writers exclude each other by {@code writing}; the readers are excluded only
 * while a batch of changes is put in place. A replacement and a new index are built aside
 * and then put in place at once, so nobody sees half of one or waits for it.
 *
 * @param <T> the type of the objects
 */
public final class Indexer<T extends KubernetesObject> {

	/**
	 * The name of the index by namespace, which is always there.
	 */
	public static final String NAMESPACE_INDEX = Lister.NAMESPACE_INDEX;

	private final Object writing = new Object();

	private final ReadWriteLock lock = new ReentrantReadWriteLock();

	private final IndexFailureHandler failureHandler;

	private Map<String, T> objects = new HashMap<>();

	private Map<String, Index<T>> indices = new HashMap<>();

	private final Map<String, String> resourceVersions = new HashMap<>();

	/**
	 * Creates an empty store.
	 * @param failureHandler is told when an index function throws
	 */
	public Indexer(IndexFailureHandler failureHandler) {
		this.failureHandler = failureHandler;
		enableIndex(NAMESPACE_INDEX);
	}

	/**
	 * Adds an index and fills it.
	 * @param name its name
	 * @param function gives the values of an object
	 * @throws IllegalArgumentException when there is an index of this name, or it is the
	 * name of a built-in one
	 */
	public void addIndex(String name, IndexFunction<T> function) {
		if (BuiltInIndices.contains(name)) {
			throw new IllegalArgumentException("The index '" + name
					+ "' is built in: switch it on by enableIndex(name), or give yours another name");
		}
		synchronized (this.writing) {
			if (this.indices.containsKey(name)) {
				throw new IllegalArgumentException("There is an index '" + name + "' already");
			}
			add(name, function);
		}
	}

	/**
	 * Switches a built-in index on. Does nothing when it is on already.
	 * @param name its name
	 * @throws IllegalArgumentException when there is no such index
	 */
	public void enableIndex(String name) {
		IndexFunction<T> function = BuiltInIndices.function(name);
		synchronized (this.writing) {
			if (!this.indices.containsKey(name)) {
				add(name, function);
			}
		}
	}

	private void add(String name, IndexFunction<T> function) {
		Index<T> index = new Index<>(name, function, this.failureHandler);
		this.objects.forEach(index::add);
		Map<String, Index<T>> added = new HashMap<>(this.indices);
		added.put(name, index);
		write(() -> this.indices = added);
	}

	/**
	 * Changes some objects in one step.
	 * @param changes the changes, in their order
	 * @param versions the resource versions that scopes have reached with them
	 */
	public void apply(List<StoreChange<T>> changes, Map<String, String> versions) {
		synchronized (this.writing) {
			write(() -> {
				changes.forEach(this::apply);
				this.resourceVersions.putAll(versions);
			});
		}
	}

	/**
	 * Replaces everything in one step.
	 * @param replacement the objects by key, from now on this store's
	 * @param scope the scope that has reached a new resource version with it
	 * @param resourceVersion that version
	 */
	public void replace(Map<String, T> replacement, String scope, String resourceVersion) {
		synchronized (this.writing) {
			Map<String, Index<T>> replaced = new HashMap<>();
			this.indices.forEach((name, index) -> {
				Index<T> filled = index.empty();
				replacement.forEach(filled::add);
				replaced.put(name, filled);
			});
			write(() -> {
				this.objects = replacement;
				this.indices = replaced;
				this.resourceVersions.put(scope, resourceVersion);
			});
		}
	}

	/**
	 * Gets an object.
	 * @param key its key
	 * @return the object; {@code null} when there is none
	 */
	public @Nullable T get(String key) {
		this.lock.readLock().lock();
		try {
			return this.objects.get(key);
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	/**
	 * All objects by key.
	 * @return a snapshot, the caller's own
	 */
	public Map<String, T> toMap() {
		return read(() -> new HashMap<>(this.objects));
	}

	/**
	 * All objects.
	 * @return a snapshot
	 */
	public List<T> list() {
		return read(() -> new ArrayList<>(this.objects.values()));
	}

	/**
	 * How many objects there are.
	 * @return the number of objects
	 */
	public int size() {
		return read(() -> this.objects.size());
	}

	/**
	 * The objects under a value of an index.
	 * @param index the name of the index
	 * @param value the value
	 * @return a snapshot
	 * @throws IllegalArgumentException when there is no such index
	 */
	public List<T> byIndex(String index, String value) {
		return read(() -> index(index).objects(value));
	}

	/**
	 * The keys under a value of an index.
	 * @param index the name of the index
	 * @param value the value
	 * @return a snapshot
	 * @throws IllegalArgumentException when there is no such index
	 */
	public Set<String> indexKeys(String index, String value) {
		return read(() -> index(index).keys(value));
	}

	/**
	 * The values of an index under which there is an object.
	 * @param index the name of the index
	 * @return a snapshot
	 * @throws IllegalArgumentException when there is no such index
	 */
	public Set<String> indexValues(String index) {
		return read(() -> index(index).values());
	}

	/**
	 * The keys of a scope.
	 * @param scope a namespace, empty for everything
	 * @return a snapshot
	 */
	public Set<String> keys(String scope) {
		return scope.isEmpty() ? read(() -> Set.copyOf(this.objects.keySet())) : indexKeys(NAMESPACE_INDEX, scope);
	}

	/**
	 * The resource version that a scope has reached.
	 * @param scope the scope
	 * @return the version; empty when nothing is known of it
	 */
	public String resourceVersion(String scope) {
		return read(() -> this.resourceVersions.getOrDefault(scope, ""));
	}

	private void apply(StoreChange<T> change) {
		T object = change.object();
		T previous = (object != null) ? this.objects.put(change.key(), object) : this.objects.remove(change.key());
		for (Index<T> index : this.indices.values()) {
			if (previous != null) {
				index.remove(change.key(), previous);
			}
			if (object != null) {
				index.add(change.key(), object);
			}
		}
	}

	private Index<T> index(String name) {
		Index<T> index = this.indices.get(name);
		if (index == null) {
			throw new IllegalArgumentException(
					"There is no index '" + name + "'; there are " + this.indices.keySet().stream().sorted().toList());
		}
		return index;
	}

	private void write(Runnable change) {
		this.lock.writeLock().lock();
		try {
			change.run();
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	private <R> R read(Supplier<R> read) {
		this.lock.readLock().lock();
		try {
			return read.get();
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

}

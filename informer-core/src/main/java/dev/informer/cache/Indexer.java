/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.support.Arguments;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;

/**
 * Store of objects by key, and by the values of any number of indices. The objects are
 * shared with all readers. As a {@link Lister} it refuses to read before the sync.
 * <p>
 * <b>Concurrency.</b> No lock. One thread at a time changes the objects; any number of
 * threads read and add indices. The content is one immutable {@link Contents}. A reader
 * uses the current one and never waits. A writer derives the next one and replaces the
 * reference, or derives it again if another writer was faster, so no reader sees half of
 * a batch or of an index. Index functions are called in between: they may read the store,
 * add indices, and wait for other threads that do. The epoch of a namespace changes after
 * its objects.
 */
public final class Indexer<T extends KubernetesObject> implements Lister<T> {

	private static final String ADD_INDEX = "add an index";

	private static final String GET = "get an object";

	private static final String READ = "read an index";

	/** The functions of the built-in indices, which only need the metadata. */
	private static final Map<String, IndexFunction<KubernetesObject>> BUILT_IN = Map.of(NAMESPACE_INDEX,
			Indexer::namespace, OWNER_INDEX, Indexer::owners, LABEL_INDEX, Indexer::labels);

	private final BiConsumer<String, Throwable> failures;

	private final Runnable readable;

	private final Consumer<String> unlisted;

	/** By namespace the epoch of all its objects. */
	private final Map<String, Long> epochs = new ConcurrentHashMap<>();

	private final AtomicReference<Contents<T>> contents = new AtomicReference<>(
			new Contents<>(HashTrieMap.empty(), Map.of(), HashTrieMap.empty()));

	private final AtomicLong nextEpoch = new AtomicLong();

	private final StaleObjects staleObjects = new StaleObjects();

	/** Size of the objects of all namespaces, as far as it is limited. */
	private final AtomicLong size = new AtomicLong();

	/**
	 * Create an empty store that can be read at any time.
	 * @param failures accepts the description of a failed index function, and the cause
	 */
	public Indexer(BiConsumer<String, Throwable> failures) {
		this(failures, () -> {
		}, (namespace) -> {
		});
	}

	/**
	 * Create an empty store.
	 * @param failures accepts the description of a failed index function, and the cause
	 * @param readable throws the exception of a {@link Lister} that cannot be read yet
	 * @param unlisted throws the exception of a {@link Lister} for a namespace that was
	 * not listed, unless its objects are not awaited
	 */
	public Indexer(BiConsumer<String, Throwable> failures, Runnable readable, Consumer<String> unlisted) {
		this.failures = failures;
		this.readable = readable;
		this.unlisted = unlisted;
		enableIndex(NAMESPACE_INDEX);
	}

	/**
	 * Add an index of the stored objects.
	 * @throws IllegalArgumentException if the name is in use or that of a built-in index
	 */
	public void addIndex(String name, IndexFunction<T> function) {
		Arguments.require(ADD_INDEX, "name", name);
		Arguments.require(ADD_INDEX, "function", function);
		if (name.isEmpty()) {
			throw new IllegalArgumentException("Cannot " + ADD_INDEX + ": its name is empty. Use another name.");
		}
		if (BUILT_IN.containsKey(name)) {
			throw new IllegalArgumentException(
					"The index '" + name + "' is built in. Enable it by enableIndex(name), or use another name.");
		}
		if (!addIfAbsent(new Index<>(name, function, this.failures))) {
			throw new IllegalArgumentException(
					"Cannot add index '" + name + "': an index of this name exists. Use another name.");
		}
	}

	/**
	 * Enable a built-in index, unless it is enabled already.
	 * @throws IllegalArgumentException if the index is unknown
	 */
	public void enableIndex(String name) {
		addIfAbsent(new Index<>(name, builtIn(name), this.failures));
	}

	/**
	 * Return the function of a built-in index.
	 * @throws IllegalArgumentException if the index is unknown
	 */
	public static <T extends KubernetesObject> IndexFunction<T> builtIn(String name) {
		IndexFunction<KubernetesObject> function = BUILT_IN.get(name);
		if (function == null) {
			throw new IllegalArgumentException("Unknown built-in index '" + name + "'. The built-in indices are "
					+ BUILT_IN.keySet().stream().sorted().toList() + ".");
		}
		return function::values;
	}

	private static Collection<String> namespace(KubernetesObject object) {
		String namespace = ObjectState.of(object).namespace();
		return (namespace != null) ? List.of(namespace) : List.of();
	}

	private static Collection<String> owners(KubernetesObject object) {
		List<V1OwnerReference> owners = object.getMetadata().getOwnerReferences();
		return (owners != null) ? owners.stream().map(V1OwnerReference::getUid).toList() : List.of();
	}

	private static Collection<String> labels(KubernetesObject object) {
		Map<String, String> labels = object.getMetadata().getLabels();
		return (labels != null)
				? labels.entrySet().stream().map((label) -> label.getKey() + "=" + label.getValue()).toList()
				: List.of();
	}

	/**
	 * Return a snapshot of the functions of the indices, by name.
	 */
	public Map<String, IndexFunction<T>> indices() {
		Map<String, IndexFunction<T>> functions = new HashMap<>();
		contents().indices().forEach((name, index) -> functions.put(name, index.function()));
		return functions;
	}

	private boolean addIfAbsent(Index<T> empty) {
		Index<T> index = empty;
		HashTrieMap<String, T> indexed = HashTrieMap.empty();
		Contents<T> current = contents();
		while (!current.indices().containsKey(empty.name())) {
			index = index.with(indexed, current.objects());
			indexed = current.objects();
			if (this.contents.compareAndSet(current, current.with(index))) {
				return true;
			}
			current = contents();
		}
		return false;
	}

	/**
	 * Remove keys, stored or not, and then store objects, in one step. The resource
	 * versions are those that their namespaces reach, {@code null} for one that leaves.
	 * The caller holds no lock, because the index functions are called. An interrupt flag
	 * that they leave remains set.
	 */
	public void apply(Collection<String> removed, Map<String, T> stored,
			Map<String, @Nullable String> resourceVersions) {
		Map<String, Index<T>> indices = new HashMap<>();
		Contents<T> current;
		Contents<T> next;
		do {
			current = contents();
			next = current.with(removed, stored, resourceVersions, indices);
		}
		while (!this.contents.compareAndSet(current, next));
	}

	private Contents<T> contents() {
		return Objects.requireNonNull(this.contents.get());
	}

	private Contents<T> readable() {
		this.readable.run();
		return contents();
	}

	/**
	 * Throw the exception of a {@link Lister} for a namespace that was not listed.
	 */
	public void requireListed(String namespace) {
		requireListed(contents(), namespace);
	}

	private void requireListed(Contents<T> current, String namespace) {
		if (!current.isListed(namespace)) {
			this.unlisted.accept(namespace);
		}
	}

	/**
	 * Return the content for a read of an index.
	 */
	private Contents<T> readable(String index, String value) {
		Arguments.require(READ, "index", index);
		Arguments.require(READ, "value", value);
		Contents<T> current = readable();
		if (index.equals(NAMESPACE_INDEX)) {
			requireListed(current, value);
		}
		return current;
	}

	@Override
	public Optional<T> get(String name) {
		Arguments.require(GET, "name", name);
		Contents<T> current = readable();
		T found = current.objects().get(name);
		int slash = name.indexOf('/');
		if (found == null && slash >= 0) {
			requireListed(current, name.substring(0, slash));
		}
		return Optional.ofNullable(found);
	}

	@Override
	public Optional<T> get(String namespace, String name) {
		Arguments.require(GET, "name", name);
		Optional<T> found = get(ObjectKey.of(namespace, name));
		if (found.isEmpty()) {
			requireListed(contents(), Objects.requireNonNullElse(namespace, ""));
		}
		return found;
	}

	/**
	 * Return the object with a key; {@code null} if there is none.
	 */
	public @Nullable T find(String key) {
		return contents().objects().get(key);
	}

	/**
	 * Return the object that is stored in exactly this state. It need not be decoded or
	 * transformed again.
	 * @return the object; {@code null} if it is stored in another state, or if an object
	 * of the namespace may be of another epoch
	 */
	public @Nullable T get(String namespace, long epoch, ObjectState state) {
		String key = (epoch == epoch(namespace)) ? state.key() : null;
		T stored = (key != null) ? find(key) : null;
		return (stored != null && state.isSameAs(ObjectState.of(stored))) ? stored : null;
	}

	/**
	 * Return the objects whose current state could not be read, stored in an earlier
	 * state or not at all.
	 */
	public StaleObjects staleObjects() {
		return this.staleObjects;
	}

	/**
	 * Return the sizes of the objects of a reflector, which count together with those of
	 * the others; {@code null} for a limit of zero bytes, which is none.
	 */
	public @Nullable ObjectSizes<T> sizes(long limit) {
		return (limit > 0) ? new ObjectSizes<>(limit, this.size) : null;
	}

	/**
	 * Return why no object could be read in its current state; {@code null} if one could
	 * be, or if there is none.
	 */
	public StaleObjects.@Nullable Cause unreadable() {
		HashTrieMap<String, T> objects = contents().objects();
		return this.staleObjects.ofAll(objects.size(), objects::keys);
	}

	/**
	 * Return the objects of a namespace at a resource version.
	 * @return a new map of their states by key; {@code null} if the namespace is at
	 * another version, for example because deltas are queued
	 */
	public @Nullable Map<String, ObjectState> statesAt(String namespace, String resourceVersion) {
		Contents<T> current = contents();
		if (!resourceVersion.equals(current.resourceVersions().get(namespace))) {
			return null;
		}
		Map<String, ObjectState> states = new HashMap<>();
		for (T object : current.objects(namespace)) {
			ObjectState state = ObjectState.of(object);
			states.put(Objects.requireNonNull(state.key()), state);
		}
		return states;
	}

	/**
	 * Return the epoch that all objects of a namespace belong to, see {@link Delta}.
	 */
	public long epoch(String namespace) {
		return this.epochs.getOrDefault(namespace, 0L);
	}

	/**
	 * Begin an epoch, after every object of an earlier one was replaced.
	 */
	public void beginEpoch(String namespace, long epoch) {
		this.epochs.put(namespace, epoch);
	}

	/**
	 * Return an epoch that none of the reflectors of this store has had.
	 */
	public long nextEpoch() {
		return this.nextEpoch.getAndIncrement();
	}

	/**
	 * Forget the resource versions, epochs and stale objects of namespaces that have no
	 * objects any more.
	 */
	public void forget(Set<String> namespaces) {
		this.contents.updateAndGet((current) -> current.without(namespaces));
		this.epochs.keySet().removeAll(namespaces);
		namespaces.forEach((namespace) -> this.staleObjects.retain(namespace, Set.of()));
	}

	@Override
	public List<T> list() {
		return readable().objects().values();
	}

	@Override
	public List<T> list(String namespace) {
		Arguments.require("list objects", "namespace", namespace);
		return byIndex(NAMESPACE_INDEX, namespace);
	}

	/**
	 * Return the objects as they are now, by key. The copy is made when it is requested,
	 * and costs nothing before.
	 */
	public Supplier<Map<String, T>> snapshot() {
		HashTrieMap<String, T> objects = contents().objects();
		return () -> {
			Map<String, T> copy = new LinkedHashMap<>();
			objects.forEach(copy::put);
			return copy;
		};
	}

	@Override
	public int size() {
		return readable().objects().size();
	}

	@Override
	public List<T> byIndex(String index, String value) {
		return readable(index, value).index(index).objects(value);
	}

	@Override
	public List<T> index(String index, T object) {
		Arguments.require(READ, "object", object);
		String namespace = Objects.requireNonNullElse(ObjectState.of(object).namespace(), "");
		return readable(index, namespace).index(index).objectsLike(object);
	}

	@Override
	public List<String> indexKeys(String index, String value) {
		List<String> keys = readable(index, value).index(index).keys(value);
		keys.sort(null);
		return keys;
	}

	@Override
	public Set<String> indexValues(String index) {
		Arguments.require(READ, "index", index);
		return new LinkedHashSet<>(readable().index(index).values());
	}

	@Override
	public List<String> indexValues(String index, String key) {
		Arguments.require(READ, "index", index);
		Arguments.require(READ, "key", key);
		int slash = key.indexOf('/');
		Contents<T> current = (slash >= 0) ? readable(index, key.substring(0, slash)) : readable();
		return current.index(index).valuesOf(key);
	}

	@Override
	public List<String> keys() {
		return readable().objects().keys();
	}

	/**
	 * Return a snapshot of the keys of a namespace, or of all if it is empty, in an order
	 * that depends on the keys alone.
	 */
	public List<String> keys(String namespace) {
		Contents<T> current = contents();
		return namespace.isEmpty() ? current.objects().keys() : current.index(NAMESPACE_INDEX).keys(namespace);
	}

	/**
	 * Return the resource version that a namespace has reached, empty before the first
	 * list.
	 */
	public String resourceVersion(String namespace) {
		String version = contents().resourceVersions().get(namespace);
		return (version != null) ? version : "";
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.informer.InvocationGate.Target;
import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.reconcilers.ReconcilerOptions.Reference;
import dev.informer.work.FollowedCache;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;

/**
 * Relations between the primary objects of a reconciler and others, in both directions:
 * from an event to the keys of the primary objects that it concerns, and from a primary
 * object to its owned and watched objects. Thread-safe.
 */
final class Dependents<T extends KubernetesObject> {

	private final SharedIndexInformer<T> primaries;

	private final ReconcilerOptions<T> options;

	private final List<SharedIndexInformer<?>> informers;

	private final Map<Reference<?>, Relation> watched = new HashMap<>();

	private final List<IndexRelation<T>> indexRelations = new ArrayList<>();

	Dependents(SharedIndexInformer<T> primaries, ReconcilerOptions<T> options) {
		this.primaries = primaries;
		this.options = options;
		Set<SharedIndexInformer<?>> all = new LinkedHashSet<>();
		all.add(primaries);
		all.addAll(options.owned());
		options.watched().forEach((reference) -> all.add(reference.informer()));
		this.informers = List.copyOf(all);
		options.owned().forEach((informer) -> informer.enableIndex(Lister.OWNER_INDEX));
		for (Reference<?> reference : options.watched()) {
			String index = reference.index();
			if (index != null && !primaries.indices().containsKey(index)) {
				throw new IllegalArgumentException("Informer '" + primaries.name() + "' has no index '" + index
						+ "'. Add one that maps an object to the names of those in informer '"
						+ reference.informer().name() + "'.");
			}
			if (index != null) {
				IndexRelation<T> relation = new IndexRelation<>(primaries, reference, index);
				this.indexRelations.add(relation);
				this.watched.put(reference, relation);
			}
			else {
				this.watched.put(reference, new MapperRelation(reference));
			}
		}
	}

	SharedIndexInformer<T> primaries() {
		return this.primaries;
	}

	/**
	 * Return the primary object with a key; {@code null} if it does not exist or is not
	 * known yet.
	 */
	@Nullable T primary(String key) {
		KubernetesObject cached = FollowedCache.of(this.primaries).find(key);
		return (cached != null) ? cast(cached) : null;
	}

	/**
	 * Return a primary object of an event.
	 */
	T cast(KubernetesObject primary) {
		return this.primaries.resourceType().type().cast(primary);
	}

	static Target target(KubernetesObject primary) {
		ObjectState state = ObjectState.of(primary);
		return new Target(state.namespace(), String.valueOf(state.name()), state.uid(), null);
	}

	/**
	 * Return the informers, that of the primary objects first.
	 */
	List<SharedIndexInformer<?>> informers() {
		return this.informers;
	}

	/**
	 * Return the name of the reconciler.
	 */
	String reconciler() {
		return this.options.name();
	}

	/**
	 * Return the relations of the objects of an informer to the primary objects.
	 */
	List<Relation> relations(SharedIndexInformer<?> informer) {
		List<Relation> relations = new ArrayList<>();
		if (this.options.owned().contains(informer)) {
			relations.add(new OwnerRelation());
		}
		this.options.watched()
			.stream()
			.filter((reference) -> reference.informer() == informer)
			.map(this.watched::get)
			.forEach(relations::add);
		return relations;
	}

	/**
	 * Return the relations by an index.
	 */
	List<IndexRelation<T>> indexRelations() {
		return this.indexRelations;
	}

	static Trigger trigger(ResourceEvent<?> event, Trigger change) {
		if (event.resync()) {
			return Trigger.RESYNC;
		}
		return (event instanceof ResourceEvent.Added<?> added && added.initialList()) ? Trigger.INITIAL_LIST : change;
	}

	private Optional<String> ownerOf(KubernetesObject object) {
		String namespace = ObjectState.of(object).namespace();
		return ObjectState.controller(object).filter(this::isPrimary).map((owner) -> {
			ResourceType<T> type = this.primaries.resourceType();
			// of a type that was not discovered yet, the scope is not known
			boolean clusterScoped = type.kind().isEmpty() ? this.primaries.lister().get(owner.getName()).isPresent()
					: !type.namespaced();
			return clusterScoped ? owner.getName() : ObjectKey.of(namespace, owner.getName());
		});
	}

	/**
	 * Return whether a reference may be one to a primary object. Whoever writes the
	 * object can give it any name, also one with a slash.
	 */
	private boolean isPrimary(V1OwnerReference owner) {
		ResourceType<T> type = this.primaries.resourceType();
		return owner.getName() != null && owner.getName().indexOf('/') < 0
				&& (owner.getApiVersion() == null || type.group().equals(groupOf(owner.getApiVersion())))
				&& (type.kind().isEmpty() || type.kind().equals(owner.getKind()));
	}

	private static String groupOf(String apiVersion) {
		int slash = apiVersion.indexOf('/');
		return (slash >= 0) ? apiVersion.substring(0, slash) : "";
	}

	/**
	 * Return the objects of a class that have a primary object as their controller.
	 */
	<S extends KubernetesObject> Owned<S> owned(T primary, Class<S> type) {
		ObjectState state = ObjectState.of(primary);
		String uid = String.valueOf(state.uid());
		List<SharedIndexInformer<S>> informers = watching(informers(type, this.options.owned().stream(), "owns"),
				state.namespace());
		if (state.namespace() != null) {
			informers.forEach((informer) -> FollowedCache.of(informer).requireListed(state.namespace()));
		}
		Set<String> found = new HashSet<>();
		return new Owned<>(informers.stream()
			.flatMap((informer) -> informer.lister().byIndex(Lister.OWNER_INDEX, uid).stream())
			// several informers may select an object
			.filter((object) -> found.add(String.valueOf(ObjectState.of(object).uid())))
			.filter((object) -> state.namespace() == null
					|| state.namespace().equals(ObjectState.of(object).namespace()))
			.filter((object) -> ObjectState.controller(object)
				.filter((owner) -> isPrimary(owner) && uid.equals(owner.getUid())
						&& owner.getName().equals(state.name()))
				.isPresent())
			.toList());
	}

	/**
	 * Return the objects of a class to which a primary object refers.
	 */
	<S extends KubernetesObject> Watched<S> watched(T primary, Class<S> type) {
		List<Reference<?>> references = this.options.watched()
			.stream()
			.filter((reference) -> reference.index() != null)
			.toList();
		List<SharedIndexInformer<S>> informers = informers(type, references.stream().map(Reference::informer),
				"watches by an index");
		String namespace = ObjectState.of(primary).namespace();
		Set<String> found = new HashSet<>();
		return new Watched<>(references.stream()
			.flatMap((reference) -> informers.stream()
				.filter((informer) -> informer == reference.informer())
				.flatMap((informer) -> values(Objects.requireNonNull(reference.index()), primary).stream()
					.filter((value) -> reference.permits(namespace, value))
					.filter((value) -> watching(informers, namespaceOf(value, namespace)).contains(informer))
					.flatMap((value) -> find(informer.lister(), namespace, value).stream())))
			.filter((object) -> found.add(String.valueOf(ObjectState.of(object).uid())))
			.toList());
	}

	private static @Nullable String namespaceOf(String value, @Nullable String namespace) {
		int slash = value.indexOf('/');
		return (slash >= 0) ? value.substring(0, slash) : namespace;
	}

	/**
	 * Return the values of an index. A function that throws was reported when the object
	 * was stored, without a value.
	 */
	private Collection<String> values(String index, T primary) {
		try {
			return Objects.requireNonNull(this.primaries.indices().get(index)).values(primary);
		}
		catch (RuntimeException ex) {
			return List.of();
		}
	}

	/**
	 * Return the object with a name, which is cluster-scoped, in the namespace of the
	 * primary object, or in the one that precedes it.
	 */
	private static <S extends KubernetesObject> Optional<S> find(Lister<S> lister, @Nullable String namespace,
			String value) {
		Optional<S> object = lister.get(value);
		return (object.isEmpty() && namespace != null && value.indexOf('/') < 0) ? lister.get(namespace, value)
				: object;
	}

	@SuppressWarnings("unchecked")
	private <S extends KubernetesObject> List<SharedIndexInformer<S>> informers(Class<S> type,
			Stream<? extends SharedIndexInformer<?>> all, String relation) {
		List<SharedIndexInformer<S>> found = all.filter((informer) -> informer.resourceType().type() == type)
			.distinct()
			.map((informer) -> (SharedIndexInformer<S>) informer)
			.toList();
		if (found.isEmpty()) {
			throw new IllegalArgumentException("Reconciler '" + this.options.name() + "' " + relation
					+ " no objects of " + type.getName() + ". Declare it, or pass another class.");
		}
		return found;
	}

	/**
	 * Return the informers that watch a namespace; all, whose reads of it fail, if none
	 * does.
	 */
	private static <S extends KubernetesObject> List<SharedIndexInformer<S>> watching(
			List<SharedIndexInformer<S>> informers, @Nullable String namespace) {
		List<SharedIndexInformer<S>> watching = informers.stream()
			.filter((informer) -> Selection.isIn(informer, namespace))
			.toList();
		return watching.isEmpty() ? informers : watching;
	}

	/**
	 * Relation of objects to their controllers.
	 */
	private final class OwnerRelation implements Relation {

		@Override
		public Trigger trigger() {
			return Trigger.OWNED;
		}

		@Override
		public Collection<String> primaries(KubernetesObject object) {
			return ownerOf(object).stream().toList();
		}

		@Override
		public String toString() {
			return "owned objects";
		}

	}

	/**
	 * Relation by a function.
	 */
	private record MapperRelation(Reference<?> reference) implements Relation {

		@Override
		public Trigger trigger() {
			return Trigger.WATCHED;
		}

		@Override
		@SuppressWarnings("unchecked")
		public Collection<String> primaries(KubernetesObject object) {
			return ((Function<KubernetesObject, Collection<String>>) Objects.requireNonNull(this.reference.primaries()))
				.apply(object);
		}

		@Override
		public String toString() {
			return "watches of " + this.reference.informer().resourceType().type().getSimpleName() + " by mapper "
					+ this.reference.primaries();
		}

	}

}

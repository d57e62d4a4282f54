/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.apply.UpdateScope;
import dev.informer.test.apply.Writer;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.Store;
import dev.informer.test.store.StoredObject;
import dev.informer.test.store.StoredObjectKey;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Garbage collector, as in kube-controller-manager: deletes objects whose owners are
 * gone. In contrast to it, this one has finished when the write has. All methods are
 * called with the store's lock held.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/concepts/architecture/garbage-collection/">Garbage
 * collection</a>
 */
final class GarbageCollector {

	private static final Writer WRITER = new Writer(UpdateScope.OBJECT, "kube-controller-manager");

	private final Store store;

	private final ResourceTable table;

	private final ObjectOperations operations;

	GarbageCollector(Store store, ResourceTable table, ObjectOperations operations) {
		this.store = store;
		this.table = table;
		this.operations = operations;
	}

	/**
	 * Look at an object that has been created or updated, if its owners have changed. The
	 * Java API may write owners that do not exist: a test needs not create them.
	 * @param previous its state before, {@code null} for a new one
	 */
	void afterWrite(@Nullable StoredObject previous, StoredObject object, UpdateScope scope) {
		List<String> before = (previous != null) ? previous.owners() : List.of();
		if (before.equals(object.owners())) {
			return;
		}
		if (scope != UpdateScope.EVERYTHING) {
			collect(object);
		}
		if (previous != null) {
			releaseOwners(previous);
		}
	}

	/**
	 * Look at the dependents of an object that waits for its finalizers.
	 */
	void afterMark(StoredObject owner) {
		Set<String> finalizers = ObjectMetadata.finalizers(owner.tree());
		if (finalizers.contains(Propagation.ORPHAN_FINALIZER)) {
			this.store.dependents(owner.uid()).forEach((dependent) -> disown(dependent, Set.of(owner.uid())));
			removeFinalizer(owner, Propagation.ORPHAN_FINALIZER);
		}
		else if (finalizers.contains(Propagation.FOREGROUND_FINALIZER)) {
			this.store.dependents(owner.uid()).forEach(this::collect);
			release(owner);
		}
	}

	/**
	 * Look at the dependents and the owners of an object that has been removed.
	 */
	void afterRemove(StoredObject object) {
		this.store.dependents(object.uid()).forEach(this::collect);
		releaseOwners(object);
	}

	/**
	 * Delete an object that has no owner any more.
	 */
	private void collect(StoredObject dependent) {
		StoredObject object = this.store.get(dependent.definition(), dependent.key());
		if (object == null || !object.uid().equals(dependent.uid())) {
			return;
		}
		ObjectNode tree = object.tree();
		if (ObjectMetadata.isBeingDeleted(tree)) {
			release(object);
			return;
		}
		Owners owners = owners(object, tree);
		if (owners.unknown() || (owners.gone().isEmpty() && owners.waiting().isEmpty())) {
			return;
		}
		if (owners.remaining()) {
			owners.gone().addAll(owners.waiting());
			disown(object, owners.gone());
		}
		else {
			boolean hasDependents = !this.store.dependents(object.uid()).isEmpty();
			this.operations.delete(object, propagation(tree, !owners.waiting().isEmpty() && hasDependents), false);
		}
	}

	private static Propagation propagation(ObjectNode tree, boolean foreground) {
		Set<String> finalizers = ObjectMetadata.finalizers(tree);
		if (!foreground && finalizers.contains(Propagation.ORPHAN_FINALIZER)) {
			return Propagation.ORPHAN;
		}
		return (foreground || finalizers.contains(Propagation.FOREGROUND_FINALIZER)) ? Propagation.FOREGROUND
				: Propagation.BACKGROUND;
	}

	private Owners owners(StoredObject object, ObjectNode tree) {
		Owners owners = new Owners(new HashSet<>(), new HashSet<>(), false, false);
		for (JsonNode reference : tree.path("metadata").path("ownerReferences")) {
			Optional<ResourceDefinition> definition = definition(reference);
			boolean clusterScoped = object.key().namespace().isEmpty();
			if (definition.isEmpty() || (clusterScoped && definition.get().namespaced())) {
				return owners.withUnknown();
			}
			String uid = Json.text(reference, "uid");
			StoredObject owner = this.store.get(definition.get(),
					StoredObjectKey.of(definition.get(), object.key().namespace(), Json.text(reference, "name")));
			if (owner == null || !owner.uid().equals(uid)) {
				owners.gone().add(uid);
			}
			else if (isDeletedInForeground(owner)) {
				owners.waiting().add(uid);
			}
			else {
				owners = owners.withRemaining();
			}
		}
		return owners;
	}

	private Optional<ResourceDefinition> definition(JsonNode reference) {
		String apiVersion = Json.text(reference, "apiVersion");
		String group = apiVersion.contains("/") ? apiVersion.split("/")[0] : "";
		return this.table.all()
			.stream()
			.filter((definition) -> definition.group().equals(group)
					&& definition.kind().equals(Json.text(reference, "kind")))
			.findFirst();
	}

	private static boolean isDeletedInForeground(StoredObject object) {
		ObjectNode tree = object.tree();
		return ObjectMetadata.isBeingDeleted(tree)
				&& ObjectMetadata.finalizers(tree).contains(Propagation.FOREGROUND_FINALIZER);
	}

	/**
	 * Let the owners of an object go that waited for it.
	 */
	private void releaseOwners(StoredObject object) {
		if (object.owners().isEmpty()) {
			return;
		}
		for (JsonNode reference : object.tree().path("metadata").path("ownerReferences")) {
			definition(reference)
				.map((definition) -> this.store.get(definition,
						StoredObjectKey.of(definition, object.key().namespace(), Json.text(reference, "name"))))
				.ifPresent(this::release);
		}
	}

	/**
	 * Let an object go that is deleted in the foreground, if no dependent blocks it.
	 */
	private void release(StoredObject owner) {
		StoredObject current = this.store.get(owner.definition(), owner.key());
		if (current != null && current.uid().equals(owner.uid()) && isDeletedInForeground(current)
				&& this.store.dependents(owner.uid())
					.stream()
					.noneMatch((dependent) -> blocks(dependent, owner.uid()))) {
			removeFinalizer(current, Propagation.FOREGROUND_FINALIZER);
		}
	}

	private static boolean blocks(StoredObject dependent, String uid) {
		for (JsonNode reference : dependent.tree().path("metadata").path("ownerReferences")) {
			if (Json.text(reference, "uid").equals(uid) && reference.path("blockOwnerDeletion").asBoolean(false)) {
				return true;
			}
		}
		return false;
	}

	private void disown(StoredObject dependent, Set<String> owners) {
		filter(dependent, "ownerReferences", (reference) -> owners.contains(Json.text(reference, "uid")));
	}

	private void removeFinalizer(StoredObject object, String finalizer) {
		filter(object, "finalizers", (each) -> each.asString("").equals(finalizer));
	}

	/**
	 * Remove elements of a list in the metadata of an object.
	 */
	private void filter(StoredObject object, String list, Predicate<JsonNode> removed) {
		this.operations.update(object.definition(), object.key(), (tree) -> {
			List<JsonNode> kept = new ArrayList<>();
			tree.path("metadata").path(list).forEach(kept::add);
			kept.removeIf(removed);
			ArrayNode array = Json.childObject(tree, "metadata").putArray(list);
			kept.forEach(array::add);
			return tree;
		}, WRITER, false);
	}

	/**
	 * Owners of an object.
	 *
	 * @param gone the UIDs of those that do not exist
	 * @param waiting the UIDs of those that are deleted after the object
	 * @param remaining whether there are others
	 * @param unknown whether one cannot be looked up
	 */
	private record Owners(Set<String> gone, Set<String> waiting, boolean remaining, boolean unknown) {

		Owners withRemaining() {
			return new Owners(this.gone, this.waiting, true, this.unknown);
		}

		Owners withUnknown() {
			return new Owners(this.gone, this.waiting, this.remaining, true);
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.Store;
import dev.informer.test.store.StoredObject;
import dev.informer.test.store.StoredObjectKey;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules for namespaces: an object needs an existing namespace, and is deleted together
 * with it. All methods are called with the store's lock held.
 */
final class Namespaces {

	private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

	private final Store store;

	private final ResourceTable table;

	private final ObjectOperations operations;

	private final ResourceDefinition definition;

	Namespaces(Store store, ResourceTable table, ObjectOperations operations) {
		this.store = store;
		this.table = table;
		this.operations = operations;
		this.definition = table.named("namespaces");
	}

	void checkCreate(ResourceDefinition created, StoredObjectKey key) {
		if (!created.namespaced()) {
			return;
		}
		StoredObject namespace = this.store.get(this.definition, new StoredObjectKey("", key.namespace()));
		if (namespace == null) {
			throw StatusErrors.notFound(this.definition, key.namespace());
		}
		if (ObjectMetadata.isBeingDeleted(namespace.tree())) {
			throw StatusErrors.namespaceTerminating(created, key);
		}
	}

	/**
	 * Delete a namespace and its objects. Objects with finalizers delay the deletion.
	 * @param dryRun whether to return the terminating namespace without deleting it
	 */
	StoredObject delete(StoredObject namespace, boolean dryRun) {
		String name = namespace.key().name();
		if (IMMORTAL.contains(name)) {
			throw StatusErrors.forbidden(this.definition, name, "this namespace may not be deleted");
		}
		ObjectNode tree = namespace.tree();
		if (ObjectMetadata.isBeingDeleted(tree)) {
			return namespace;
		}
		Json.childObject(tree, "metadata").put("deletionTimestamp", ObjectMetadata.now());
		Json.childObject(tree, "status").put("phase", "Terminating");
		if (dryRun) {
			return StoredObject.of(this.definition, namespace.key(), namespace.resourceVersion(), tree);
		}
		StoredObject terminating = this.store.put(this.definition, namespace.key(), tree);
		for (ResourceDefinition content : contents()) {
			this.store.resource(content)
				.objects(name)
				.forEach((object) -> this.operations.delete(object, Propagation.BACKGROUND, false));
		}
		afterDelete(name);
		return terminating;
	}

	/**
	 * Remove a terminating namespace after its last object has been removed.
	 */
	void afterDelete(String name) {
		StoredObject namespace = name.isEmpty() ? null : this.store.get(this.definition, new StoredObjectKey("", name));
		if (namespace != null && ObjectMetadata.isBeingDeleted(namespace.tree()) && isEmpty(name)) {
			this.store.remove(Objects.requireNonNull(namespace));
		}
	}

	private boolean isEmpty(String name) {
		return contents().stream().allMatch((content) -> this.store.resource(content).objects(name).isEmpty());
	}

	private List<ResourceDefinition> contents() {
		return this.table.all().stream().filter(ResourceDefinition::namespaced).toList();
	}

}

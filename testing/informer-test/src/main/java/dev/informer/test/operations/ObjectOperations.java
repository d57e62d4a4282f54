/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.apply.FieldOwnership;
import dev.informer.test.apply.FieldTypes;
import dev.informer.test.apply.UpdateScope;
import dev.informer.test.apply.Writer;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.Selector;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.Store;
import dev.informer.test.store.StoredObject;
import dev.informer.test.store.StoredObjectKey;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Write operations. Each operation is atomic.
 * <p>
 * Thread-safe.
 */
public final class ObjectOperations {

	private final Store store;

	private final FieldTypes types = new FieldTypes();

	private final FieldOwnership ownership;

	private final Namespaces namespaces;

	private final CustomResources customResources;

	private final @Nullable GarbageCollector collector;

	public ObjectOperations(Store store, ResourceTable table, boolean garbageCollection) {
		this.store = store;
		this.ownership = new FieldOwnership(this.types, table);
		this.namespaces = new Namespaces(store, table, this);
		this.customResources = new CustomResources(store, table, this.types);
		this.collector = garbageCollection ? new GarbageCollector(store, table, this) : null;
	}

	public StoredObject create(ResourceDefinition definition, String namespace, ObjectNode tree, Writer writer,
			boolean dryRun) {
		return this.store.locked(() -> {
			ObjectRules.checkType(definition, tree);
			ObjectDefaults.apply(definition, tree, this.types);
			this.ownership.update(definition, Json.object(), tree, writer);
			return insert(definition, namespace, tree, writer.scope(), dryRun);
		});
	}

	private StoredObject insert(ResourceDefinition definition, String namespace, ObjectNode tree, UpdateScope scope,
			boolean dryRun) {
		StoredObjectKey key = ObjectRules.prepareCreate(definition, namespace, tree, scope);
		this.namespaces.checkCreate(definition, key);
		this.customResources.beforeWrite(definition, tree);
		StoredObject existing = this.store.get(definition, key);
		if (existing != null) {
			throw StatusErrors.alreadyExists(existing);
		}
		if (dryRun) {
			return StoredObject.of(definition, key, 0, tree);
		}
		StoredObject created = this.store.put(definition, key, tree);
		this.customResources.afterWrite(definition, tree);
		if (this.collector != null) {
			this.collector.afterWrite(null, created, scope);
		}
		return created;
	}

	/**
	 * Update an object with the result of a change to its copy.
	 * @param dryRun whether to return the result without storing it
	 */
	public StoredObject update(ResourceDefinition definition, StoredObjectKey key, UnaryOperator<ObjectNode> change,
			Writer writer, boolean dryRun) {
		return this.store.locked(() -> {
			StoredObject current = require(definition, key);
			ObjectNode previous = current.tree();
			ObjectNode candidate = change.apply(previous.deepCopy());
			ObjectRules.checkUpdate(definition, current, candidate, writer.scope());
			ObjectDefaults.apply(definition, candidate, this.types);
			this.ownership.update(definition, previous, candidate, writer);
			return replace(current, previous, candidate, writer.scope(), dryRun);
		});
	}

	/**
	 * Update an object with a patch, which does not change its UID.
	 */
	public StoredObject patch(ResourceDefinition definition, StoredObjectKey key, UnaryOperator<ObjectNode> patch,
			Writer writer, boolean dryRun) {
		return update(definition, key, (previous) -> {
			ObjectNode patched = patch.apply(previous.deepCopy());
			ObjectRules.checkPatchedUid(definition, previous, patched);
			return patched;
		}, writer, dryRun);
	}

	/**
	 * Create or update an object with what a manager applies.
	 * @param force whether the manager takes fields from others
	 * @param dryRun whether to return the result without storing it
	 */
	public Applied apply(ResourceDefinition definition, StoredObjectKey key, ObjectNode patch, Writer writer,
			boolean force, boolean dryRun) {
		return this.store.locked(() -> {
			StoredObject current = this.store.get(definition, key);
			if (current == null && writer.scope() == UpdateScope.OBJECT) {
				ObjectNode tree = this.ownership.apply(definition, Json.object(), patch, writer, force);
				ObjectRules.checkApplied(definition, key, tree);
				ObjectDefaults.apply(definition, tree, this.types);
				return new Applied(insert(definition, key.namespace(), tree, writer.scope(), dryRun), true);
			}
			current = require(definition, key);
			ObjectNode previous = current.tree();
			ObjectNode candidate = this.ownership.apply(definition, previous, patch, writer, force);
			ObjectRules.checkPatchedUid(definition, previous, candidate);
			ObjectRules.checkUpdate(definition, current, candidate, writer.scope());
			ObjectDefaults.apply(definition, candidate, this.types);
			return new Applied(replace(current, previous, candidate, writer.scope(), dryRun), false);
		});
	}

	private StoredObject replace(StoredObject current, ObjectNode previous, ObjectNode candidate, UpdateScope scope,
			boolean dryRun) {
		ResourceDefinition definition = current.definition();
		StoredObjectKey key = current.key();
		ObjectNode result = ObjectRules.prepareUpdate(definition, current, previous, candidate, scope);
		if (ObjectMetadata.isBeingDeleted(previous) && !ObjectMetadata.hasFinalizers(result)
				&& !definition.resource().equals("namespaces")) {
			if (!dryRun) {
				remove(current, result);
			}
			return StoredObject.of(definition, key, current.resourceVersion(), result);
		}
		if (result.equals(previous)) {
			return current;
		}
		this.customResources.beforeWrite(definition, result);
		if (dryRun) {
			return StoredObject.of(definition, key, current.resourceVersion(), result);
		}
		StoredObject updated = this.store.put(definition, key, result);
		this.customResources.afterWrite(definition, result);
		if (this.collector != null) {
			this.collector.afterWrite(current, updated, scope);
		}
		return updated;
	}

	/**
	 * Delete an object.
	 * @param preconditions the expected UID and resource version, each optional
	 * @param propagation what to do with its dependents
	 * @param dryRun whether to return the result without deleting the object
	 * @return the result
	 */
	public Deletion delete(ResourceDefinition definition, StoredObjectKey key, JsonNode preconditions,
			Propagation propagation, boolean dryRun) {
		return this.store.locked(() -> {
			StoredObject current = require(definition, key);
			checkPreconditions(current, preconditions);
			return delete(current, propagation, dryRun);
		});
	}

	public List<StoredObject> deleteCollection(ResourceDefinition definition, String namespace, Selector selector,
			Propagation propagation, boolean dryRun) {
		return this.store.locked(() -> {
			List<StoredObject> deleted = new ArrayList<>();
			for (StoredObject object : this.store.resource(definition).objects(namespace)) {
				if (selector.matches(object)) {
					delete(object, propagation, dryRun);
					deleted.add(object);
				}
			}
			return deleted;
		});
	}

	/**
	 * Delete an object, unless it has gone with its owner meanwhile.
	 */
	Deletion delete(StoredObject object, Propagation propagation, boolean dryRun) {
		ResourceDefinition definition = object.definition();
		StoredObject current = this.store.get(definition, object.key());
		if (current == null) {
			return new Deletion(object, true);
		}
		if (definition.resource().equals("namespaces")) {
			return new Deletion(this.namespaces.delete(current, dryRun), false);
		}
		ObjectNode tree = current.tree();
		propagation.setFinalizer(definition, tree);
		if (!ObjectMetadata.hasFinalizers(tree)) {
			return new Deletion(dryRun ? current : remove(current, tree), true);
		}
		if (!ObjectMetadata.isBeingDeleted(tree)) {
			ObjectMetadata.markDeleted(tree);
		}
		else if (tree.equals(current.tree())) {
			return new Deletion(current, false);
		}
		if (dryRun) {
			return new Deletion(StoredObject.of(definition, current.key(), current.resourceVersion(), tree), false);
		}
		StoredObject marked = this.store.put(definition, current.key(), tree);
		if (this.collector != null) {
			this.collector.afterMark(marked);
		}
		return new Deletion(marked, false);
	}

	private StoredObject remove(StoredObject current, ObjectNode last) {
		StoredObject deleted = this.store.remove(current);
		this.customResources.afterDelete(current.definition(), last);
		this.namespaces.afterDelete(current.key().namespace());
		if (this.collector != null) {
			this.collector.afterRemove(deleted);
		}
		return deleted;
	}

	private StoredObject require(ResourceDefinition definition, StoredObjectKey key) {
		StoredObject current = this.store.get(definition, key);
		if (current == null) {
			throw StatusErrors.notFound(definition, key.name());
		}
		return current.converted(definition);
	}

	private static void checkPreconditions(StoredObject current, JsonNode preconditions) {
		String uid = Json.text(preconditions, "uid");
		String name = current.key().name();
		if (!uid.isEmpty() && !uid.equals(current.uid())) {
			throw StatusErrors.preconditionFailed(current.definition(), name,
					"the UID in the precondition (" + uid + ") does not match the UID in record (" + current.uid()
							+ "). The object might have been deleted and then recreated");
		}
		String version = Json.text(preconditions, "resourceVersion");
		if (!version.isEmpty() && !version.equals(Long.toString(current.resourceVersion()))) {
			throw StatusErrors.preconditionFailed(current.definition(), name,
					"the ResourceVersion in the precondition (" + version
							+ ") does not match the ResourceVersion in record (" + current.resourceVersion()
							+ "). The object might have been modified");
		}
	}

	/**
	 * Result of an apply.
	 *
	 * @param object the object
	 * @param created whether it did not exist before
	 */
	public record Applied(StoredObject object, boolean created) {
	}

	/**
	 * Result of a deletion.
	 *
	 * @param object the last state of the object, or its state while it waits for
	 * finalizers
	 * @param gone whether the object has been removed
	 */
	public record Deletion(StoredObject object, boolean gone) {
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.StatusErrors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merge of what several writers want of an object, and the record of who owns which
 * field. All methods are called with the store's lock held.
 *
 * @see <a href=
 * "https://pkg.go.dev/k8s.io/apimachinery/pkg/util/managedfields">managedfields</a>
 * @see <a href=
 * "https://pkg.go.dev/sigs.k8s.io/structured-merge-diff/v6/merge#Updater">merge.Updater</a>
 */
public final class FieldOwnership {

	private static final String BEFORE_FIRST_APPLY = "before-first-apply";

	/** Fields that nobody owns. */
	private static final FieldSet UNOWNED = unowned();

	private final FieldTypes types;

	private final ResourceTable table;

	public FieldOwnership(FieldTypes types, ResourceTable table) {
		this.types = types;
		this.table = table;
	}

	private static FieldSet unowned() {
		FieldSet fields = FieldSet.of("apiVersion").union(FieldSet.of("kind")).union(FieldSet.of("metadata"));
		for (String name : List.of("name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName",
				"generation", "managedFields", "resourceVersion")) {
			fields = fields.union(FieldSet.of("metadata", name));
		}
		return fields;
	}

	/**
	 * Record the owner of what a create or update changes.
	 * @param live the current object, without metadata for a new one
	 * @param candidate the object as it is to be stored, whose owners are set
	 */
	public void update(ResourceDefinition definition, ObjectNode live, ObjectNode candidate, Writer writer) {
		boolean exists = live.path("metadata").hasNonNull("uid");
		if (!exists && !writer.isTracked()) {
			return;
		}
		ManagedFields managed = ownersOf(live, candidate, writer);
		ManagedFields.remove(candidate);
		if (exists && managed.isEmpty()) {
			return;
		}
		try {
			update(definition, live, candidate, managed, writer.owner(definition, false), writer);
			managed.writeTo(candidate);
		}
		catch (IllegalArgumentException ex) {
			// The real server does not track an object that does not fit its type,
			// either.
		}
	}

	/**
	 * Return the owners before a write. A write to the object may change them.
	 */
	private static ManagedFields ownersOf(ObjectNode live, ObjectNode candidate, Writer writer) {
		if (writer.subresource().isEmpty()) {
			if (ManagedFields.isReset(candidate)) {
				return new ManagedFields();
			}
			ManagedFields written = read(candidate);
			if (!written.isEmpty()) {
				return written;
			}
		}
		return read(live);
	}

	private static ManagedFields read(ObjectNode object) {
		try {
			return ManagedFields.of(object);
		}
		catch (IllegalArgumentException ex) {
			return new ManagedFields();
		}
	}

	private void update(ResourceDefinition definition, ObjectNode live, ObjectNode candidate, ManagedFields managed,
			ManagedFields.Owner owner, Writer writer) {
		String apiVersion = definition.apiVersion();
		TypedValue before = typed(definition, live);
		TypedValue after = typed(definition, candidate);
		FieldChanges changes = changes(definition, apiVersion, before, after, writer);
		give(definition, managed, null, before, after, writer, true);
		FieldSet changed = changes.modifiedAndAdded().minus(UNOWNED);
		if (!changed.isEmpty()) {
			ManagedFields.Owned previous = managed.get(owner);
			managed.put(owner, new ManagedFields.Owned((previous != null) ? changed.union(previous.fields()) : changed,
					apiVersion, ObjectMetadata.now()));
		}
		managed.limitUpdates();
	}

	/**
	 * Merge what a manager applies into an object.
	 * @param live the current object, without metadata for a new one
	 * @param patch what the manager applies
	 * @param force whether to take fields from other owners
	 * @return the object with its new owners
	 * @throws KubernetesStatusException if other managers own fields with other values
	 */
	public ObjectNode apply(ResourceDefinition definition, ObjectNode live, ObjectNode patch, Writer writer,
			boolean force) {
		String apiVersion = definition.apiVersion();
		check(definition, patch);
		TypedValue applied = new TypedValue(patch, this.types.type(definition, apiVersion));
		TypedValue before = typed(definition, live);
		ManagedFields managed = ManagedFields.of(live);
		if (managed.isEmpty()) {
			ManagedFields.Owner first = new ManagedFields.Owner(BEFORE_FIRST_APPLY, false, apiVersion,
					writer.subresource());
			update(definition, Json.object(), live, managed, first, writer);
		}
		ManagedFields.Owner owner = writer.owner(definition, true);
		ManagedFields.Owned last = managed.get(owner);
		FieldSet fields = applied.fields().without(writer.scope().reset(definition));
		String time = (last != null) ? last.time() : null;
		managed.put(owner, new ManagedFields.Owned(fields, apiVersion, time));
		TypedValue after = before.merge(applied);
		if (last != null && !last.fields().isEmpty()) {
			after = prune(definition, after, managed, last);
		}
		give(definition, managed, owner, before, after, writer, force);
		boolean same = Json.isSame(before.value(), after.value());
		FieldSet owned = fields.minus(UNOWNED);
		if (owned.isEmpty()) {
			managed.remove(owner);
		}
		else {
			managed.put(owner, new ManagedFields.Owned(owned, apiVersion, same ? time : ObjectMetadata.now()));
		}
		ObjectNode result = same ? live.deepCopy() : normalized(definition, after);
		managed.writeTo(result);
		return result;
	}

	private void check(ResourceDefinition definition, ObjectNode patch) {
		String apiVersion = Json.text(patch, "apiVersion");
		String kind = Json.text(patch, "kind");
		if (!apiVersion.equals(definition.apiVersion()) || !kind.equals(definition.kind())) {
			throw StatusErrors.badRequest("invalid object type: " + goKind(patch));
		}
		if (ManagedFields.isPresent(patch)) {
			throw StatusErrors.badRequest("metadata.managedFields must be nil");
		}
		List<String> violations = new TypedValue(patch, this.types.type(definition, apiVersion)).violations();
		if (!violations.isEmpty()) {
			JsonNode metadata = patch.path("metadata");
			throw StatusErrors.internal("failed to create typed patch object (" + Json.text(metadata, "namespace") + "/"
					+ Json.text(metadata, "name") + "; " + goKind(patch) + "): "
					+ ((violations.size() == 1) ? violations.get(0) : "errors:\n  " + String.join("\n  ", violations)));
		}
	}

	private static String goKind(ObjectNode object) {
		String apiVersion = Json.text(object, "apiVersion");
		return (apiVersion.contains("/") ? apiVersion : "/" + apiVersion) + ", Kind=" + Json.text(object, "kind");
	}

	/**
	 * Remove what a manager applied last and applies no longer, unless it has another
	 * owner.
	 */
	private TypedValue prune(ResourceDefinition definition, TypedValue merged, ManagedFields managed,
			ManagedFields.Owned last) {
		FieldType type = merged.type();
		if (!isServed(definition, last.apiVersion())) {
			return merged;
		}
		TypedValue pruned = merged.without(last.fields().withNamedFields(type));
		pruned = addOwned(merged, pruned, managed, type);
		FieldSet dropped = merged.fields()
			.withNamedFields(type)
			.minus(pruned.fields().withNamedFields(type))
			.intersection(last.fields().withNamedFields(type));
		return merged.without(dropped);
	}

	private static TypedValue addOwned(TypedValue merged, TypedValue pruned, ManagedFields managed, FieldType type) {
		Map<String, FieldSet> byVersion = new TreeMap<>();
		for (ManagedFields.Owner owner : managed.owners()) {
			ManagedFields.Owned owned = managed.get(owner);
			if (owned != null) {
				byVersion.merge(owned.apiVersion(), owned.fields(), FieldSet::union);
			}
		}
		TypedValue result = pruned;
		for (FieldSet owned : byVersion.values()) {
			FieldSet kept = result.fields().withNamedFields(type).union(owned.withNamedFields(type));
			result = merged.without(merged.fields().withNamedFields(type).minus(kept));
		}
		return result;
	}

	/**
	 * Take the fields that a write changes from all other owners.
	 * @param self the owner that writes, {@code null} if it loses its fields, too
	 * @throws KubernetesStatusException if this is a conflict and not forced
	 */
	private void give(ResourceDefinition definition, ManagedFields managed, ManagedFields.@Nullable Owner self,
			TypedValue before, TypedValue after, Writer writer, boolean force) {
		Map<ManagedFields.Owner, FieldSet> conflicts = new TreeMap<>();
		Map<String, FieldChanges> changes = new TreeMap<>();
		List<ManagedFields.Owner> others = new ArrayList<>(managed.owners());
		others.remove(self);
		for (ManagedFields.Owner owner : others) {
			ManagedFields.Owned owned = managed.get(owner);
			if (owned == null || !isServed(definition, owned.apiVersion())) {
				managed.remove(owner);
				continue;
			}
			FieldChanges ofVersion = changes.computeIfAbsent(owned.apiVersion(),
					(version) -> changes(definition, version, before, after, writer));
			FieldSet conflict = owned.fields().intersection(ofVersion.modifiedAndAdded());
			if (!conflict.isEmpty()) {
				conflicts.put(owner, conflict);
			}
		}
		if (!force && !conflicts.isEmpty()) {
			throw conflict(conflicts);
		}
		conflicts.forEach(managed::take);
		for (ManagedFields.Owner owner : managed.owners()) {
			ManagedFields.Owned owned = managed.get(owner);
			if (owned != null && !owner.equals(self)) {
				managed.take(owner, changes(definition, owned.apiVersion(), before, after, writer).removed());
			}
		}
	}

	private static KubernetesStatusException conflict(Map<ManagedFields.Owner, FieldSet> conflicts) {
		ObjectNode details = Json.object();
		ArrayNode causes = details.putArray("causes");
		StringBuilder all = new StringBuilder();
		conflicts.forEach((owner, fields) -> {
			all.append("\nconflicts with ").append(owner).append(":");
			fields.forEach((path) -> {
				all.append("\n- ").append(path);
				causes.addObject()
					.put("reason", "FieldManagerConflict")
					.put("message", "conflict with " + owner)
					.put("field", path);
			});
		});
		String message = (causes.size() == 1)
				? "1 conflict: " + Json.text(causes.path(0), "message") + ": " + Json.text(causes.path(0), "field")
				: causes.size() + " conflicts: " + all.substring(1);
		return new KubernetesStatusException(
				StatusErrors.failure("Apply failed with " + message, "Conflict", details, 409));
	}

	private FieldChanges changes(ResourceDefinition definition, String apiVersion, TypedValue before, TypedValue after,
			Writer writer) {
		return FieldChanges.between(before.value(), after.value(), this.types.type(definition, apiVersion))
			.without(writer.scope().reset(definition));
	}

	private TypedValue typed(ResourceDefinition definition, ObjectNode object) {
		return new TypedValue(this.types.normalized(definition, object),
				this.types.type(definition, definition.apiVersion()));
	}

	private ObjectNode normalized(ResourceDefinition definition, TypedValue merged) {
		return this.types.normalized(definition, (ObjectNode) merged.value());
	}

	private boolean isServed(ResourceDefinition definition, String apiVersion) {
		return this.table.all()
			.stream()
			.anyMatch((served) -> served.apiVersion().equals(apiVersion)
					&& served.resource().equals(definition.resource()));
	}

}

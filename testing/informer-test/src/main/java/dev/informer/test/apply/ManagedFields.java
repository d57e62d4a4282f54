/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.informer.test.store.Json;
import dev.informer.test.store.StatusErrors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Owners of the fields of an object: its {@code metadata.managedFields}.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management">Field
 * management</a>
 */
public final class ManagedFields {

	private static final String NAME = "managedFields";

	private static final String TYPE = "FieldsV1";

	/** The number of owners by updates beyond which the oldest become one. */
	private static final int MAX_UPDATES = 10;

	private static final String OLDEST = "ancient-changes";

	private final SortedMap<Owner, Owned> owners = new TreeMap<>();

	/**
	 * Read the owners of an object. An owner that occurs twice has its last fields.
	 * @throws IllegalArgumentException if an entry is invalid
	 */
	static ManagedFields of(JsonNode object) {
		ManagedFields managed = new ManagedFields();
		for (JsonNode entry : object.path("metadata").path(NAME)) {
			Owner owner = Owner.of(entry);
			if (!Json.text(entry, "fieldsType").equals(TYPE)) {
				throw new IllegalArgumentException("invalid fieldsType in managed fields");
			}
			managed.owners.put(owner, new Owned(FieldSet.parse(entry.path("fieldsV1")), Json.text(entry, "apiVersion"),
					entry.hasNonNull("time") ? Json.text(entry, "time") : null));
		}
		return managed;
	}

	/**
	 * Return whether a request asks for the removal of all owners: by an empty list, or
	 * by a list of one empty entry.
	 */
	static boolean isReset(JsonNode object) {
		JsonNode entries = object.path("metadata").path(NAME);
		return entries.isArray() && (entries.isEmpty() || (entries.size() == 1 && entries.path(0).isEmpty()));
	}

	static boolean isPresent(JsonNode object) {
		return object.path("metadata").hasNonNull(NAME);
	}

	static void remove(ObjectNode object) {
		Json.childObject(object, "metadata").remove(NAME);
	}

	boolean isEmpty() {
		return this.owners.isEmpty();
	}

	List<Owner> owners() {
		return List.copyOf(this.owners.keySet());
	}

	@Nullable Owned get(Owner owner) {
		return this.owners.get(owner);
	}

	void put(Owner owner, Owned owned) {
		this.owners.put(owner, owned);
	}

	void remove(Owner owner) {
		this.owners.remove(owner);
	}

	/**
	 * Take fields from an owner. An owner without fields is removed.
	 */
	void take(Owner owner, FieldSet fields) {
		this.owners.computeIfPresent(owner, (key, owned) -> {
			FieldSet rest = owned.fields().minus(fields);
			return rest.isEmpty() ? null : owned.with(rest);
		});
	}

	/**
	 * Merge the oldest owners by updates until there are at most ten of them.
	 */
	void limitUpdates() {
		List<Map.Entry<Owner, Owned>> updates = new ArrayList<>(Map.copyOf(this.owners).entrySet());
		updates.removeIf((entry) -> entry.getKey().applied());
		updates.sort(Comparator.comparing((Map.Entry<Owner, Owned> entry) -> entry.getValue().seconds())
			.thenComparing(Map.Entry::getKey));
		int surplus = updates.size() - MAX_UPDATES;
		Map<String, Owner> first = new TreeMap<>();
		for (Map.Entry<Owner, Owned> entry : updates) {
			Owned owned = entry.getValue();
			Owner previous = first.putIfAbsent(owned.apiVersion(), entry.getKey());
			if (surplus > 0 && previous != null) {
				Owner oldest = new Owner(OLDEST, false, owned.apiVersion(), "");
				Owned merged = this.owners.containsKey(oldest) ? this.owners.get(oldest) : this.owners.remove(previous);
				this.owners.remove(entry.getKey());
				this.owners.put(oldest, (merged != null) ? owned.with(owned.fields().union(merged.fields())) : owned);
				surplus--;
			}
		}
	}

	/**
	 * Write the owners to an object, in the order of the real server.
	 */
	void writeTo(ObjectNode object) {
		ObjectNode metadata = Json.childObject(object, "metadata");
		if (this.owners.isEmpty()) {
			metadata.remove(NAME);
			return;
		}
		ArrayNode entries = metadata.putArray(NAME);
		Comparator<Map.Entry<Owner, Owned>> order = Comparator
			.comparing((Map.Entry<Owner, Owned> entry) -> !entry.getKey().applied())
			.thenComparing((entry) -> entry.getValue().seconds())
			.thenComparing((entry) -> entry.getKey().manager())
			.thenComparing((entry) -> entry.getValue().apiVersion())
			.thenComparing((entry) -> entry.getKey().subresource());
		this.owners.entrySet().stream().sorted(order).forEach((entry) -> {
			ObjectNode node = entries.addObject();
			Owner owner = entry.getKey();
			node.put("manager", owner.manager());
			node.put("operation", owner.operation());
			node.put("apiVersion", entry.getValue().apiVersion());
			if (entry.getValue().time() != null) {
				node.put("time", entry.getValue().time());
			}
			node.put("fieldsType", TYPE);
			node.set("fieldsV1", entry.getValue().fields().toJson());
			if (!owner.subresource().isEmpty()) {
				node.put("subresource", owner.subresource());
			}
		});
	}

	/**
	 * Keep the times of the previous state of an object if nothing else has changed.
	 */
	public static void keepTimes(JsonNode previous, ObjectNode object) {
		JsonNode before = previous.path("metadata").path(NAME);
		JsonNode after = object.path("metadata").path(NAME);
		if (before.isArray() && before.size() == after.size() && !before.equals(after)
				&& Json.isSame(withoutTimes(previous), withoutTimes(object))) {
			Json.childObject(object, "metadata").set(NAME, before);
		}
	}

	private static JsonNode withoutTimes(JsonNode object) {
		JsonNode copy = object.deepCopy();
		copy.path("metadata").path(NAME).forEach((entry) -> ((ObjectNode) entry).remove("time"));
		return copy;
	}

	/**
	 * Owner of fields.
	 *
	 * @param manager the name of the field manager
	 * @param applied whether it owns the fields by apply, not by other writes
	 * @param apiVersion the API version of its writes; empty if it applies, because it
	 * has one entry for all versions
	 * @param subresource the subresource that it writes, empty for the object
	 */
	record Owner(String manager, boolean applied, String apiVersion, String subresource) implements Comparable<Owner> {

		private static final Comparator<Owner> ORDER = Comparator.comparing(Owner::manager)
			.thenComparing(Owner::operation)
			.thenComparing(Owner::apiVersion)
			.thenComparing((owner) -> owner.subresource.isEmpty())
			.thenComparing(Owner::subresource);

		static Owner of(JsonNode entry) {
			String operation = Json.text(entry, "operation");
			if (!operation.equals("Apply") && !operation.equals("Update")) {
				throw new IllegalArgumentException("operation must be `Apply` or `Update`");
			}
			String apiVersion = Json.text(entry, "apiVersion");
			if (apiVersion.isEmpty()) {
				throw new IllegalArgumentException("apiVersion must not be empty");
			}
			boolean applied = operation.equals("Apply");
			return new Owner(Json.text(entry, "manager"), applied, applied ? "" : apiVersion,
					Json.text(entry, "subresource"));
		}

		String operation() {
			return this.applied ? "Apply" : "Update";
		}

		@Override
		public int compareTo(Owner other) {
			return ORDER.compare(this, other);
		}

		/**
		 * Return the description of this owner in conflicts.
		 */
		@Override
		public String toString() {
			String name = StatusErrors.quoted(this.manager);
			if (!this.subresource.isEmpty()) {
				name += " with subresource " + StatusErrors.quoted(this.subresource);
			}
			return this.applied ? name : name + " using " + this.apiVersion;
		}

	}

	/**
	 * Fields of an owner.
	 *
	 * @param fields the fields
	 * @param apiVersion the API version in which it wrote them
	 * @param time the time of its last change, {@code null} if it has changed nothing
	 */
	record Owned(FieldSet fields, String apiVersion, @Nullable String time) {

		Owned with(FieldSet newFields) {
			return new Owned(newFields, this.apiVersion, this.time);
		}

		long seconds() {
			try {
				return (this.time != null) ? Instant.parse(this.time).getEpochSecond() : 0;
			}
			catch (DateTimeParseException ex) {
				return 0;
			}
		}

	}

}

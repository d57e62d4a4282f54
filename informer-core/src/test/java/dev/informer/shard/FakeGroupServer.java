/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.google.gson.JsonObject;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * Server with the Leases of a group, which replaces and deletes one only if it is still
 * the one that was read or observed.
 */
final class FakeGroupServer {

	private final Map<String, Lease> leases = new HashMap<>();

	private final List<Change> changes = new ArrayList<>();

	private @Nullable Failure failure;

	/**
	 * Return the number of changes until now.
	 */
	int changes() {
		return this.changes.size();
	}

	/**
	 * Apply a range of changes to a view.
	 */
	void apply(Map<String, LeaseRecord> view, int from, int to) {
		for (Change change : this.changes.subList(from, to)) {
			if (change.record() != null) {
				view.put(change.name(), change.record());
			}
			else {
				view.remove(change.name());
			}
		}
	}

	Map<String, LeaseRecord> view() {
		Map<String, LeaseRecord> view = new HashMap<>();
		apply(view, 0, changes());
		return view;
	}

	/**
	 * Replace or delete a Lease unconditionally.
	 */
	void set(String name, @Nullable LeaseRecord record) {
		this.changes.add(new Change(name, record));
		if (record == null) {
			this.leases.remove(name);
			return;
		}
		JsonObject object = new JsonObject();
		object.addProperty("version", this.changes.size());
		this.leases.put(name, new Lease(record, object));
	}

	/**
	 * Answer a request.
	 * @return the Lease; {@code null} if there is none, or for a {@link #failure()}
	 */
	@Nullable Lease answer(LeaseRequest request) {
		this.failure = null;
		Lease read = request.lease();
		Lease current = this.leases.get(request.name());
		if (request.purpose() == Purpose.READ) {
			return current;
		}
		boolean observed = request.purpose() == Purpose.COLLECT;
		if (current == null && (read != null || observed)) {
			this.failure = Failure.NOT_FOUND;
			return null;
		}
		boolean same = observed ? current != null && current.record().equals(request.record())
				: Objects.equals((read != null) ? read.object() : null, (current != null) ? current.object() : null);
		if (!same) {
			this.failure = Failure.CONFLICT;
			return null;
		}
		set(request.name(), observed ? collected(Objects.requireNonNull(request.record())) : request.record());
		return this.leases.get(request.name());
	}

	private static @Nullable LeaseRecord collected(LeaseRecord record) {
		return record.holder().isEmpty() ? null : record.released();
	}

	@Nullable Failure failure() {
		return this.failure;
	}

	private record Change(String name, @Nullable LeaseRecord record) {
	}

}

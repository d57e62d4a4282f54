/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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

	/** Leases whose label a policy removes from each write. */
	private final Set<String> stripped = new HashSet<>();

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

	LeaseRecord lease(String name) {
		return Objects.requireNonNull(view().get(name));
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
		this.changes.add(new Change(name, record, false));
		if (record == null) {
			this.leases.remove(name);
			return;
		}
		JsonObject object = new JsonObject();
		object.addProperty("version", this.changes.size());
		this.leases.put(name, new Lease(record, object));
	}

	/**
	 * Return the names of the Leases that existed without a label after a range of
	 * changes, which one of these has removed.
	 */
	Set<String> hidden(int from, int to) {
		Set<String> hidden = new HashSet<>();
		for (Change change : this.changes.subList(from, to)) {
			if (change.hidden()) {
				hidden.add(change.name());
			}
			else {
				hidden.remove(change.name());
			}
		}
		return hidden;
	}

	/**
	 * Remove the label of a Lease, so that no watch shows it.
	 */
	void removeLabel(String name) {
		Lease lease = this.leases.get(name);
		if (lease != null) {
			set(name, lease.record());
			this.changes.set(this.changes.size() - 1, new Change(name, null, true));
		}
	}

	/**
	 * Remove the label from each write of a Lease, until this is ended.
	 */
	void removeLabelFromWrites(String name, boolean remove) {
		if (remove) {
			this.stripped.add(name);
			removeLabel(name);
		}
		else {
			this.stripped.remove(name);
		}
	}

	/**
	 * Remove the annotation of a Lease.
	 */
	void removeSlots(String name) {
		Lease lease = this.leases.get(name);
		if (lease != null) {
			LeaseRecord record = lease.record();
			set(name, new LeaseRecord(record.holder(), record.durationSeconds(), record.acquireTime(),
					record.renewTime(), record.transitions()));
		}
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
		if (this.stripped.contains(request.name())) {
			removeLabel(request.name());
			this.failure = observed ? null : Failure.ALTERED;
			return null;
		}
		return this.leases.get(request.name());
	}

	private static @Nullable LeaseRecord collected(LeaseRecord record) {
		return record.holder().isEmpty() ? null : record.released();
	}

	@Nullable Failure failure() {
		return this.failure;
	}

	private record Change(String name, @Nullable LeaseRecord record, boolean hidden) {
	}

}

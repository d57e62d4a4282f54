/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Server with one Lease, which replaces it only if it is still the one that was read.
 */
final class FakeLeaseServer {

	private final List<Consumer<@Nullable LeaseRecord>> watches = new ArrayList<>();

	private @Nullable Lease lease;

	private long version;

	/** Last conflict or missing Lease. */
	private @Nullable Failure failure;

	void watch(Consumer<@Nullable LeaseRecord> watch) {
		this.watches.add(watch);
	}

	@Nullable LeaseRecord record() {
		return (this.lease != null) ? this.lease.record() : null;
	}

	Map<String, LeaseRecord> leases() {
		return leases(record());
	}

	static Map<String, LeaseRecord> leases(@Nullable LeaseRecord record) {
		return (record != null) ? Map.of("app", record) : Map.of();
	}

	LeaseRecord current() {
		return Objects.requireNonNull(record());
	}

	/**
	 * Replace the content unconditionally.
	 */
	void set(@Nullable LeaseRecord record) {
		JsonObject object = new JsonObject();
		object.addProperty("version", ++this.version);
		this.lease = (record != null) ? new Lease(record, object) : null;
		List.copyOf(this.watches).forEach((watch) -> watch.accept(record));
	}

	/**
	 * Answer a request.
	 * @return the Lease; {@code null} if there is none, or for a {@link #failure()}
	 */
	@Nullable Lease answer(LeaseRequest request) {
		this.failure = null;
		if (request.record() == null) {
			return this.lease;
		}
		Lease read = request.lease();
		Lease current = this.lease;
		if (read != null && current == null) {
			this.failure = Failure.NOT_FOUND;
			return null;
		}
		if (!Objects.equals((read != null) ? read.object() : null, (current != null) ? current.object() : null)) {
			this.failure = Failure.CONFLICT;
			return null;
		}
		set(request.record());
		return this.lease;
	}

	@Nullable Failure failure() {
		return this.failure;
	}

}

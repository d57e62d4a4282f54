/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.lease.HeldLease;
import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseRecord;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Leases of the other members, as this process has observed them.
 * <p>
 * A member is alive until its Lease was unchanged for the duration that it contains. That
 * time is measured from when this process has seen the content first to the
 * <em>freshness</em> of the observation: the time at which this process sent the latest
 * write of its Lease that the observation contains. An observation that is behind,
 * because the watch is slow or interrupted, is therefore no reason to regard a member as
 * gone: its time stands still.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 */
final class MemberView {

	/** Lease durations after which a released Lease is deleted. */
	private static final int DELETION_FACTOR = 10;

	private final String ownLease;

	private final LeaseDurations durations;

	private final Map<String, Member> members = new HashMap<>();

	private @Nullable LeaseRecord own;

	/** Last result of {@link #claims}. */
	private Map<String, SlotClaim> claims = Map.of();

	/**
	 * Create a view without members.
	 */
	MemberView(String ownLease, LeaseDurations durations) {
		this.ownLease = ownLease;
		this.durations = durations;
	}

	/**
	 * Note all Leases of the group.
	 */
	void note(Map<String, LeaseRecord> leases, long now) {
		leases.forEach((name, record) -> {
			if (!name.equals(this.ownLease)) {
				Member member = this.members.computeIfAbsent(name, (key) -> new Member(this.durations));
				LeaseRecord before = member.lease.record();
				if (member.lease.note(record, now, now)) {
					member.claim = claim(name, record, before, member.claim);
				}
			}
		});
		this.members.forEach((name, member) -> {
			if (!leases.containsKey(name)) {
				member.lease.note(null, now, now);
			}
		});
		this.own = leases.get(this.ownLease);
	}

	/**
	 * Return the claim of a member. What someone else has changed does not count: a
	 * member changes its claim and its renew time together. A claim that was removed may
	 * be any, until the member writes it again with its next renewal.
	 */
	private @Nullable SlotClaim claim(String name, LeaseRecord record, @Nullable LeaseRecord before,
			@Nullable SlotClaim known) {
		SlotClaim claim = (before != null && before.isHeldBy(record.holder()) && !record.holder().isEmpty()) ? known
				: null;
		if (claim != null && before != null
				&& (before.slots().equals(record.slots()) || Objects.equals(before.renewTime(), record.renewTime()))) {
			return claim;
		}
		SlotClaim parsed = SlotClaim.parse(record.slots());
		if (parsed == null && claim != null) {
			return claim.all();
		}
		return (parsed != null || !isMember(name)) ? parsed : SlotClaim.UNKNOWN;
	}

	/**
	 * Return whether a name is that of a Lease of the group.
	 */
	private boolean isMember(String name) {
		int prefix = this.ownLease.lastIndexOf('-') + 1;
		return name.length() == this.ownLease.length() && name.regionMatches(0, this.ownLease, 0, prefix);
	}

	/**
	 * Return what is wrong with the Lease of a member that is alive; {@code null} for
	 * nothing.
	 */
	@Nullable String problem() {
		for (String name : new TreeSet<>(this.claims.keySet())) {
			LeaseRecord record = Objects.requireNonNull(this.members.get(name)).record();
			if (SlotClaim.parse(record.slots()) == null) {
				return "does not know the slots of the member with the Lease " + UntrustedText.of(name)
						+ ": its annotation is missing or was changed. Check that no policy removes the annotations of "
						+ "Leases.";
			}
			String tooLong = this.durations.tooLong(UntrustedText.of(name), record);
			if (tooLong != null) {
				return tooLong;
			}
		}
		return null;
	}

	/**
	 * Return the Lease of this process as it was observed; {@code null} if it does not
	 * exist.
	 */
	@Nullable LeaseRecord own() {
		return this.own;
	}

	/**
	 * Return the claims of the members that are alive. One whose Lease was deleted counts
	 * as alive until the Lease would have expired, counted from then, unless it was
	 * released before: the member may not have noticed.
	 * @param freshness the freshness of the observation, in nanoseconds
	 * @return the claims by the name of the Lease, not to be modified
	 */
	Map<String, SlotClaim> claims(long freshness) {
		Map<String, SlotClaim> claims = new HashMap<>();
		this.members.entrySet().removeIf((entry) -> {
			Member member = entry.getValue();
			boolean missing = member.lease.isMissing();
			SlotClaim claim = (member.lease.nanosHeld(freshness) > 0) ? member.claim : null;
			if (claim != null) {
				// a Lease that is missing may have had another claim unseen before
				claims.put(entry.getKey(), missing ? claim.all() : claim);
			}
			return claim == null && missing;
		});
		this.claims = claims;
		return claims;
	}

	/**
	 * Return the identities of the holders of the Leases with these names.
	 */
	Set<String> identities(Set<String> leases) {
		Set<String> identities = new TreeSet<>();
		leases.forEach((lease) -> {
			Member member = this.members.get(lease);
			if (member != null) {
				identities.add(member.record().printedHolder());
			}
		});
		return identities;
	}

	/**
	 * Return a Lease to collect: an expired one, so that a process that has started since
	 * need not wait until it has expired for it, too; or one that was released some time
	 * ago.
	 * @param freshness the freshness of the observation, in nanoseconds
	 */
	Map.@Nullable Entry<String, LeaseRecord> abandoned(long freshness) {
		for (Map.Entry<String, Member> entry : this.members.entrySet()) {
			Member member = entry.getValue();
			int durations = member.record().holder().isEmpty() ? DELETION_FACTOR : 1;
			if (member.claim != null && !member.lease.isMissing() && member.lease.isUnchanged(durations, freshness)) {
				return Map.entry(entry.getKey(), member.record());
			}
		}
		return null;
	}

	/**
	 * Lease of another process.
	 */
	private static final class Member {

		private final HeldLease lease;

		/** Slots that it claims; {@code null} if it is not that of a member. */
		private @Nullable SlotClaim claim;

		Member(LeaseDurations durations) {
			this.lease = new HeldLease(durations);
		}

		/**
		 * Return the content, which was noted when the member was added.
		 */
		LeaseRecord record() {
			return Objects.requireNonNull(this.lease.record());
		}

	}

}

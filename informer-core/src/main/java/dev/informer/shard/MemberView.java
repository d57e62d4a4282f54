/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.lease.LeaseRecord;
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

	private static final long NANOS_PER_SECOND = 1_000_000_000L;

	/** Lease durations after which a released Lease is deleted. */
	private static final int DELETION_FACTOR = 10;

	private final String ownLease;

	private final int defaultSeconds;

	private final Map<String, Member> members = new HashMap<>();

	private Set<String> present = Set.of();

	private @Nullable LeaseRecord own;

	/** Result of {@link #claims}, until the next observation. */
	private @Nullable Map<String, SlotClaim> claims;

	private long claimsFreshness;

	/**
	 * Create a view without members.
	 * @param ownLease the name of the Lease of this process
	 * @param defaultSeconds the duration of a Lease that does not contain one
	 */
	MemberView(String ownLease, int defaultSeconds) {
		this.ownLease = ownLease;
		this.defaultSeconds = defaultSeconds;
	}

	/**
	 * Note all Leases of the group.
	 * @param leases the content by name
	 * @param now the current time, in nanoseconds
	 */
	void note(Map<String, LeaseRecord> leases, long now) {
		leases.forEach((name, record) -> {
			Member known = this.members.get(name);
			if (!name.equals(this.ownLease) && (known == null || !known.record().equals(record))) {
				// most renewals do not change the claim
				SlotClaim claim = (known != null && known.record().slots().equals(record.slots())) ? known.claim()
						: SlotClaim.parse(record.slots());
				this.members.put(name, new Member(record, claim, now));
			}
		});
		this.claims = null;
		this.present = Set.copyOf(leases.keySet());
		this.own = leases.get(this.ownLease);
	}

	/**
	 * Return the Lease of this process as it was observed.
	 * @return the content; {@code null} if it does not exist
	 */
	@Nullable LeaseRecord own() {
		return this.own;
	}

	/**
	 * Return the claims of the members that are alive. One whose Lease was deleted counts
	 * as alive until the Lease would have expired, unless it was released before: the
	 * member may not have noticed.
	 * @param freshness the freshness of the observation, in nanoseconds
	 * @return the claims by the name of the Lease, not to be modified. The same map as
	 * before if there was no observation since
	 */
	Map<String, SlotClaim> claims(long freshness) {
		Map<String, SlotClaim> current = this.claims;
		if (current == null || freshness != this.claimsFreshness) {
			current = removeDead(freshness);
			this.claims = current;
			this.claimsFreshness = freshness;
		}
		return current;
	}

	private Map<String, SlotClaim> removeDead(long freshness) {
		Map<String, SlotClaim> claims = new HashMap<>();
		this.members.entrySet().removeIf((entry) -> {
			Member member = entry.getValue();
			SlotClaim claim = member.claim();
			boolean alive = claim != null && member.isHeld() && age(member, freshness) < duration(member);
			if (alive) {
				claims.put(entry.getKey(), claim);
			}
			return !alive && !this.present.contains(entry.getKey());
		});
		return claims;
	}

	/**
	 * Return the identities of the holders of Leases.
	 * @param leases the names of the Leases
	 */
	Set<String> identities(Set<String> leases) {
		Set<String> identities = new TreeSet<>();
		leases.forEach((lease) -> {
			Member member = this.members.get(lease);
			if (member != null) {
				identities.add(member.record().holder());
			}
		});
		return identities;
	}

	/**
	 * Return a Lease to collect: an expired one, so that a process that has started since
	 * need not wait until it has expired for it, too; or one that was released some time
	 * ago.
	 * @param freshness the freshness of the observation, in nanoseconds
	 * @return its name and content; {@code null} for none
	 */
	Map.@Nullable Entry<String, LeaseRecord> abandoned(long freshness) {
		for (Map.Entry<String, Member> entry : this.members.entrySet()) {
			Member member = entry.getValue();
			long since = duration(member) * (member.isHeld() ? 1 : DELETION_FACTOR);
			if (member.claim() != null && this.present.contains(entry.getKey()) && age(member, freshness) >= since) {
				return Map.entry(entry.getKey(), member.record());
			}
		}
		return null;
	}

	private static long age(Member member, long freshness) {
		return freshness - member.changedAt();
	}

	private long duration(Member member) {
		int seconds = member.record().durationSeconds();
		return ((seconds > 0) ? seconds : this.defaultSeconds) * NANOS_PER_SECOND;
	}

	/**
	 * Lease of another process.
	 *
	 * @param record the content
	 * @param claim the slots that it claims; {@code null} if it is not that of a member
	 * @param changedAt the time at which this process has seen the content first
	 */
	private record Member(LeaseRecord record, @Nullable SlotClaim claim, long changedAt) {

		boolean isHeld() {
			return !this.record.holder().isEmpty();
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Instant;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleSupplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseProtocol;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.lease.OwnLease;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one member of a group that divides slots.
 * <p>
 * Each member writes only its own Lease, which contains the slots that it claims, and
 * watches those of all members. It owns a slot once the watch has shown its own claim
 * together with no claim of another member that is alive. Why a slot has one owner at a
 * time: of two claims, one was written first. The process with the later claim sees the
 * earlier one in every state that includes its own, until the first process has withdrawn
 * it, or has not renewed its Lease for the lease duration. The first process withdraws
 * only after its work has ended; and it gives up before others stop to respect its Lease,
 * see {@link LeaseProtocol}. A renewal whose answer shows that others cannot see it, or
 * not its claim, is not successful.
 * <p>
 * A member that does not see its own Lease in the watch does not see the others either,
 * while they leave slots to it. After the lease duration it gives up its slots and
 * releases its Lease, which it continues to write until the watch shows that.
 * <p>
 * Which members claim a slot follows from the {@link SlotAssignment}. Members with
 * different views of the group may claim the same slot; one of them learns that the other
 * is alive, and withdraws.
 * <p>
 * <b>Concurrency.</b> Confined to one thread.
 *
 * @see <a href="https://etcd.io/docs/latest/learning/api_guarantees/">Guarantees of etcd:
 * writes have a total order, and a watch shows them in this order</a>
 */
final class Membership extends LeaseProtocol {

	private final ShardingOptions options;

	private final long leaseDuration;

	private final long retryPeriod;

	private final MemberView view;

	private final SlotAssignment assignment;

	private final SlotOwnership slots;

	/** Time at which the latest write was sent that the watch has shown. */
	private long seenAt;

	/** Whether the Lease is released until the watch shows its writes. */
	private boolean unseen;

	/** Time since which the watch shows them; {@code null} if it does not. */
	private @Nullable Long seenSince;

	/** Claim of the last write. */
	private @Nullable SlotClaim written;

	private Set<String> others = Set.of();

	/** Time of the latest state that was observed, see {@link MemberView}. */
	private @Nullable Long freshness;

	private long nextRenewal;

	/** Time before which no request is sent, after a failure. */
	private long notBefore;

	private long nextCollection;

	/** Whether another process holds the Lease: one with the same identity. */
	private boolean twin;

	/**
	 * Create a member that has not joined. {@code now} is in nanoseconds; {@code random}
	 * returns numbers between 0 and 1.
	 */
	Membership(ShardingOptions options, SlotWork work, long now, DoubleSupplier random) {
		super(new OwnLease(options.location().name(), options.identity(), options.durations(),
				new SlotClaim(options.slots(), new BitSet()).text()), options.durations(), random);
		this.options = options;
		this.leaseDuration = TimeSource.nanos(options.leaseDuration());
		this.retryPeriod = TimeSource.nanos(options.retryPeriod());
		this.view = new MemberView(this.lease.name(), options.durations());
		this.assignment = new SlotAssignment(this.lease.name(), options.slots());
		this.slots = new SlotOwnership(options.slots(), work);
		this.nextRenewal = now;
		this.notBefore = now;
		this.nextCollection = now;
	}

	BitSet owned() {
		return this.slots.owned();
	}

	@Nullable BitSet assigned() {
		return this.slots.assigned();
	}

	Set<String> identitiesOfOthers() {
		return this.view.identities(this.others);
	}

	boolean isExcluded() {
		return isMember() && this.assignment.isExcluded();
	}

	/**
	 * Return whether this process is a member and has observed the others.
	 */
	@Override
	public boolean isSettled(long now) {
		return isMember();
	}

	private boolean isMember() {
		return term() != null && this.freshness != null;
	}

	/**
	 * Observe the members. They answer nothing: this member writes its own Lease until a
	 * request succeeds.
	 */
	@Override
	public boolean observe(Map<String, LeaseRecord> leases, long now) {
		this.view.note(leases, now);
		return false;
	}

	@Override
	public @Nullable String problem() {
		if (this.unseen) {
			return "owns no slots, because the watch of its Leases does not show the Lease " + this.lease.name()
					+ " as it was written. Check the permission to watch Leases, and that no admission policy or "
					+ "webhook changes the label or the annotation of the Lease.";
		}
		if (this.twin) {
			return twinProblem("owns no slots", this.options.identity());
		}
		return (term() != null) ? this.view.problem() : null;
	}

	/**
	 * End the term if the renew deadline has passed, or if the watch does not show this
	 * member.
	 */
	@Override
	public void expire(long now) {
		super.expire(now);
		if (term() != null && now - this.seenAt >= this.leaseDuration) {
			hide("the watch has not shown its Lease for " + TimeSource.millis(this.options.leaseDuration()) + " ms",
					now);
		}
	}

	/**
	 * Leave the group until the watch shows the Lease.
	 */
	private void hide(String reason, long now) {
		this.unseen = true;
		this.seenSince = null;
		if (term() != null) {
			lose(reason, now);
		}
	}

	@Override
	protected void lose(String reason, long now) {
		super.lose(reason, now);
		this.others = Set.of();
		this.slots.releaseAll();
		this.nextRenewal = now;
	}

	@Override
	public void release(long now) {
		super.release(now);
		this.nextRenewal = now;
		this.notBefore = now;
	}

	@Override
	protected long nanosToDeadline(long now) {
		long deadline = super.nanosToDeadline(now);
		return (term() != null) ? Math.min(deadline, this.seenAt + this.leaseDuration - now) : deadline;
	}

	@Override
	protected long nanosToRequest(long now) {
		boolean claimsChanged = term() != null && !this.slots.claim().equals(this.written);
		return Math.max(this.notBefore - now, claimsChanged ? 0 : this.nextRenewal - now);
	}

	@Override
	protected void update(long now) {
		noteSeen(now);
		expire(now);
		updateSlots();
	}

	/**
	 * Note which write the watch has shown.
	 */
	private void noteSeen(long now) {
		Long shown = this.lease.sentAt(this.view.own());
		this.freshness = shown;
		if (shown != null && shown - this.seenAt > 0) {
			this.seenAt = shown;
		}
		boolean seen = shown != null && now - shown < this.leaseDuration;
		if (!seen) {
			this.seenSince = null;
		}
		else if (this.seenSince == null) {
			this.seenSince = now;
		}
		else if (this.unseen && now - this.seenSince >= this.leaseDuration) {
			// for that time, so that single lists are not taken for a watch
			this.unseen = false;
			this.nextRenewal = now;
		}
	}

	/**
	 * Approach the assignment that follows from the observed members.
	 */
	private void updateSlots() {
		LeaseRecord own = this.view.own();
		Instant seen = (own != null) ? own.renewTime() : null;
		if (term() == null || this.freshness == null || seen == null) {
			this.slots.withdrawReleased();
			return;
		}
		Map<String, SlotClaim> claims = this.view.claims(this.freshness);
		this.others = claims.keySet();
		this.slots.approach(this.assignment.with(claims), seen,
				(slot) -> claims.values().stream().anyMatch((claim) -> claim.includes(slot, this.options.slots())));
	}

	@Override
	protected @Nullable LeaseRequest write(long now, Instant clock) {
		if (this.unseen) {
			// work that does not end keeps its claim until the Lease expires
			boolean working = !this.slots.claim().claimed().isEmpty();
			this.nextRenewal = now + this.retryPeriod;
			return working ? null : this.lease.release(now, clock);
		}
		LeaseRequest collection = collection(now);
		if (collection != null) {
			return collection;
		}
		this.written = this.slots.claim();
		LeaseRequest write = this.lease.write(term(), 0, this.written.text(), now, clock);
		this.slots.written(Objects.requireNonNull(Objects.requireNonNull(write.record()).renewTime()));
		return write;
	}

	/**
	 * Return the collection of the Lease of a member that is gone, if one is due. The
	 * first member by name does that; several ones would do no harm.
	 */
	private @Nullable LeaseRequest collection(long now) {
		if (term() == null || this.freshness == null || now - this.nextCollection < 0
				|| !this.others.stream().allMatch((name) -> this.lease.name().compareTo(name) < 0)) {
			return null;
		}
		this.nextCollection = now + this.retryPeriod;
		Map.Entry<String, LeaseRecord> abandoned = this.view.abandoned(this.freshness);
		return (abandoned != null)
				? new LeaseRequest(Purpose.COLLECT, abandoned.getKey(), null, abandoned.getValue(), now) : null;
	}

	@Override
	protected void written(Purpose purpose, LeaseRecord record, long sentAt, long now) {
		if (term() != null) {
			this.nextRenewal = sentAt + this.retryPeriod;
			if (purpose == Purpose.ACQUIRE) {
				this.seenAt = sentAt;
			}
		}
	}

	@Override
	protected void found(@Nullable Lease answer, long sentAt, long now) {
		LeaseRecord record = (answer != null) ? answer.record() : null;
		this.lease.answered(answer);
		long wait = 0;
		if (record != null) {
			this.lease.note(record, now, now);
			wait = this.lease.nanosHeldByOther(now);
		}
		this.twin = wait > 0;
		if (this.twin) {
			if (term() != null) {
				lose("its identity is used by another process", now);
			}
			if (!isReleasing()) {
				// it is read again before it is written
				this.lease.changed();
				this.notBefore = now + wait;
			}
		}
		else if (term() != null && (record == null || record.holder().isEmpty())) {
			lose("its Lease was released or deleted by another process", now);
		}
	}

	@Override
	protected void failed(LeaseRequest request, Failure failure, long now) {
		this.nextRenewal = now;
		switch (failure) {
			case CONFLICT -> {
				this.lease.changed();
				this.notBefore = now;
			}
			case NOT_FOUND -> {
				if (term() != null) {
					lose("its Lease was deleted", now);
				}
				this.notBefore = (request.lease() != null) ? now : now + retryDelay();
			}
			case ALTERED -> {
				this.lease.changed();
				hide("its Lease was stored without its label or its slots", now);
				this.notBefore = now + retryDelay();
			}
			// a write may have been applied, which the next one finds out
			case UNAVAILABLE, OTHER -> this.notBefore = now + retryDelay();
		}
	}

}

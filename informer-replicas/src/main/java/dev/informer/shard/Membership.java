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
 * only after its work has ended; and it gives up when the renew deadline has passed since
 * it <em>sent</em> its last successful renewal, which the other one can have observed
 * only later. A renewal whose answer shows that others cannot see it, or not its claim,
 * is not successful.
 * <p>
 * A member that does not see its own Lease in the watch does not see the others either,
 * while they leave slots to it. After the lease duration it gives up its slots and
 * releases its Lease, which it continues to write until the watch shows that.
 * <p>
 * Which members claim a slot follows from the {@link SlotAssignment}. Members with
 * different views of the group may claim the same slot; one of them learns that the other
 * is alive, and withdraws.
 * <p>
 * <b>Concurrency.</b> Confined to one thread, see {@link LeaseProtocol}.
 *
 * @see <a href="https://etcd.io/docs/latest/learning/api_guarantees/">Guarantees of etcd:
 * writes have a total order, and a watch shows them in this order</a>
 */
final class Membership implements LeaseProtocol {

	private final ShardingOptions options;

	private final long leaseDuration;

	private final long renewDeadline;

	private final long retryPeriod;

	private final DoubleSupplier random;

	private final OwnLease lease;

	private final MemberView view;

	private final SlotAssignment assignment;

	private final SlotOwnership slots;

	private @Nullable LeaseRequest running;

	/** Renew time of the first write of this term; {@code null} without a term. */
	private @Nullable Instant joined;

	private long renewedAt;

	private @Nullable String lostBecause;

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

	private boolean leaving;

	private boolean done;

	/**
	 * Create a member that has not joined. {@code now} is in nanoseconds; {@code random}
	 * returns numbers between 0 and 1.
	 */
	Membership(ShardingOptions options, SlotWork work, long now, DoubleSupplier random) {
		this.options = options;
		this.leaseDuration = TimeSource.nanos(options.leaseDuration());
		this.renewDeadline = TimeSource.nanos(options.renewDeadline());
		this.retryPeriod = TimeSource.nanos(options.retryPeriod());
		this.random = random;
		this.lease = new OwnLease(options.location().name(), options.identity(), options.durations());
		this.view = new MemberView(this.lease.name(), options.durations());
		this.assignment = new SlotAssignment(this.lease.name(), options.slots());
		this.slots = new SlotOwnership(options.slots(), work);
		this.nextRenewal = now;
		this.notBefore = now;
		this.nextCollection = now;
	}

	/**
	 * Return the beginning of the term; {@code null} if this process is no member.
	 */
	@Nullable Instant term() {
		return this.joined;
	}

	BitSet owned() {
		return this.slots.owned();
	}

	@Nullable BitSet assigned() {
		return this.slots.assigned();
	}

	long renewedAt() {
		return this.renewedAt;
	}

	@Nullable String lostBecause() {
		return this.lostBecause;
	}

	Set<String> identitiesOfOthers() {
		return this.view.identities(this.others);
	}

	boolean isExcluded() {
		return isSettled() && this.assignment.isExcluded();
	}

	/**
	 * Return whether this process is a member and has observed the others.
	 */
	boolean isSettled() {
		return this.joined != null && this.freshness != null;
	}

	@Override
	public boolean isDone() {
		return this.done;
	}

	@Override
	public void observe(Map<String, LeaseRecord> leases, long now) {
		this.view.note(leases, now);
	}

	@Override
	public @Nullable String problem() {
		if (this.unseen) {
			return "owns no slots, because the watch of its Leases does not show the Lease " + this.lease.name()
					+ " as it was written. Check the permission to watch Leases, and that no admission policy or "
					+ "webhook changes the label or the annotation of the Lease.";
		}
		if (this.twin) {
			return "owns no slots, because a Lease of its identity '" + this.options.identity()
					+ "', which another process or an earlier run has written, has not expired. If another process is "
					+ "running with this identity, give each its own.";
		}
		return (this.joined != null) ? this.view.problem() : null;
	}

	/**
	 * End the term if the renew deadline has passed, or if the watch does not show this
	 * member.
	 */
	private void expire(long now) {
		if (this.joined != null && now - this.renewedAt >= this.renewDeadline) {
			lose("its Lease could not be renewed within " + TimeSource.millis(this.options.renewDeadline()) + " ms",
					now);
		}
		if (this.joined != null && now - this.seenAt >= this.leaseDuration) {
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
		if (this.joined != null) {
			lose(reason, now);
		}
	}

	private void lose(String reason, long now) {
		this.joined = null;
		this.lostBecause = reason;
		this.others = Set.of();
		this.slots.releaseAll();
		this.nextRenewal = now;
	}

	@Override
	public void release(long now) {
		this.leaving = true;
		if (this.joined != null) {
			lose("it was stopped", now);
		}
		this.nextRenewal = now;
		this.notBefore = now;
		this.done = !this.lease.isWritten();
	}

	@Override
	public long nanosToNext(long now) {
		long deadline = (this.joined != null)
				? Math.min(this.renewedAt + this.renewDeadline - now, this.seenAt + this.leaseDuration - now)
				: Long.MAX_VALUE;
		boolean waiting = this.running == null && !this.done;
		return Math.max(0, waiting ? Math.min(deadline, nanosToRequest(now)) : deadline);
	}

	private long nanosToRequest(long now) {
		boolean claimsChanged = this.joined != null && !this.slots.claim().equals(this.written);
		return Math.max(this.notBefore - now, claimsChanged ? 0 : this.nextRenewal - now);
	}

	@Override
	public @Nullable LeaseRequest next(long now, Instant clock) {
		noteSeen(now);
		expire(now);
		updateSlots();
		if (this.running == null && !this.done && nanosToRequest(now) <= 0) {
			this.running = request(now, clock);
		}
		return this.running;
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
		if (this.joined == null || this.freshness == null || seen == null) {
			this.slots.withdrawReleased();
			return;
		}
		Map<String, SlotClaim> claims = this.view.claims(this.freshness);
		this.others = claims.keySet();
		this.slots.approach(this.assignment.with(claims), seen,
				(slot) -> claims.values().stream().anyMatch((claim) -> claim.includes(slot, this.options.slots())));
	}

	private @Nullable LeaseRequest request(long now, Instant clock) {
		if (!this.lease.isCurrent()) {
			return this.lease.read(now);
		}
		if (this.leaving) {
			this.done = !this.lease.isHeld();
			return this.done ? null : release(now, clock);
		}
		if (this.unseen) {
			// work that does not end keeps its claim until the Lease expires
			boolean working = !this.slots.claim().claimed().isEmpty();
			this.nextRenewal = now + this.retryPeriod;
			return working ? null : release(now, clock);
		}
		LeaseRequest collection = collection(now);
		if (collection != null) {
			return collection;
		}
		this.written = this.slots.claim();
		LeaseRequest write = this.lease.write(this.joined, 0, this.written.text(), now, clock);
		this.slots.written(Objects.requireNonNull(Objects.requireNonNull(write.record()).renewTime()));
		return write;
	}

	private LeaseRequest release(long now, Instant clock) {
		return this.lease.release(new SlotClaim(this.options.slots(), new BitSet()).text(), now, clock);
	}

	/**
	 * Return the collection of the Lease of a member that is gone, if one is due. The
	 * first member by name does that; several ones would do no harm.
	 */
	private @Nullable LeaseRequest collection(long now) {
		if (this.joined == null || this.freshness == null || now - this.nextCollection < 0
				|| !this.others.stream().allMatch((name) -> this.lease.name().compareTo(name) < 0)) {
			return null;
		}
		this.nextCollection = now + this.retryPeriod;
		Map.Entry<String, LeaseRecord> abandoned = this.view.abandoned(this.freshness);
		return (abandoned != null)
				? new LeaseRequest(Purpose.COLLECT, abandoned.getKey(), null, abandoned.getValue(), now) : null;
	}

	@Override
	public void succeeded(@Nullable Lease answer, long now) {
		LeaseRequest request = end(now);
		switch (request.purpose()) {
			case READ -> found(answer, now);
			case ACQUIRE -> {
				this.lease.answered(answer);
				if (!this.leaving && !this.unseen && now - request.sentAt() < this.renewDeadline) {
					this.seenAt = request.sentAt();
					this.joined = Objects.requireNonNull(request.record()).renewTime();
					renewed(request);
				}
			}
			case RENEW -> {
				this.lease.answered(answer);
				// too late if the term has ended; the next write begins another one
				if (this.joined != null) {
					renewed(request);
				}
			}
			case RELEASE -> {
				this.lease.answered(answer);
				this.done = this.leaving;
			}
			case COLLECT -> {
			}
		}
	}

	private void renewed(LeaseRequest request) {
		this.renewedAt = request.sentAt();
		this.nextRenewal = request.sentAt() + this.retryPeriod;
	}

	private void found(@Nullable Lease answer, long now) {
		LeaseRecord record = (answer != null) ? answer.record() : null;
		this.lease.answered(answer);
		long wait = 0;
		if (record != null) {
			this.lease.note(record, now, now);
			wait = this.lease.nanosHeldByOther(now);
		}
		this.twin = wait > 0;
		if (this.twin) {
			// it is read again before it is written
			this.lease.changed();
			if (this.joined != null) {
				lose("its identity is used by another process", now);
			}
			this.done = this.leaving;
			this.notBefore = now + wait;
		}
		else if (this.joined != null && (record == null || record.holder().isEmpty())) {
			lose("its Lease was released or deleted by another process", now);
		}
	}

	@Override
	public void failed(Failure failure, long now) {
		LeaseRequest request = end(now);
		if (request.purpose() == Purpose.COLLECT) {
			// another process has collected it, or one will
			return;
		}
		this.nextRenewal = now;
		switch (failure) {
			case CONFLICT -> {
				this.lease.changed();
				this.notBefore = now;
			}
			case NOT_FOUND -> {
				boolean deleted = request.lease() != null;
				this.lease.answered(null);
				if (this.joined != null) {
					lose("its Lease was deleted", now);
				}
				this.done = this.leaving;
				this.notBefore = deleted ? now : now + retryDelay();
			}
			case ALTERED -> {
				this.lease.changed();
				hide("its Lease was stored without its label or its slots", now);
				this.notBefore = now + retryDelay();
			}
			// a write may have been applied, which the next one finds out
			case OTHER -> this.notBefore = now + retryDelay();
		}
	}

	private long retryDelay() {
		return this.options.durations().retryNanos(this.random.getAsDouble());
	}

	private LeaseRequest end(long now) {
		LeaseRequest request = Objects.requireNonNull(this.running, "No request is running");
		this.running = null;
		// before the result: one that arrives too late must not extend the term
		expire(now);
		return request;
	}

}

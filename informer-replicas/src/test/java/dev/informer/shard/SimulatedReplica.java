/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.SimulatedProcess;
import dev.informer.lease.Term;
import dev.informer.lease.VirtualTime;
import org.jspecify.annotations.Nullable;

import static dev.informer.lease.VirtualTime.SECOND;

/**
 * Replica of a {@link ShardSimulation}, with one membership at a time.
 */
final class SimulatedReplica extends SimulatedProcess implements SlotWork {

	private final ShardSimulation simulation;

	private final Random random;

	private final VirtualTime time;

	private final int number;

	private final Map<Integer, Integer> working = new HashMap<>();

	private final Map<String, LeaseRecord> view = new HashMap<>();

	private int incarnation;

	private @Nullable Membership membership;

	private BitSet permitted = new BitSet();

	private int seen;

	private boolean watching;

	/**
	 * Leases of members that this process has never observed, because they had no label.
	 */
	private Set<String> unknown = new HashSet<>();

	private boolean observed;

	private long watchStandsUntil;

	/** Whether this replica may list Leases, but not watch them. */
	private boolean denied;

	private boolean listing;

	private boolean pending;

	private long request;

	private long acquired;

	private long lost;

	private long work;

	SimulatedReplica(ShardSimulation simulation, int number) {
		super(simulation.time, simulation.random);
		this.simulation = simulation;
		this.random = simulation.random;
		this.time = simulation.time;
		this.number = number;
	}

	long acquired() {
		return this.acquired;
	}

	long lost() {
		return this.lost;
	}

	long work() {
		return this.work;
	}

	/**
	 * Return whether this replica cannot know of another one, whose label was removed
	 * before this one has observed that it is a member. Documented as an exception.
	 */
	boolean cannotKnow(SimulatedReplica other) {
		return this.unknown.contains(other.lease());
	}

	String lease() {
		return options().location().name();
	}

	private ShardingOptions options() {
		return new ShardingOptions("shop", "default", identity(), this.simulation.slots, SlotKey.OBJECT,
				Duration.ofNanos(LEASE), Duration.ofNanos(DEADLINE), Duration.ofSeconds(2));
	}

	String identity() {
		// a restarted process may have the same identity, as in a StatefulSet
		return this.number + ((this.number % 2 == 0) ? "" : "-" + this.incarnation);
	}

	void start() {
		this.incarnation++;
		this.request++;
		this.pending = false;
		this.observed = false;
		this.unknown = new HashSet<>();
		this.permitted = new BitSet();
		this.working.clear();
		this.membership = new Membership(options(), this, nanos(), this.random::nextDouble);
		observeLater();
		workLater(this.incarnation);
		pump();
	}

	/**
	 * End without a restart.
	 */
	void kill() {
		this.membership = null;
		this.permitted = new BitSet();
		this.working.clear();
	}

	void crash() {
		kill();
		this.time.after(this.random.nextLong(10 * SECOND), () -> {
			if (this.membership == null) {
				start();
			}
		});
	}

	/**
	 * Return whether the check before an invocation would permit it. It needs no thread
	 * of the run, so a process that continues after a suspension may do this first.
	 */
	boolean mayBegin(int slot) {
		Membership current = this.membership;
		Term term = (current != null) ? current.term() : null;
		return term != null && this.permitted.get(slot) && nanos() - term.renewedAt() < DEADLINE;
	}

	@Override
	public void permit(BitSet owned) {
		BitSet gained = (BitSet) owned.clone();
		gained.andNot(this.permitted);
		this.acquired += gained.cardinality();
		this.permitted = owned;
		gained.stream().forEach((slot) -> this.simulation.requireSingle(this, slot, "gains"));
	}

	@Override
	public boolean isRunning(int slot) {
		return this.working.containsKey(slot);
	}

	private void workLater(int number) {
		deliver(this.random.nextLong(SECOND), () -> {
			if (this.incarnation == number && this.membership != null) {
				beginWork();
				workLater(number);
			}
		});
	}

	private void beginWork() {
		int slot = this.random.nextInt(this.simulation.slots);
		if (!mayBegin(slot)) {
			return;
		}
		this.simulation.requireSingle(this, slot, "works on");
		this.work++;
		this.working.merge(slot, 1, Integer::sum);
		endWorkLater(slot, this.random.nextLong(4 * SECOND));
	}

	private void endWorkLater(int slot, long delay) {
		int started = this.incarnation;
		deliver(delay, () -> {
			if (this.incarnation == started) {
				this.working.computeIfPresent(slot, (key, count) -> (count > 1) ? count - 1 : null);
			}
		});
	}

	void delayWatch(long duration) {
		this.watchStandsUntil = this.time.now() + duration;
	}

	/**
	 * Deny the watch from now on, so that each answer to a request causes a list.
	 */
	void denyWatch() {
		this.denied = true;
	}

	/**
	 * List the Leases, unless a list is running.
	 */
	private void list() {
		if (!this.denied || this.listing || isPartitioned()) {
			return;
		}
		this.listing = true;
		this.time.after(delay(), () -> {
			int until = this.simulation.server.changes();
			this.time.after(delay(), () -> this.listing = false);
			deliver(delay(), () -> observe(until));
		});
	}

	@Override
	protected void reconnected() {
		observeLater();
	}

	@Override
	public void suspend(long duration) {
		// what is on its way when a process is suspended is sent when it continues
		this.working.clear();
		super.suspend(duration);
	}

	void leave() {
		Membership leaving = this.membership;
		if (leaving != null && !isSuspended()) {
			this.permitted = new BitSet();
			this.working.clear();
			leaving.release(nanos());
			pump();
			this.time.after(this.random.nextLong(5 * SECOND), () -> {
				if (this.membership == leaving) {
					start();
				}
			});
		}
	}

	@Override
	public void recover() {
		this.watchStandsUntil = 0;
		this.watching = false;
		super.recover();
		observeLater();
	}

	/**
	 * Observe the changes until now, after a delay.
	 */
	void observeLater() {
		if (this.watching || this.denied) {
			return;
		}
		this.watching = true;
		long delay = Math.max(this.random.nextLong(this.simulation.watchDelay),
				this.watchStandsUntil - this.time.now());
		this.time.after(delay, () -> {
			this.watching = false;
			if (this.denied) {
				return;
			}
			int until = this.simulation.server.changes();
			deliver(delay() / 4, () -> observe(until));
		});
	}

	private void observe(int until) {
		if (this.membership == null || isPartitioned() || until <= this.seen) {
			return;
		}
		noteHidden(until);
		this.simulation.server.apply(this.view, this.seen, until);
		this.seen = until;
		List<String> found = this.unknown.stream().filter(this.view::containsKey).toList();
		int started = this.incarnation;
		// until slots that both have are released, and the work on them has ended
		this.time.after(LEASE, () -> {
			if (this.incarnation == started) {
				found.forEach(this.unknown::remove);
			}
		});
		this.membership.observe(this.view, nanos());
		if (!this.denied && until < this.simulation.server.changes()) {
			observeLater();
		}
	}

	private void noteHidden(int until) {
		for (String name : this.simulation.server.hidden(this.observed ? this.seen : 0, until)) {
			LeaseRecord last = this.view.get(name);
			if (!this.observed || last == null || last.holder().isEmpty()) {
				this.unknown.add(name);
			}
		}
		this.observed = true;
	}

	@Override
	protected void pump() {
		Membership current = this.membership;
		if (current == null || isSuspended()) {
			return;
		}
		boolean member = current.term() != null;
		LeaseRequest next = current.next(nanos(), clock());
		if (member && current.term() == null) {
			this.lost++;
			// interrupted
			this.working.keySet().forEach((slot) -> {
				this.working.put(slot, 1);
				endWorkLater(slot, this.random.nextLong(SECOND));
			});
		}
		if (next != null && !this.pending) {
			this.pending = true;
			send(current, next, ++this.request);
		}
		wakeIn(Math.max(current.nanosToNext(nanos()), 1));
	}

	private void send(Membership sender, LeaseRequest sent, long id) {
		deliver(TIMEOUT, () -> result(sender, id, null, Failure.UNAVAILABLE));
		if (isPartitioned()) {
			return;
		}
		this.time.after(delay(), () -> {
			// also after the sender has given up
			this.simulation.requested();
			Lease answer = this.simulation.server.answer(sent);
			Failure failure = this.simulation.server.failure();
			this.simulation.observeLater();
			if (!isPartitioned()) {
				deliver(delay(), () -> result(sender, id, answer, failure));
			}
		});
	}

	private void result(Membership sender, long id, @Nullable Lease answer, @Nullable Failure failure) {
		if (sender != this.membership || id != this.request || !this.pending) {
			return;
		}
		this.pending = false;
		if (failure != null) {
			sender.failed(failure, nanos());
		}
		else {
			sender.succeeded(answer, nanos());
			list();
		}
	}

}

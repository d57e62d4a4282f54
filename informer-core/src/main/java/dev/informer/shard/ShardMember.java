/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.informer.Sharding;
import dev.informer.ShardingListener;
import dev.informer.TimeSource;
import dev.informer.lease.ApiLeaseClient;
import dev.informer.lease.LeaseClient;
import dev.informer.lease.LeaseFailure;
import dev.informer.lease.LeaseFailures;
import dev.informer.lease.LeaseRun;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership of this process in a group of replicas that divide work by slots. Can be
 * started again after a stop.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The thread of the {@link LeaseRun} writes the volatile
 * state; {@link #begin} reads it without a lock. Starts and stops exclude each other by
 * this object's monitor, which that thread does not take.
 */
public final class ShardMember implements Sharding {

	private static final Logger logger = LoggerFactory.getLogger(ShardMember.class);

	/** Minimum time to leave the group when a stop has no time left. */
	private static final Duration MIN_RELEASE = Duration.ofSeconds(1);

	private final ShardingOptions options;

	private final Supplier<LeaseClient> clients;

	private final ThreadFactory threads;

	private final TimeSource time;

	private final long renewDeadline;

	private final LeaseFailures failures;

	private final List<ShardingListener> listeners = new CopyOnWriteArrayList<>();

	/** By slot, the number of pieces of work that have begun and not ended. */
	private final AtomicIntegerArray running;

	private volatile @Nullable LeaseRun run;

	private volatile @Nullable LeaseClient client;

	private volatile boolean stopping = true;

	private volatile Permit permit = new Permit(new BitSet(), 0);

	private volatile Set<String> members = Set.of();

	private volatile @Nullable Set<Integer> assigned;

	private volatile boolean settled;

	/**
	 * Create a membership, which does nothing until it is started.
	 * @param options the options of the group
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public ShardMember(ShardingOptions options, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		this(options, () -> new ApiLeaseClient(apiClient, options.location(), threads), threads, TimeSource.SYSTEM);
	}

	ShardMember(ShardingOptions options, Supplier<LeaseClient> clients, ThreadFactory threads, TimeSource time) {
		this.options = options;
		this.clients = clients;
		this.threads = threads;
		this.time = time;
		this.renewDeadline = TimeSource.nanos(options.renewDeadline());
		this.failures = new LeaseFailures(logger, subject(), Map.of("group", options.group()), options.location(),
				time);
		this.running = new AtomicIntegerArray(options.slots());
	}

	/**
	 * Return the options.
	 * @return the options
	 */
	public ShardingOptions options() {
		return this.options;
	}

	@Override
	public String group() {
		return this.options.group();
	}

	@Override
	public String identity() {
		return this.options.identity();
	}

	@Override
	public int slots() {
		return this.options.slots();
	}

	@Override
	public int slotOf(@Nullable String namespace, String name) {
		return this.options.slotOf(namespace, name);
	}

	@Override
	public boolean owns(int slot) {
		return current().get(slot);
	}

	@Override
	public Set<Integer> owned() {
		return toSet(current());
	}

	@Override
	public @Nullable Set<Integer> assigned() {
		return this.assigned;
	}

	/**
	 * Return the slots on which work may begin now, which are not to be modified.
	 */
	private BitSet current() {
		Permit latest = this.permit;
		boolean valid = !this.stopping && this.time.nanoTime() - latest.renewedAt() < this.renewDeadline;
		return valid ? latest.slots() : new BitSet();
	}

	static Set<Integer> toSet(BitSet slots) {
		return slots.stream().boxed().collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Return the identities of the members of the group, as far as this process has
	 * observed them.
	 * @return the identities, with that of this process once it has joined
	 */
	public Set<String> members() {
		return this.members;
	}

	/**
	 * Return the failure of the requests and of the watch for the Leases since they were
	 * last successful.
	 * @return the failure; empty if there is none
	 */
	public Optional<LeaseFailure> failure() {
		LeaseClient watching = this.client;
		return this.failures.latest().or(() -> (watching != null) ? watching.watchFailure() : Optional.empty());
	}

	@Override
	public boolean begin(int slot) {
		// first, so that a release either sees the work or prevents it
		this.running.incrementAndGet(slot);
		boolean permitted = owns(slot);
		if (!permitted) {
			end(slot);
		}
		return permitted;
	}

	@Override
	public void end(int slot) {
		boolean last = this.running.decrementAndGet(slot) == 0;
		LeaseRun current = this.run;
		if (last && current != null && (this.stopping || !this.permit.slots().get(slot))) {
			current.signal();
		}
	}

	/**
	 * Return the number of pieces of work on slots that have begun and not ended.
	 */
	int running(BitSet slots) {
		return slots.stream().map(this.running::get).sum();
	}

	private boolean isIdle() {
		BitSet all = new BitSet();
		all.set(0, this.options.slots());
		return running(all) == 0;
	}

	@Override
	public void addListener(ShardingListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(ShardingListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Join the group. Returns immediately. Does nothing if it was started.
	 */
	public synchronized void start() {
		if (this.run != null) {
			return;
		}
		LeaseClient connected = this.clients.get();
		Membership membership = new Membership(this.options, new Work(), this.time.nanoTime(),
				() -> ThreadLocalRandom.current().nextDouble());
		LeaseRun started = new LeaseRun(subject(), logger, membership, connected,
				new MembershipObserver(this, membership, this.time), this.time);
		this.failures.reset();
		this.permit = new Permit(new BitSet(), 0);
		this.client = connected;
		this.run = started;
		this.stopping = false;
		logger.info("Sharding '{}': '{}' started, with Lease {}/{}", group(), identity(), this.options.namespace(),
				this.options.location().name());
		started.start(this.threads, "informer-shard-" + group());
	}

	/**
	 * Wait until this process is a member and knows the others, or cannot know them.
	 * @param timeout the maximum time to wait
	 * @return whether this is the case
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean awaitAnswer(Duration timeout) throws InterruptedException {
		LeaseRun current = this.run;
		return current != null && current.await(() -> this.settled || failure().isPresent(), TimeSource.nanos(timeout));
	}

	/**
	 * Stop. No work begins from now on. If all work ends in time, this process leaves the
	 * group, so that others take its slots over at once; otherwise its Lease expires.
	 * @param timeout the maximum time to wait for work to end
	 * @throws InterruptedException if the waiting thread is interrupted; this process
	 * does not leave the group then
	 */
	public synchronized void stop(Duration timeout) throws InterruptedException {
		LeaseRun stopped = this.run;
		if (stopped == null) {
			return;
		}
		this.stopping = true;
		long deadline = this.time.nanoTime() + TimeSource.nanos(timeout);
		try {
			if (!stopped.await(this::isIdle, TimeSource.nanos(timeout))) {
				logger.warn(
						"Sharding '{}' stopped while invocations on its slots are running; the Lease expires after {} ms",
						group(), TimeSource.millis(this.options.leaseDuration()));
			}
			else if (!stopped.release(Math.max(deadline - this.time.nanoTime(), TimeSource.nanos(MIN_RELEASE)))) {
				logger.warn("Sharding '{}' stopped but could not release the Lease, which expires after {} ms", group(),
						TimeSource.millis(this.options.leaseDuration()));
			}
		}
		finally {
			stopped.end();
			this.run = null;
			this.client = null;
		}
	}

	private String subject() {
		return "Sharding '" + this.options.group() + "'";
	}

	LeaseFailures failures() {
		return this.failures;
	}

	/**
	 * Publish the state of the run.
	 * @param renewedAt the time at which the last successful renewal was sent
	 * @param known the identities of the members
	 * @param complete whether the members are known
	 */
	void publish(long renewedAt, Set<String> known, boolean complete) {
		this.permit = new Permit(this.permit.slots(), renewedAt);
		this.members = known;
		this.settled = complete;
	}

	void publishAssigned(Set<Integer> slots) {
		this.assigned = slots;
		notify((listener) -> listener.assigned(this, slots));
	}

	void notify(Consumer<ShardingListener> event) {
		for (ShardingListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			// code of the user
			catch (Throwable ex) {
				this.failures.listenerFailed(ex);
			}
		}
	}

	/**
	 * Slots on which work may begin until the renew deadline. One value, so that slots of
	 * a former term are not combined with a renewal of the next one.
	 *
	 * @param slots the slots, which are not modified
	 * @param renewedAt the time at which the last successful renewal was sent
	 */
	private record Permit(BitSet slots, long renewedAt) {

	}

	/**
	 * Work that is counted by {@link #begin} and {@link #end}.
	 */
	private final class Work implements SlotWork {

		@Override
		public void permit(BitSet owned) {
			ShardMember member = ShardMember.this;
			member.permit = new Permit(owned, member.permit.renewedAt());
		}

		@Override
		public boolean isRunning(int slot) {
			return ShardMember.this.running.get(slot) > 0;
		}

	}

}

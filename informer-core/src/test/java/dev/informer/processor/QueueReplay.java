/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import static dev.informer.test.support.TestObjects.onNode;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Model of a store with one key, a queue and a handler. Computes the expected event of
 * each delivery from the last delivered state and the changes of the store only.
 */
final class QueueReplay {

	/** Number of actions. */
	static final int ACTIONS = 8;

	/** Number of actions, with those that open and close the gate. */
	static final int ACTIONS_WITH_GATE = 10;

	private static final String HIDDEN = "hidden";

	private final List<String> alive = new ArrayList<>();

	private final Map<String, V1Pod> lastStates = new HashMap<>();

	/** Undelivered events, for a queue that keeps all. */
	private final Deque<ResourceEvent<V1Pod>> offered = new ArrayDeque<>();

	private final HandlerQueue<V1Pod> queue;

	private final QueuePolicy policy;

	private final boolean filtered;

	private final boolean masked;

	private boolean closed;

	private final HandlerOptions<V1Pod> filter;

	private @Nullable V1Pod stored;

	private @Nullable V1Pod lastDelivered;

	private boolean resyncWanted;

	private @Nullable QueueEntry<V1Pod> item;

	private @Nullable ResourceEvent<V1Pod> event;

	private boolean resyncBegun;

	private int version;

	private int uids = 1;

	private int node;

	QueueReplay(QueuePolicy policy, boolean filtered, boolean masked) {
		this.policy = policy;
		this.queue = new HandlerQueue<>(policy, new InvocationGate() {

			@Override
			public Access access(Target target) {
				return QueueReplay.this.closed ? Access.CLOSED : Access.OPEN;
			}

		}, TimeSource.SYSTEM);
		this.filtered = filtered;
		this.masked = masked;
		this.filter = filter((options) -> {
			if (filtered) {
				options.filter((pod) -> !isHidden(pod));
			}
			if (masked) {
				options.changes(ChangedPart.SPEC);
			}
		});
	}

	static HandlerOptions<V1Pod> filter(Consumer<HandlerOptions.Builder<V1Pod>> options) {
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		return builder.build();
	}

	static void fail(V1Pod pod, Throwable cause) {
		throw new AssertionError(cause);
	}

	/**
	 * Take a step.
	 * @return false if it had no effect, or that of another action
	 */
	boolean step(int action) {
		V1Pod current = this.stored;
		switch (action) {
			case 0 -> {
				if (this.item == null) {
					return begin();
				}
				end(true);
			}
			case 1 -> {
				boolean effect = this.event != null;
				if (this.item == null) {
					return false;
				}
				end(false);
				return effect;
			}
			case 2 -> {
				this.uids += (current != null) ? 0 : 1;
				this.node++;
				put(false);
				return current == null || this.masked;
			}
			case 3 -> put(false);
			case 4 -> {
				put(true);
				return this.filtered;
			}
			case 5 -> remove();
			case 6 -> {
				remove();
				this.uids++;
				put(false);
			}
			case 7 -> {
				if (current != null) {
					this.resyncWanted = true;
					offer(new Updated<>(current, current));
				}
			}
			case 8 -> close(!this.closed);
			default -> this.closed = true;
		}
		return current != null || (action != 5 && action != 7);
	}

	/**
	 * Open or close the gate, with a notification of the queue.
	 */
	private void close(boolean closed) {
		this.closed = closed;
		this.queue.gateChanged();
		if (closed && this.item == null) {
			assertThat(this.queue.size()).isZero();
			assertThat(this.queue.hasInitial()).isFalse();
			assertThat(this.queue.isReady()).isFalse();
		}
		else {
			assertThat(this.queue.heldSize()).isZero();
		}
	}

	void finish() {
		close(false);
		if (this.item != null) {
			end(true);
		}
		while (begin()) {
			end(true);
		}
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.hasInitial()).isFalse();
		assertThat(this.offered).isEmpty();
		assertThat(this.queue.entries()).hasSize((this.lastDelivered == this.stored) ? 0 : 1);
		V1Pod visible = visible(this.stored);
		assertThat(this.alive).isEqualTo((visible != null) ? List.of(uid(visible)) : List.of());
		if (visible == null || !this.masked) {
			assertThat(this.lastDelivered).isSameAs(visible);
		}
		else {
			assertThat(this.lastDelivered).isNotNull();
			assertThat(this.lastDelivered.getSpec()).isEqualTo(visible.getSpec());
		}
	}

	/**
	 * Store a new state of the current object, or a new object.
	 */
	private void put(boolean hidden) {
		V1Pod current = this.stored;
		V1Pod next = onNode(pod("a", "u" + this.uids, ++this.version), "node" + this.node);
		next.getMetadata().generateName(hidden ? HIDDEN : null);
		this.stored = next;
		this.lastStates.put(uid(next), next);
		offer((current != null) ? new Updated<>(current, next) : new Added<>(next, this.version % 2 == 0));
	}

	private void remove() {
		V1Pod current = this.stored;
		if (current != null) {
			this.stored = null;
			this.resyncWanted = false;
			offer(new Deleted<>(current, current, false));
		}
	}

	private void offer(ResourceEvent<V1Pod> event) {
		this.queue.add(HandlerFixture.keyed(List.of(event)), 0);
		if (this.policy == QueuePolicy.KEEP_ALL) {
			this.offered.add(event);
		}
	}

	/**
	 * Begin a delivery and check its event.
	 */
	private boolean begin() {
		QueueEntry<V1Pod> begun = this.queue.take(0);
		if (begun == null) {
			return false;
		}
		if (this.closed) {
			this.queue.putBack(begun);
			return false;
		}
		this.item = begun;
		this.event = begun.delivery().event(this.filter, QueueReplay::fail);
		this.resyncBegun = this.resyncWanted;
		this.resyncWanted = false;
		ResourceEvent<V1Pod> head = this.offered.peek();
		ResourceEvent<V1Pod> expected = (head != null)
				? expected((head instanceof Deleted) ? null : head.object(), head.resync(), head.object(),
						head instanceof Added<V1Pod> added && added.initialList())
				: expected(this.stored, this.resyncBegun, null, initialList(this.event));
		assertThat(this.event).isEqualTo(expected);
		return true;
	}

	private @Nullable ResourceEvent<V1Pod> expected(@Nullable V1Pod now, boolean resync, @Nullable V1Pod last,
			boolean initialList) {
		V1Pod before = this.lastDelivered;
		V1Pod visible = visible(now);
		if (before == null) {
			return (visible != null) ? new Added<>(visible, initialList) : null;
		}
		if (now != null && visible == null && uid(now).equals(uid(before))) {
			return new Deleted<>(now, before, false, Deleted.Reason.FILTERED);
		}
		if (visible == null || !uid(visible).equals(uid(before))) {
			return new Deleted<>((last != null) ? last : Objects.requireNonNull(this.lastStates.get(uid(before))),
					before, false);
		}
		boolean changed = this.masked ? !visible.getSpec().equals(before.getSpec()) : visible != before;
		return (changed || resync) ? new Updated<>(before, visible, !changed) : null;
	}

	private static boolean initialList(@Nullable ResourceEvent<V1Pod> event) {
		return event instanceof Added<V1Pod> added && added.initialList();
	}

	/**
	 * End the delivery. A failed one is due at once; without an event, none can fail.
	 */
	private void end(boolean success) {
		QueueEntry<V1Pod> ended = Objects.requireNonNull(this.item);
		ResourceEvent<V1Pod> delivered = this.event;
		this.item = null;
		if (!success && delivered != null) {
			this.resyncWanted |= this.resyncBegun && this.stored != null;
			this.queue.failed(ended, delivered, 0);
			return;
		}
		this.offered.poll();
		if (delivered != null) {
			note(delivered);
		}
		this.queue.delivered(ended, delivered);
	}

	private void note(ResourceEvent<V1Pod> event) {
		String uid = uid(event.object());
		switch (event.type()) {
			case ADDED -> this.alive.add(uid);
			case DELETED -> assertThat(this.alive.remove(uid)).isTrue();
			default -> assertThat(this.alive).containsExactly(uid);
		}
		this.lastDelivered = (event instanceof Deleted<V1Pod>) ? null : event.object();
	}

	private @Nullable V1Pod visible(@Nullable V1Pod pod) {
		return (pod != null && this.filtered && isHidden(pod)) ? null : pod;
	}

	private static boolean isHidden(V1Pod pod) {
		return HIDDEN.equals(pod.getMetadata().getGenerateName());
	}

	private static String uid(V1Pod pod) {
		return String.valueOf(pod.getMetadata().getUid());
	}

}

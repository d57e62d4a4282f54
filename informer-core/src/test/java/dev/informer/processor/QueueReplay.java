package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.processor.HandlerQueue.Call;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import static dev.informer.testing.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store of one key, a queue, and a handler that checks what it is told against what it
 * was told before and, in the end, against the store.
 */
final class QueueReplay {

	/** How many actions there are. */
	static final int ACTIONS = 7;

	private final List<String> alive = new ArrayList<>();

	private final HandlerQueue<V1Pod> queue;

	private final QueuePolicy policy;

	/** All that was offered and has not been told, for a queue that keeps all. */
	private final List<ResourceEvent<V1Pod>> offered = new ArrayList<>();

	private @Nullable V1Pod stored;

	private @Nullable V1Pod told;

	private @Nullable Call<V1Pod> call;

	private int version;

	private int births = 1;

	QueueReplay(QueuePolicy policy) {
		this.policy = policy;
		this.queue = new HandlerQueue<>(policy);
	}

	void step(int action) {
		V1Pod current = this.stored;
		switch (action) {
			case 0 -> {
				if (this.call == null) {
					begin();
				}
				else {
					end(true);
				}
			}
			case 1 -> {
				if (this.call != null) {
					end(false);
				}
			}
			case 2 -> put(1);
			case 3 -> put(0);
			case 4 -> {
				if (current != null) {
					remove(current);
				}
			}
			case 5 -> {
				if (current != null) {
					remove(current);
					put(1);
				}
			}
			default -> {
				if (current != null) {
					offer(new Updated<>(current, current));
				}
			}
		}
	}

	void finish() {
		if (this.call != null) {
			end(true);
		}
		while (begin()) {
			end(true);
		}
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.initialSize()).isZero();
		assertThat(this.queue.slots()).isZero();
		assertThat(this.offered).isEmpty();
		assertThat(this.told).isSameAs(this.stored);
		assertThat(this.alive)
			.isEqualTo((this.stored != null) ? List.of(this.stored.getMetadata().getUid()) : List.of());
	}

	/**
	 * Stores a state: a new one, or a new object whose UID is the one before or another.
	 */
	private void put(int rebirth) {
		V1Pod current = this.stored;
		if (current == null) {
			this.births += rebirth;
		}
		V1Pod next = pod("a", "u" + this.births, ++this.version);
		this.stored = next;
		offer((current != null) ? new Updated<>(current, next) : new Added<>(next, this.version % 2 == 0));
	}

	private void remove(V1Pod current) {
		this.stored = null;
		offer(new Deleted<>(current, current, false));
	}

	private void offer(ResourceEvent<V1Pod> event) {
		this.queue.offer("a", event);
		if (this.policy == QueuePolicy.KEEP_ALL) {
			this.offered.add(event);
		}
	}

	private boolean begin() {
		this.call = this.queue.take(0);
		return this.call != null;
	}

	/**
	 * Ends the call that was begun. One that fails is due at once.
	 */
	private void end(boolean success) {
		Call<V1Pod> ended = this.call;
		assertThat(ended).isNotNull();
		this.call = null;
		ResourceEvent<V1Pod> event = ended.transition().event();
		assertThat(event).isNotNull();
		check(event);
		if (!success) {
			this.queue.failed(ended, event, 0);
			return;
		}
		if (this.policy == QueuePolicy.KEEP_ALL) {
			assertThat(event).isEqualTo(this.offered.remove(0));
		}
		note(event);
		this.queue.told(ended, event);
	}

	private void check(ResourceEvent<V1Pod> event) {
		V1Pod before = this.told;
		assertThat(event.previous()).isSameAs(before);
		assertThat(event.type() == ResourceEvent.Type.ADDED).isEqualTo(before == null);
		if (before != null) {
			assertThat(event.object().getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
		}
	}

	private void note(ResourceEvent<V1Pod> event) {
		String uid = event.object().getMetadata().getUid();
		switch (event.type()) {
			case ADDED -> this.alive.add(uid);
			case DELETED -> assertThat(this.alive.remove(uid)).isTrue();
			default -> assertThat(this.alive).containsExactly(uid);
		}
		this.told = (event instanceof Deleted<V1Pod>) ? null : event.object();
	}

}

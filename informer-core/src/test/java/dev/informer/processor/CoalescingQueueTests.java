package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.testing.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CoalescingQueue}: first by example, then every sequence of events up
 * to a length with every way to interleave deliveries, against what must hold.
 */
class CoalescingQueueTests {

	private final CoalescingQueue<V1Pod> queue = new CoalescingQueue<>();

	private final V1Pod one = pod("a", "u1", 1);

	private final V1Pod two = pod("a", "u1", 2);

	private final V1Pod three = pod("a", "u1", 3);

	private final V1Pod reborn = pod("a", "u2", 4);

	@Test
	void addedThenUpdated_isAddedWithItsInitialList() {
		offer(new Added<>(this.one, true), new Updated<>(this.one, this.two));
		assertThat(this.queue.initialSize()).isEqualTo(1);
		assertThat(drain()).containsExactly(new Added<>(this.two, true));
		assertThat(this.queue.initialSize()).isZero();
	}

	@Test
	void addedThenDeleted_isNothing() {
		offer(new Added<>(this.one, true), new Deleted<>(this.two, this.one, false));
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.initialSize()).isZero();
		assertThat(drain()).isEmpty();
	}

	@Test
	void updates_areOneUpdateFromWhatWasTold() {
		offer(new Updated<>(this.one, this.two), new Updated<>(this.two, this.three));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void updatedThenDeleted_isDeletedWithWhatWasTold() {
		offer(new Updated<>(this.one, this.two), new Deleted<>(this.three, this.two, false));
		assertThat(drain()).containsExactly(new Deleted<>(this.three, this.one, false));
	}

	@Test
	void deletedThenAddedWithAnotherUid_isBoth() {
		offer(new Deleted<>(this.two, this.one, false), new Added<>(this.reborn, false));
		assertThat(drain()).containsExactly(new Deleted<>(this.two, this.one, false), new Added<>(this.reborn, false));
	}

	@Test
	void deletedThenAddedWithTheSameUid_isAnUpdate() {
		offer(new Deleted<>(this.two, this.one, false), new Added<>(this.three, false));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void rebirthThatWasNeverTold_isNotToldAsDeleted() {
		offer(new Deleted<>(this.two, this.one, true), new Added<>(this.reborn, false),
				new Deleted<>(this.reborn, this.reborn, false));
		assertThat(drain()).containsExactly(new Deleted<>(this.two, this.one, true));
	}

	@Test
	void rebirthDeletedBetweenTheTwoCalls_isNotTold() {
		offer(new Deleted<>(this.two, this.one, false), new Added<>(this.reborn, false));
		assertThat(this.queue.poll()).isEqualTo(new Deleted<>(this.two, this.one, false));
		offer(new Deleted<>(this.reborn, this.reborn, false));
		assertThat(drain()).isEmpty();
	}

	@Test
	void resync_isTold_andGivesWayToAnUpdate() {
		offer(new Updated<>(this.one, this.one));
		assertThat(drain()).singleElement().satisfies((event) -> assertThat(event.resync()).isTrue());
		offer(new Updated<>(this.one, this.one), new Updated<>(this.one, this.two));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.two));
	}

	@Test
	void keys_keepTheirPlaces() {
		V1Pod other = pod("b", 1);
		this.queue.offer("a", new Added<>(this.one, false));
		this.queue.offer("b", new Added<>(other, false));
		this.queue.offer("a", new Updated<>(this.one, this.two));
		assertThat(drain()).containsExactly(new Added<>(this.two, false), new Added<>(other, false));
	}

	/**
	 * What the store goes through, step by step: an add, an update, a resync or a
	 * deletion, each rebirth under a new UID or the old one, with deliveries in between.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void everySequence_fitsTogether(boolean keepAll) {
		int steps = 7;
		for (long sequence = 0; sequence < Math.pow(5, steps); sequence++) {
			Replay replay = new Replay(keepAll ? new KeepAllQueue<>() : new CoalescingQueue<>());
			long rest = sequence;
			for (int step = 0; step < steps; step++) {
				replay.step((int) (rest % 5));
				rest /= 5;
			}
			replay.finish();
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void longRandomSequences_fitTogether(long seed) {
		Random random = new Random(seed);
		for (int round = 0; round < 200; round++) {
			Replay replay = new Replay(new CoalescingQueue<>());
			for (int step = 0; step < 60; step++) {
				replay.step(random.nextInt(5));
			}
			replay.finish();
		}
	}

	@SafeVarargs
	private void offer(ResourceEvent<V1Pod>... events) {
		for (ResourceEvent<V1Pod> event : events) {
			this.queue.offer("a", event);
		}
	}

	private List<ResourceEvent<V1Pod>> drain() {
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		ResourceEvent<V1Pod> event = this.queue.poll();
		while (event != null) {
			events.add(event);
			event = this.queue.poll();
		}
		return events;
	}

	/**
	 * A store of one key, a queue, and a handler that checks what it is told.
	 */
	private static final class Replay {

		private final HandlerQueue<V1Pod> queue;

		private final List<String> toldAdded = new ArrayList<>();

		private final List<String> toldDeleted = new ArrayList<>();

		private @Nullable V1Pod stored;

		private @Nullable V1Pod told;

		private int version;

		private int births = 1;

		Replay(HandlerQueue<V1Pod> queue) {
			this.queue = queue;
		}

		void step(int action) {
			V1Pod current = this.stored;
			switch (action) {
				case 0 -> deliver();
				case 1 -> put(1);
				case 2 -> {
					if (current != null) {
						remove(current);
					}
				}
				case 3 -> {
					if (current != null) {
						remove(current);
						put(1);
					}
				}
				default -> {
					if (current != null) {
						this.queue.offer("a", new Updated<>(current, current));
					}
					else {
						put(0);
					}
				}
			}
		}

		void finish() {
			while (deliver()) {
				assertThat(this.queue.size()).isNotNegative();
			}
			assertThat(this.queue.size()).isZero();
			assertThat(this.queue.initialSize()).isZero();
			assertThat(this.told).isSameAs(this.stored);
			assertThat(this.toldDeleted).doesNotHaveDuplicates();
			List<String> alive = new ArrayList<>(this.toldAdded);
			alive.removeAll(this.toldDeleted);
			assertThat(alive.stream().distinct().toList())
				.isEqualTo((this.stored != null) ? List.of(this.stored.getMetadata().getUid()) : List.of());
		}

		/**
		 * Stores a state: a new one, or a new object whose UID is the one before or
		 * another.
		 */
		private void put(int rebirth) {
			V1Pod current = this.stored;
			if (current == null) {
				this.births += rebirth;
			}
			V1Pod next = pod("a", "u" + this.births, ++this.version);
			this.stored = next;
			this.queue.offer("a", (current != null) ? new Updated<>(current, next) : new Added<>(next, false));
		}

		private void remove(V1Pod current) {
			this.stored = null;
			this.queue.offer("a", new Deleted<>(current, current, false));
		}

		private boolean deliver() {
			ResourceEvent<V1Pod> event = this.queue.poll();
			if (event == null) {
				return false;
			}
			V1Pod before = this.told;
			assertThat(event.previous()).isSameAs(before);
			String uid = event.object().getMetadata().getUid();
			switch (event.type()) {
				case ADDED -> {
					this.toldAdded.add(uid);
					this.toldDeleted.remove(uid);
					this.told = event.object();
				}
				case UPDATED -> {
					assertThat(before).isNotNull();
					assertThat(uid).isEqualTo(before.getMetadata().getUid());
					this.told = event.object();
				}
				default -> {
					assertThat(before).isNotNull();
					assertThat(uid).isEqualTo(before.getMetadata().getUid());
					this.toldDeleted.add(uid);
					this.told = null;
				}
			}
			return true;
		}

	}

}

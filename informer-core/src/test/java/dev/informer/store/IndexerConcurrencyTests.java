package dev.informer.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.testing.Pods;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an {@link Indexer} that is read by several threads while it changes and is
 * given indices.
 */
@Timeout(60)
class IndexerConcurrencyTests {

	private static final int PODS = 30;

	private static final int VERSIONS = 500;

	private final Indexer<V1Pod> indexer = new Indexer<>((index, key, failure) -> {
	});

	private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong reads = new AtomicLong();

	/**
	 * All pods are changed together, by turns in place and by deletion and creation, and
	 * move to another node each time.
	 */
	@Test
	void readersWhileEverythingChanges_seeOneVersionInOrder() throws Exception {
		this.indexer.addIndex("node", (pod) -> List.of(String.valueOf(pod.getSpec().getNodeName())));
		write(1);
		List<Thread> threads = new ArrayList<>();
		threads.add(new Thread(() -> repeat(new Reader())));
		threads.add(new Thread(() -> repeat(new Reader())));
		threads.add(new Thread(() -> repeat(this::readIndex)));
		AtomicLong indices = new AtomicLong();
		threads.add(new Thread(() -> repeat(() -> addIndex("late" + indices.incrementAndGet()))));
		threads.forEach(Thread::start);
		for (int version = 2; version <= VERSIONS; version++) {
			write(version);
		}
		this.done.set(true);
		for (Thread thread : threads) {
			thread.join(TimeUnit.SECONDS.toMillis(20));
			assertThat(thread.isAlive()).isFalse();
		}
		assertThat(this.failures).isEmpty();
		assertThat(this.reads).hasValueGreaterThan(100);
		assertThat(this.indexer.resourceVersion("")).isEqualTo(Integer.toString(VERSIONS));
		assertThat(this.indexer.indexValues("node")).containsExactly(node(VERSIONS));
	}

	private void write(int version) {
		List<StoreChange<V1Pod>> changes = new ArrayList<>();
		for (int i = 0; i < PODS; i++) {
			String key = "ns/pod" + i;
			if (version % 2 == 0) {
				changes.add(new StoreChange<>(key, null));
			}
			changes.add(new StoreChange<>(key, Pods.onNode(Pods.pod("pod" + i, version), node(version))));
		}
		this.indexer.apply(changes, Map.of("", Integer.toString(version)));
	}

	private static String node(int version) {
		return "node" + version % 3;
	}

	private void repeat(Runnable read) {
		try {
			while (!this.done.get() && this.failures.isEmpty()) {
				read.run();
				this.reads.incrementAndGet();
			}
		}
		catch (Throwable ex) {
			this.failures.add(ex);
		}
	}

	private void readIndex() {
		for (String node : this.indexer.indexValues("node")) {
			assertThat(this.indexer.byIndex("node", node).size()).isIn(0, PODS);
			assertThat(this.indexer.indexKeys("node", node).size()).isIn(0, PODS);
		}
	}

	private void addIndex(String name) {
		if (name.length() > 5) {
			return;
		}
		this.indexer.addIndex(name, (pod) -> List.of("all"));
		assertThat(this.indexer.byIndex(name, "all")).hasSize(PODS);
	}

	/**
	 * Expects all pods at one version, which is neither behind the store's before nor
	 * ahead of the store's after that, nor behind what this reader saw before.
	 */
	private final class Reader implements Runnable {

		private int last;

		@Override
		public void run() {
			int before = Integer.parseInt(IndexerConcurrencyTests.this.indexer.resourceVersion(""));
			List<V1Pod> pods = IndexerConcurrencyTests.this.indexer.list();
			int after = Integer.parseInt(IndexerConcurrencyTests.this.indexer.resourceVersion(""));
			assertThat(pods).hasSize(PODS);
			List<String> versions = pods.stream()
				.map((pod) -> Objects.requireNonNull(pod.getMetadata().getResourceVersion()))
				.distinct()
				.toList();
			assertThat(versions).hasSize(1);
			int version = Integer.parseInt(versions.get(0));
			assertThat(version).isBetween(Math.max(before, this.last), after);
			this.last = version;
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import dev.informer.Leadership;
import dev.informer.ResourceEvent;
import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;
import dev.informer.fault.journal.InvocationEntry.End;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.LeaderHandler;
import dev.informer.fault.journal.ObjectState;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Replica of an application with leader-only handlers. The journal has the begin and the
 * end of each invocation.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReplicaApplication {

	/**
	 * Time at which the thread has called the filter, immediately before the informer
	 * checks the leadership.
	 */
	private static final ThreadLocal<Long> filteredAt = ThreadLocal.withInitial(() -> Long.MAX_VALUE);

	private final JournalWriter journal;

	private final Leadership leadership;

	private final ReplicaDurations durations;

	private final AtomicLong numbers = new AtomicLong();

	ReplicaApplication(JournalWriter journal, Leadership leadership, ReplicaDurations durations) {
		this.journal = journal;
		this.leadership = leadership;
		this.durations = durations;
	}

	@Bean
	static Predicate<KubernetesObject> all() {
		return (object) -> {
			filteredAt.set(System.nanoTime());
			return true;
		};
	}

	@InformerHandler(id = "quick", leaderOnly = true, filter = "all")
	void quick(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
		record(LeaderHandler.QUICK, event, () -> {
		});
	}

	@InformerHandler(id = "slow", leaderOnly = true, filter = "all", concurrency = "4")
	void slow(ResourceEvent<V1Pod> event) throws InterruptedException {
		record(LeaderHandler.SLOW, event, () -> sleep(this.durations.slow()));
	}

	@InformerHandler(id = "stubborn", leaderOnly = true, filter = "all")
	void stubborn(ResourceEvent<Widget> event) throws InterruptedException {
		record(LeaderHandler.STUBBORN, event, () -> sleepUninterruptibly(this.durations.stubborn()));
	}

	private void record(LeaderHandler handler, ResourceEvent<?> event, Work work) throws InterruptedException {
		// before the time: a process that is suspended in between began with its token
		int token = this.leadership.fencingToken().orElse(InvocationEntry.NO_TOKEN);
		long begin = System.nanoTime();
		long checkedAfter = Math.min(begin, filteredAt.get());
		filteredAt.remove();
		long number = this.numbers.incrementAndGet();
		V1ObjectMeta metadata = event.object().getMetadata();
		this.journal.write(new Begin(this.leadership.identity(), number, handler,
				metadata.getNamespace() + "/" + metadata.getName(),
				new ObjectState(metadata.getUid(), metadata.getResourceVersion()), token, checkedAfter, begin));
		boolean handled = false;
		try {
			work.run();
			handled = true;
		}
		finally {
			this.journal.write(new End(this.leadership.identity(), number, handled, System.nanoTime()));
		}
	}

	private static void sleep(Duration duration) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(duration.toNanos());
	}

	/**
	 * Sleep, as a handler that catches its interrupt and continues.
	 */
	private static void sleepUninterruptibly(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		long left = duration.toNanos();
		while (left > 0) {
			try {
				TimeUnit.NANOSECONDS.sleep(left);
			}
			catch (InterruptedException ex) {
				// Ignored, as code that must not be interrupted does
			}
			left = end - System.nanoTime();
		}
	}

	private interface Work {

		void run() throws InterruptedException;

	}

}

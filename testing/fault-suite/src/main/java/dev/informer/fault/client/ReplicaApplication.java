/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.informer.ResourceEvent;
import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;
import dev.informer.fault.journal.InvocationEntry.End;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Replica of an application whose handlers are leader-only or sharded, as the properties
 * of its {@link Coordination} decide. The journal has the begin and the end of each
 * invocation, and the owned slots.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReplicaApplication {

	/**
	 * Time at which the thread has called the filter, immediately before the informer
	 * checks the leadership or the ownership.
	 */
	private static final ThreadLocal<Long> filteredAt = ThreadLocal.withInitial(() -> Long.MAX_VALUE);

	private final JournalWriter journal;

	private final Supplier<String> identity;

	private final IntSupplier token;

	private final ReplicaDurations durations;

	private final AtomicLong numbers = new AtomicLong();

	ReplicaApplication(JournalWriter journal, ObjectProvider<Leadership> elected, ObjectProvider<Sharding> divided,
			ReplicaDurations durations) {
		this.journal = journal;
		this.durations = durations;
		Leadership leadership = elected.getIfAvailable();
		if (leadership != null) {
			this.identity = leadership::identity;
			this.token = () -> leadership.fencingToken().orElse(InvocationEntry.NO_TOKEN);
		}
		else {
			this.identity = divided.getObject()::identity;
			this.token = () -> InvocationEntry.NO_TOKEN;
		}
	}

	@Bean
	static SlotJournal slotJournal(JournalWriter journal) {
		return new SlotJournal(journal);
	}

	@Bean
	static Predicate<KubernetesObject> all() {
		return (object) -> {
			filteredAt.set(System.nanoTime());
			return true;
		};
	}

	@InformerHandler(id = "quick", filter = "all")
	void quick(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
		record(ReplicaHandler.QUICK, event, () -> {
		});
	}

	@InformerHandler(id = "slow", filter = "all", concurrency = "4")
	void slow(ResourceEvent<V1Pod> event) throws InterruptedException {
		record(ReplicaHandler.SLOW, event, () -> sleep(this.durations.slow()));
	}

	@InformerHandler(id = "stubborn", filter = "all")
	void stubborn(ResourceEvent<Widget> event) throws InterruptedException {
		record(ReplicaHandler.STUBBORN, event, () -> sleepUninterruptibly(this.durations.stubborn()));
	}

	final void record(ReplicaHandler handler, ResourceEvent<?> event, Work work) throws InterruptedException {
		// before the time: a process that is suspended in between began with its token
		int token = this.token.getAsInt();
		long begin = System.nanoTime();
		long checkedAfter = Math.min(begin, filteredAt.get());
		filteredAt.remove();
		long number = this.numbers.incrementAndGet();
		V1ObjectMeta metadata = event.object().getMetadata();
		Begin entry = new Begin(this.identity.get(), number, handler,
				metadata.getNamespace() + "/" + metadata.getName(),
				new ObjectState(metadata.getUid(), metadata.getResourceVersion()),
				event.type() == ResourceEvent.Type.DELETED, token, checkedAfter, begin);
		this.journal.write(entry.toLine());
		boolean handled = false;
		try {
			work.run();
			handled = true;
		}
		finally {
			this.journal.write(new End(this.identity.get(), number, handled, System.nanoTime()).toLine());
		}
	}

	static void sleep(Duration duration) throws InterruptedException {
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

	interface Work {

		void run() throws InterruptedException;

	}

}

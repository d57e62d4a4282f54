/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;
import dev.informer.fault.journal.InvocationEntry.End;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;

/**
 * Replica of an application whose handlers are leader-only or sharded, as the properties
 * of its {@link Coordination} decide, and a reconciler beside each of them likewise. The
 * journal has the begin and the end of each invocation, and the owned slots.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReplicaApplication implements SmartLifecycle {

	private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);

	/**
	 * Time of the thread immediately before the informer or the reconciler checks the
	 * leadership or the ownership.
	 */
	private static final ThreadLocal<Long> checkedAfter = ThreadLocal.withInitial(() -> Long.MAX_VALUE);

	private final JournalWriter journal;

	private final Supplier<String> identity;

	private final InvocationGate gate;

	private final ReplicaDurations durations;

	private final InformerRegistry informers;

	private final Reconcilers reconcilers;

	private final GadgetReconciler gadgets;

	private final AtomicLong numbers = new AtomicLong();

	private volatile boolean running;

	ReplicaApplication(JournalWriter journal, ObjectProvider<Leadership> elected, ObjectProvider<Sharding> divided,
			ReplicaDurations durations, InformerRegistry informers, Reconcilers reconcilers, GadgetReconciler gadgets) {
		this.journal = journal;
		this.durations = durations;
		this.informers = informers;
		this.reconcilers = reconcilers;
		this.gadgets = gadgets;
		Leadership leadership = elected.getIfAvailable();
		if (leadership != null) {
			this.identity = leadership::identity;
			this.gate = noting(leadership.gate());
		}
		else {
			Sharding sharding = divided.getObject();
			this.identity = sharding::identity;
			this.gate = noting(sharding.gate());
		}
	}

	@Bean
	static Reconcilers reconcilers(InformerFactory factory, ObjectWriter writer) {
		return Reconcilers.of(factory, writer);
	}

	@Bean
	static GadgetReconciler gadgetReconciler(InformerFactory factory, ObjectWriter writer) {
		return new GadgetReconciler(factory, writer);
	}

	@Bean
	static SlotJournal slotJournal(JournalWriter journal) {
		return new SlotJournal(journal);
	}

	@Bean
	static Predicate<KubernetesObject> all() {
		return (object) -> {
			checkedAfter.set(System.nanoTime());
			return true;
		};
	}

	@InformerHandler(id = "quick", filter = "all")
	void quick(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
		record(ReplicaHandler.QUICK, event);
	}

	@InformerHandler(id = "slow", filter = "all", concurrency = "4")
	void slow(ResourceEvent<V1Pod> event) throws InterruptedException {
		record(ReplicaHandler.SLOW, event);
	}

	@InformerHandler(id = "stubborn", filter = "all")
	void stubborn(ResourceEvent<Widget> event) throws InterruptedException {
		record(ReplicaHandler.STUBBORN, event);
	}

	/**
	 * Add the reconcilers, as the informers exist now.
	 */
	@Override
	public void start() {
		for (ReplicaHandler reconciler : ReplicaHandler.RECORDING_RECONCILERS) {
			this.informers.findInformer(reconciler.resource().plural())
				.ifPresent((informer) -> addReconciler(reconciler, informer));
		}
		this.gadgets.addTo(this.reconcilers, this.gate, (gadget, context,
				work) -> record(ReplicaHandler.GADGET_RECONCILER, gadget, false, context.fencingToken(), work));
		this.reconcilers.start();
		this.running = true;
	}

	private <T extends KubernetesObject> void addReconciler(ReplicaHandler reconciler,
			SharedIndexInformer<T> informer) {
		this.reconcilers.add(informer, (primary, context) -> {
			record(reconciler, primary, false, context.fencingToken(), (begin) -> work(reconciler.resource()));
			return null;
		}, (options) -> {
			// a sharded informer has a gate
			if (!reconciler.isOfShardedInformer()) {
				options.gate(this.gate);
			}
		});
	}

	/**
	 * Wait for the running calls, before the handlers stop and the Lease is released.
	 */
	@Override
	public void stop() {
		try {
			this.reconcilers.stop(DRAIN_TIMEOUT);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Return a gate that notes the time before it begins an invocation.
	 */
	private static InvocationGate noting(InvocationGate gate) {
		return (InvocationGate) Proxy.newProxyInstance(InvocationGate.class.getClassLoader(),
				new Class<?>[] { InvocationGate.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("begin")) {
						checkedAfter.set(System.nanoTime());
					}
					return method.invoke(gate, arguments);
				});
	}

	final void record(ReplicaHandler handler, ResourceEvent<?> event) throws InterruptedException {
		record(handler, event.object(), event.type() == ResourceEvent.Type.DELETED, this.gate.fencingToken(),
				(begin) -> work(handler.resource()));
	}

	/**
	 * Record an invocation. Its token was read before its time: a process that is
	 * suspended in between began with its token.
	 */
	private <E extends Exception> void record(ReplicaHandler handler, KubernetesObject object, boolean deleted,
			OptionalInt token, Work<E> work) throws E {
		long begin = System.nanoTime();
		long checked = Math.min(begin, checkedAfter.get());
		checkedAfter.remove();
		long number = this.numbers.incrementAndGet();
		V1ObjectMeta metadata = object.getMetadata();
		Begin entry = new Begin(this.identity.get(), number, handler,
				metadata.getNamespace() + "/" + metadata.getName(),
				new ObjectState(metadata.getUid(), metadata.getResourceVersion()), deleted,
				token.orElse(InvocationEntry.NO_TOKEN), checked, begin);
		this.journal.write(entry.toLine());
		boolean handled = false;
		try {
			work.run(begin);
			handled = true;
		}
		finally {
			this.journal.write(new End(this.identity.get(), number, handled, System.nanoTime()).toLine());
		}
	}

	private void work(WatchedResource resource) throws InterruptedException {
		switch (resource) {
			case CONFIG_MAPS, GADGETS -> {
			}
			case PODS -> TimeUnit.NANOSECONDS.sleep(this.durations.slow().toNanos());
			case WIDGETS -> sleepUninterruptibly(this.durations.stubborn());
			case SECRETS -> TimeUnit.NANOSECONDS.sleep(this.durations.divided().toNanos());
		}
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

	/**
	 * Work of an invocation.
	 *
	 * @param <E> the type of its failure
	 */
	interface Work<E extends Exception> {

		/**
		 * Run the work.
		 * @param begin the time at which the invocation began
		 */
		void run(long begin) throws E;

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.lang.StackWalker.Option;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

import dev.informer.InformerOptions;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectLookup;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.MappedSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which classes an object meets on its way from the {@code ListerWatcher} to the
 * handler. Source, metadata, filter, gate and handler walk the stack when they are
 * called. A class that is added to the way is added here, which is a decision.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class WalkTests {

	private final Set<String> walked = new ConcurrentSkipListSet<>();

	@Test
	void objectOfListAndWatch_meetsTheseClasses() throws Exception {
		FakeSource source = new FakeSource();
		EventLog<V1Pod> log = new EventLog<>();
		try (SharedIndexInformer<V1Pod> informer = FakeInformers.pods(new MappedSource(source, this::probing),
				InformerOptions.DEFAULT, (settings) -> {
				})) {
			informer.addHandler((event) -> {
				walk();
				log.handle(event);
			}, (options) -> options.gate(new ProbingGate()).filter((pod) -> {
				walk();
				return true;
			}));
			source.put("a");
			informer.start();
			await().until(() -> log.events().size() == 1 && source.openWatches() == 1);
			source.put("a");
			await().until(() -> log.events().size() == 2);
		}
		assertThat(this.walked).containsExactlyInAnyOrder("LoopThread", "Run", "StoreLoop", "Reflector", "ListSession",
				"PagedList", "WatchSession", "WatchedEvents", "WatchEvent", "ObjectState", "ObjectKey", "Delta",
				"DeltaFifo", "StoreUpdater", "Indexer", "Contents", "Index", "ProcessorListener", "HandlerInvoker",
				"HandlerQueue", "WorkerThreads", "PendingDelivery");
	}

	private V1Pod probing(V1Pod pod, ObjectLookup<V1Pod> lookup) {
		walk();
		return new V1Pod() {

			@Override
			public V1ObjectMeta getMetadata() {
				walk();
				return super.getMetadata();
			}

		}.metadata(pod.getMetadata());
	}

	private void walk() {
		StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).forEach((frame) -> {
			Class<?> type = frame.getDeclaringClass();
			if (type.getName().startsWith("dev.informer.")
					&& !type.getProtectionDomain().getCodeSource().getLocation().getPath().contains("test")) {
				this.walked.add(type.getName().replaceAll(".*\\.|\\$.*", ""));
			}
		});
	}

	private final class ProbingGate implements InvocationGate {

		@Override
		public Access access(Target target) {
			walk();
			return Access.OPEN;
		}

	}

}

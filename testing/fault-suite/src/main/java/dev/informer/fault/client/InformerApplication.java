/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.fault.journal.Entry;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectState;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * Application as a user writes it: handlers that are fast, slow, failing and concurrent.
 * An event is in the journal when its handler has succeeded.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class InformerApplication {

	private final JournalWriter journal;

	private final AtomicInteger errors = new AtomicInteger();

	InformerApplication(JournalWriter journal) {
		this.journal = journal;
	}

	void throwErrors(int count) {
		this.errors.set(count);
	}

	@InformerHandler(id = "configmapskeep", queue = QueuePolicy.KEEP_ALL)
	void keep(ResourceEvent<V1ConfigMap> event) {
		if (this.errors.getAndUpdate((count) -> Math.max(0, count - 1)) > 0) {
			throw new OutOfMemoryError("Thrown by a handler of the fault suite");
		}
		record("configmapskeep", event);
	}

	@InformerHandler(id = "configmapscoalesce")
	void coalesce(ResourceEvent<V1ConfigMap> event) {
		record("configmapscoalesce", event);
	}

	@InformerHandler(id = "configmapsslow")
	void slow(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(20);
		record("configmapsslow", event);
	}

	@InformerHandler(id = "configmapsfailing")
	void failing(ResourceEvent<V1ConfigMap> event) {
		failSometimes(3);
		record("configmapsfailing", event);
	}

	@InformerHandler(id = "configmapsconcurrent", queue = QueuePolicy.KEEP_ALL, concurrency = "4")
	void concurrent(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(5);
		record("configmapsconcurrent", event);
	}

	@InformerHandler(id = "podskeepfailing", queue = QueuePolicy.KEEP_ALL)
	void podKeepFailing(ResourceEvent<V1Pod> event) {
		failSometimes(1);
		record("podskeepfailing", event);
	}

	@InformerHandler(id = "podsslow", concurrency = "2")
	void podSlow(ResourceEvent<V1Pod> event) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(50);
		record("podsslow", event);
	}

	@InformerHandler(id = "widgetskeep", queue = QueuePolicy.KEEP_ALL)
	void widgetKeep(ResourceEvent<Widget> event) {
		record("widgetskeep", event);
	}

	@InformerHandler(id = "widgetscoalesce")
	void widgetCoalesce(ResourceEvent<Widget> event) {
		record("widgetscoalesce", event);
	}

	private static void failSometimes(int percent) {
		if (ThreadLocalRandom.current().nextInt(100) < percent) {
			throw new IllegalStateException("Thrown by a failing handler of the fault suite");
		}
	}

	private void record(String handler, ResourceEvent<?> event) {
		KubernetesObject previous = event.previous();
		V1ObjectMeta metadata = event.object().getMetadata();
		Entry entry = new Entry(handler, Entry.Type.valueOf(event.type().name()),
				metadata.getNamespace() + "/" + metadata.getName(), state(event.object()),
				(previous != null) ? state(previous) : null);
		this.journal.write(entry.toLine());
	}

	private static ObjectState state(KubernetesObject object) {
		return new ObjectState(object.getMetadata().getUid(), object.getMetadata().getResourceVersion());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.SharedIndexInformer;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWrite.Outcome;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;

/**
 * Program that writes many objects, each under a name of its own, for a test of its heap.
 */
final class WriteProgram {

	/** Number of requests for each object. */
	static final int WRITES = 6;

	private static final int MEASUREMENTS = 10;

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private WriteProgram() {
	}

	/**
	 * Create, apply, update, patch and delete objects, and print the heap that is live
	 * after each tenth of them.
	 * @param arguments the URL of the server and the number of objects
	 */
	public static void main(String[] arguments) throws Exception {
		int count = Integer.parseInt(arguments[1]);
		try (InformerFactory informers = InformerFactory.create(new ApiClient().setBasePath(arguments[0]))) {
			AtomicReference<Outcome> outcome = new AtomicReference<>();
			ObjectWriter writer = ObjectWriter.of(informers, "writes", (write) -> outcome.set(write.proceed()));
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class);
			informer.start();
			informer.awaitSynced(TIMEOUT);
			for (int i = 1; i <= count; i++) {
				V1ConfigMap last = write(writer, outcome, informer, "object-" + i);
				if (i % (count / MEASUREMENTS) == 0) {
					if (!informer.awaitDeleted(last, TIMEOUT)) {
						throw new IllegalStateException("The last object is still cached");
					}
					System.gc();
					System.out.println("objects=" + i + " bytes="
							+ ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
				}
			}
		}
	}

	private static V1ConfigMap write(ObjectWriter writer, AtomicReference<Outcome> outcome,
			SharedIndexInformer<V1ConfigMap> informer, String name) throws Exception {
		writer.create(configMap(name, "1"));
		try {
			writer.create(configMap(name, "1"));
			throw new IllegalStateException("The second create was not refused");
		}
		catch (ObjectWriteException ex) {
			// exists
		}
		V1ConfigMap applied = writer.apply(configMap(name, "2"));
		informer.awaitAtLeast(applied, TIMEOUT);
		writer.apply(configMap(name, "2"));
		if (outcome.get() != Outcome.UNCHANGED) {
			throw new IllegalStateException("The second apply was sent");
		}
		V1ConfigMap copy = ObjectCopy.of(applied);
		copy.setData(Map.of("value", "3"));
		V1ConfigMap patched = writer.patch(writer.update(copy), (object) -> object.putDataItem("value", "4"));
		writer.delete(patched);
		return patched;
	}

	private static V1ConfigMap configMap(String name, String value) {
		return TestObjects.configMap("default", name).data(Map.of("value", value));
	}

}

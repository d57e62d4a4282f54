/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Duration;

import dev.informer.InformerFactory;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiClient;

/**
 * Program that records events while no API server answers, for a test of its heap.
 */
final class EventProgram {

	private EventProgram() {
	}

	/**
	 * Record events about as many objects, with notes of the maximum size, and then about
	 * one of these objects.
	 * @param arguments the URL of the server and the number of events
	 */
	public static void main(String[] arguments) {
		int count = Integer.parseInt(arguments[1]);
		try (InformerFactory informers = InformerFactory.create(new ApiClient().setBasePath(arguments[0]))) {
			EventRecorder recorder = EventRecorder.of(ObjectWriter.of(informers, "shop"), "shop");
			for (int i = 0; i < count; i++) {
				recorder.warning(TestObjects.pod("shop", "pod-" + i), "Failed", "Scale", i + " \u20ac".repeat(255));
			}
			System.out.println("pending=" + recorder.pending() + " dropped=" + recorder.dropped());
			for (int i = 0; i < count; i++) {
				recorder.warning(TestObjects.pod("shop", "pod-1"), "Failed", "Scale", i + " \u20ac".repeat(255));
			}
			System.out.println("pending=" + recorder.pending() + " dropped=" + recorder.dropped());
			recorder.close(Duration.ZERO);
			System.out.println("pending=" + recorder.pending() + " dropped=" + recorder.dropped());
		}
	}

}

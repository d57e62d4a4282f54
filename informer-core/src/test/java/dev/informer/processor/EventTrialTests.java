/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.concurrent.CountDownLatch;

import dev.informer.HandlerOptions;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventTrial}.
 */
@Timeout(60)
class EventTrialTests {

	private final CountDownLatch mayReturn = new CountDownLatch(1);

	@Test
	void filterThatReturnsInTime_hasAResult() {
		this.mayReturn.countDown();
		assertThat(run()).isEqualTo(new EventTrial.Result(ResourceEvent.Type.ADDED, true));
	}

	@Test
	void filterThatReturnsBecauseOfTheInterrupt_hasNoResult() {
		assertThat(run()).isNull();
	}

	private EventTrial.@Nullable Result run() {
		HandlerOptions.Builder<V1Pod> options = new HandlerOptions.Builder<>();
		options.filter((pod) -> {
			try {
				this.mayReturn.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return true;
		});
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("ns").name("a").uid("u").resourceVersion("1"));
		return new EventTrial<>(options.build(), EndsWhenInterrupted::new, TimeSource.SYSTEM)
			.run(new PendingDelivery<>(null, null, pod, null, null, false, false));
	}

	/**
	 * Thread whose interrupt returns when the thread has ended, as if the interrupting
	 * thread were slow.
	 */
	private static final class EndsWhenInterrupted extends Thread {

		EndsWhenInterrupted(Runnable task) {
			super(task, "trial");
		}

		@Override
		public void interrupt() {
			super.interrupt();
			if (Thread.currentThread() != this) {
				try {
					join();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.DeliveryDiagnosis;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Registration of a handler of a {@link TestInformer}, with three pending events and a
 * running invocation.
 */
record TestHandler<T extends KubernetesObject>(ResourceEventHandler<T> handler, HandlerOptions<T> options,
		List<TestHandler<T>> all, CountDownLatch received) implements HandlerRegistration {

	@Override
	public String name() {
		return String.valueOf(this.options.name());
	}

	@Override
	public QueuePolicy queue() {
		return this.options.queue();
	}

	@Override
	public boolean hasSynced() {
		return this.received.getCount() == 0;
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		return this.received.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void whenSynced(Runnable action) {
		action.run();
	}

	@Override
	public int pending() {
		return 3;
	}

	@Override
	public List<HandlerRegistration.Invocation> invocations() {
		return List
			.of(new HandlerRegistration.Invocation("shop/web-1", ResourceEvent.Type.UPDATED, Duration.ofSeconds(90)));
	}

	@Override
	public boolean awaitIdle(Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void pause(String requestedBy) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void resume() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean isPaused() {
		return false;
	}

	@Override
	public int retryNow() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean retryNow(@Nullable String namespace, String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public HandlerDiagnosis diagnose() {
		return new HandlerDiagnosis(0, null, 0, List.of(), 0, List.of());
	}

	@Override
	public DeliveryDiagnosis diagnose(@Nullable String namespace, String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void remove() {
		this.all.remove(this);
	}

	@Override
	public boolean remove(Duration timeout) {
		return this.all.remove(this);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

}

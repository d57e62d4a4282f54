/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

import dev.informer.HandlerInvocation;
import dev.informer.ResourceEvent;
import dev.informer.TimeSource;
import dev.informer.client.ObjectKey;

/**
 * Invocations of a handler that are running. Thread-safe.
 */
final class RunningInvocations {

	private final Set<Running> running = ConcurrentHashMap.newKeySet();

	private final TimeSource time;

	RunningInvocations(TimeSource time) {
		this.time = time;
	}

	/**
	 * Begin an invocation on the current thread.
	 * @param slot the slot of the object
	 * @param startNanos the start, as {@link TimeSource#nanoTime()}
	 */
	Running begin(ResourceEvent<?> event, int slot, long startNanos) {
		Running invocation = new Running(Thread.currentThread(), slot, ObjectKey.of(event.object()), event.type(),
				startNanos);
		this.running.add(invocation);
		return invocation;
	}

	void end(Running invocation) {
		this.running.remove(invocation);
	}

	List<HandlerInvocation> all() {
		return list((each) -> true);
	}

	/**
	 * Return the invocations for the objects of some slots that an interrupt reaches:
	 * those of other threads.
	 */
	List<HandlerInvocation> ofOtherThreads(IntPredicate slots) {
		return list((each) -> each.thread() != Thread.currentThread() && slots.test(each.slot()));
	}

	private List<HandlerInvocation> list(Predicate<Running> filter) {
		long now = this.time.nanoTime();
		return this.running.stream()
			.filter(filter)
			.map((each) -> new HandlerInvocation(each.key(), each.type(), Duration.ofNanos(now - each.startNanos())))
			.toList();
	}

	/**
	 * Invocation that is running.
	 *
	 * @param thread the thread
	 * @param slot the slot of the object
	 * @param key the key of the object
	 * @param type the type of the event
	 * @param startNanos the start, as {@link TimeSource#nanoTime()}
	 */
	record Running(Thread thread, int slot, String key, ResourceEvent.Type type, long startNanos) {

	}

}

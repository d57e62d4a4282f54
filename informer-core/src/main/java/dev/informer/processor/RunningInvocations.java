/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.informer.HandlerInvocation;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

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
	 * @param entry the entry of the object
	 * @param startNanos the start, as {@link TimeSource#nanoTime()}
	 */
	Running begin(Entry<?> entry, ResourceEvent.Type type, long startNanos) {
		Running invocation = new Running(Thread.currentThread(), entry.target(), entry.key(), type, startNanos);
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
	 * Return the invocations that an interrupt reaches: those of other threads.
	 */
	List<HandlerInvocation> ofOtherThreads(Predicate<@Nullable Target> targets) {
		return list((each) -> each.thread() != Thread.currentThread() && targets.test(each.target()));
	}

	private List<HandlerInvocation> list(Predicate<Running> filter) {
		long now = this.time.nanoTime();
		return this.running.stream()
			.filter(filter)
			.map((each) -> new HandlerInvocation(UntrustedText.of(each.key()), each.type(),
					Duration.ofNanos(now - each.startNanos())))
			.toList();
	}

	/**
	 * Invocation that is running.
	 *
	 * @param thread the thread
	 * @param target the invocation; {@code null} if it needs no gate
	 * @param key the key of the object
	 * @param type the type of the event
	 * @param startNanos the start, as {@link TimeSource#nanoTime()}
	 */
	record Running(Thread thread, @Nullable Target target, String key, ResourceEvent.Type type, long startNanos) {

	}

}

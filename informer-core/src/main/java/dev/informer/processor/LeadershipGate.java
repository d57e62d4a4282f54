/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

import dev.informer.Leadership;
import dev.informer.LeadershipListener;

/**
 * Gate of a handler that is invoked only while this process is leader. It pauses the
 * handler and interrupts its invocations when the leadership is lost. Independent of
 * that, {@link #begin} checks the leadership immediately before each invocation: a
 * process that was suspended continues with an invocation before the loss is noticed.
 * Thread-safe.
 */
final class LeadershipGate implements InvocationGate, LeadershipListener {

	private final Leadership leadership;

	private final ProcessorListener<?> listener;

	LeadershipGate(Leadership leadership, ProcessorListener<?> listener) {
		this.leadership = leadership;
		this.listener = listener;
	}

	@Override
	public void follow() {
		this.leadership.addListener(this);
		acquired(this.leadership);
	}

	@Override
	public void unfollow() {
		this.leadership.removeListener(this);
	}

	@Override
	public boolean begin(int slot) {
		return this.leadership.begin();
	}

	@Override
	public void end(int slot) {
		this.leadership.end();
	}

	/**
	 * Pause the handler unless this process is leader. The next {@link #acquired} resumes
	 * it, also one between the check and the pause: it waits for the lock, which the
	 * caller holds. So does the next renewal.
	 */
	@Override
	public void update() {
		this.listener.setPaused(PauseReason.NOT_LEADER, !this.leadership.isLeader());
	}

	@Override
	public void acquired(Leadership leadership) {
		this.listener.lock().run(this::update);
		this.listener.startThreads();
	}

	@Override
	public void lost(Leadership leadership, String reason) {
		this.listener.setPaused(PauseReason.NOT_LEADER, true);
		this.listener.invoker()
			.interrupt("lost the election '" + leadership.election() + "'", (slot) -> true,
					this.listener.threads()::interruptInvocations)
			.run();
	}

	/**
	 * Resume the handler if it was paused between the renew deadline and the answer to a
	 * renewal that was just in time: the leadership was never lost, so {@link #acquired}
	 * does not follow.
	 */
	@Override
	public void requested(Leadership leadership, Duration duration, boolean success) {
		if (success) {
			acquired(leadership);
		}
	}

}

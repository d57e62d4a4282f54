/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.Leadership;
import dev.informer.LeadershipListener;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a handler that is invoked only while this process is leader. It pauses the
 * handler and interrupts its invocations when the leadership is lost. Independent of
 * that, {@link #begin()} checks the leadership immediately before each invocation: a
 * process that was suspended continues with an invocation before the loss is noticed.
 * Thread-safe.
 */
final class LeadershipGate implements LeadershipListener {

	private final @Nullable Leadership leadership;

	private final ProcessorListener<?> listener;

	/**
	 * Create the gate of a handler.
	 * @param leadership the leadership; {@code null} for a gate that is always open
	 * @param listener the handler
	 */
	LeadershipGate(@Nullable Leadership leadership, ProcessorListener<?> listener) {
		this.leadership = leadership;
		this.listener = listener;
	}

	/**
	 * Follow the leadership. The handler is paused until then.
	 */
	void follow() {
		if (this.leadership != null) {
			this.leadership.addListener(this);
			acquired(this.leadership);
		}
	}

	void unfollow() {
		if (this.leadership != null) {
			this.leadership.removeListener(this);
		}
	}

	/**
	 * Begin an invocation.
	 * @return whether it may begin; {@link #end()} has to follow
	 */
	boolean begin() {
		return this.leadership == null || this.leadership.begin();
	}

	void end() {
		if (this.leadership != null) {
			this.leadership.end();
		}
	}

	/**
	 * Pause the handler unless this process is leader. The next {@link #acquired} resumes
	 * it, also one between the check and the pause: it waits for the lock, which the
	 * caller holds.
	 */
	void update() {
		if (this.leadership != null) {
			this.listener.setPaused(PauseReason.NOT_LEADER, !this.leadership.isLeader());
		}
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
			.interrupt("lost the election '" + leadership.election() + "'",
					this.listener.threads()::interruptInvocations)
			.run();
	}

}

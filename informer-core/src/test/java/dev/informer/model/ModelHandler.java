/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.Random;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.FakeGate;
import dev.informer.testing.SteppedThreads;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Handler in a {@link ModelRun}. Its oracle checks every event; then other threads
 * continue during the invocation, and it is paused now and then, loses parts of its
 * objects, removes itself, or throws.
 */
final class ModelHandler implements ResourceEventHandler<V1Pod>, HandlerErrorHandler<V1Pod> {

	private static final int PARTS = 2;

	private final HandlerProfile profile;

	private final HandlerOracle oracle;

	private final SteppedThreads threads;

	private final Random random;

	private final Trace trace;

	private final FakeGate gate = new FakeGate(PARTS);

	private final HandlerRegistration registration;

	private int events;

	private boolean held;

	private boolean stopped;

	private boolean removed;

	private boolean settling;

	private boolean synced;

	ModelHandler(HandlerProfile profile, SharedIndexInformer<V1Pod> informer, ModelStore store, SteppedThreads threads,
			Random random, Trace trace) {
		this.profile = profile;
		this.oracle = new HandlerOracle(profile, store, threads, trace);
		this.threads = threads;
		this.random = random;
		this.trace = trace;
		this.events = store.contents().size();
		this.registration = informer.addHandler(this, (options) -> {
			profile.applyTo(options);
			options.errorHandler(this);
			if (profile.gated()) {
				options.gate(this.gate);
			}
		});
	}

	@Override
	public void handle(ResourceEvent<V1Pod> event) throws Exception {
		this.trace.note(this.profile.name() + " <- " + HandlerOracle.text(event));
		this.trace.check(!this.removed && !this.stopped && !this.registration.isPaused(),
				"%s is invoked though it is removed, stopped or paused", this.profile.name());
		this.trace.check(!this.profile.gated() || this.gate.isOpen(event.object().getMetadata().getName()),
				"%s is invoked for an object for which its gate is closed", this.profile.name());
		this.oracle.begin(event);
		try {
			if (!this.settling) {
				run();
			}
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			this.oracle.threw(event);
			throw ex;
		}
		this.trace.note(this.profile.name() + " returns");
		this.oracle.returned(event);
	}

	private void run() throws InterruptedException {
		beSlow();
		if (this.random.nextInt(60) == 0) {
			remove();
		}
		if (this.random.nextInt(100) < this.profile.failures()) {
			fail();
		}
	}

	private void fail() {
		if (this.random.nextBoolean()) {
			throw new IllegalStateException("for the test");
		}
		throw new AssertionError("for the test");
	}

	private void beSlow() throws InterruptedException {
		for (int i = this.random.nextInt(this.profile.slowness() + 1); i > 0; i--) {
			this.threads.pause();
		}
		while (this.held) {
			this.threads.await();
			if (Thread.interrupted() && !this.profile.stubborn()) {
				throw new InterruptedException("for the test");
			}
		}
	}

	@Override
	public void failed(HandlerFailure<? extends V1Pod> failure) {
		this.trace.note(this.profile.name() + " throws, attempt " + failure.attempt()
				+ (failure.retriesExhausted() ? ", retries exhausted" : ""));
		if (!this.removed) {
			this.oracle.failed(failure);
		}
	}

	/**
	 * Record that the store has changed, so that all current handlers receive an event.
	 */
	void storeChanged() {
		this.oracle.initialList().look();
		this.events++;
	}

	void hold(boolean held) {
		this.held = held;
	}

	/**
	 * Record that a stop of the informer begins or has ended.
	 */
	void stopping(boolean stopping) {
		this.oracle.hurry(stopping);
	}

	/**
	 * Record that the informer was stopped, so that no event may be delivered, or was
	 * started again.
	 */
	void stopped(boolean stopped) {
		this.stopped = stopped;
	}

	void settle() {
		this.settling = true;
		this.held = false;
		this.registration.resume();
		if (this.profile.gated()) {
			open(0, 1);
		}
	}

	/**
	 * Open or close the gate for a part of the objects, with or without a notification.
	 */
	void moveGate(Random random) {
		if (!this.profile.gated()) {
			return;
		}
		int part = random.nextInt(PARTS);
		int what = random.nextInt(5);
		this.trace.note("part " + part + ": " + what);
		switch (what) {
			case 0, 1 -> open(part);
			case 2 -> this.gate.close(part);
			case 3 -> this.gate.revoke(part);
			default -> this.gate.expire(part);
		}
	}

	private void open(Integer... parts) {
		this.oracle.acquired();
		this.gate.open(parts);
	}

	void remove() {
		this.trace.note("remove " + this.profile.name());
		this.registration.remove();
		this.removed = true;
	}

	boolean isRemoved() {
		return this.removed;
	}

	boolean isBusy() {
		return this.oracle.isBusy();
	}

	HandlerRegistration registration() {
		return this.registration;
	}

	/**
	 * Check the invariants that hold at any time.
	 */
	void check() {
		this.oracle.initialList().look();
		this.oracle.forgetDelays();
		if (!this.synced && this.registration.hasSynced()) {
			this.synced = true;
			this.oracle.checkSynced();
		}
	}

	/**
	 * Check the invariants that hold at rest.
	 */
	void checkAtRest() {
		this.trace.check(this.registration.hasSynced(), "%s has not synced", this.profile.name());
		this.oracle.checkReplay();
		this.oracle.checkComplete(this.events);
	}

	@Override
	public String toString() {
		return this.profile.name() + " with " + this.registration.pending() + " pending" + (isBusy() ? ", busy" : "");
	}

}

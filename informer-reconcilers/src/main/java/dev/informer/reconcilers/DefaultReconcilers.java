/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.TimeSource;
import dev.informer.support.Arguments;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Default {@link Reconcilers}.
 */
final class DefaultReconcilers implements Reconcilers {

	private final InformerFactory factory;

	private final ObjectWriter writer;

	private final List<ReconcileInterceptor> interceptors;

	private final CallTimer timer;

	private final List<DefaultReconcilerRegistration<?>> registrations = new CopyOnWriteArrayList<>();

	private State state = State.STOPPED;

	DefaultReconcilers(InformerFactory factory, ObjectWriter writer, List<ReconcileInterceptor> interceptors) {
		this.factory = factory;
		this.writer = writer;
		this.interceptors = interceptors;
		this.timer = new CallTimer(factory);
	}

	@Override
	public synchronized <T extends KubernetesObject> ReconcilerRegistration add(SharedIndexInformer<T> primaries,
			Reconciler<T> reconciler, Consumer<ReconcilerOptions.Builder<T>> options) {
		Arguments.require("add a reconciler", "primaries", primaries);
		Arguments.require("add a reconciler", "reconciler", reconciler);
		Arguments.require("add a reconciler", "options", options);
		if (this.state == State.CLOSED) {
			throw new IllegalStateException("Cannot add a reconciler: the reconcilers are closed.");
		}
		ReconcilerOptions.Builder<T> builder = new ReconcilerOptions.Builder<>(primaries.name());
		options.accept(builder);
		ReconcilerOptions<T> requested = builder.build();
		String subject = "Cannot add reconciler '" + requested.name() + "': ";
		InvocationGate gate = DefaultReconcilerRegistration.gateOf(primaries);
		if (gate != InvocationGate.OPEN && requested.gate() != InvocationGate.OPEN) {
			throw new IllegalArgumentException(subject + "the " + primaries.options().watchedSet()
					+ " of its informer has a gate. Remove the other one, or use an informer of all objects.");
		}
		ReconcilerOptions<T> built = (gate != InvocationGate.OPEN) ? builder.gate(gate).build() : requested;
		if (this.registrations.stream().anyMatch((other) -> other.name().equals(built.name()))) {
			throw new IllegalArgumentException(
					subject + "there is another one of this name. Set a name by its options.");
		}
		if (built.cleanup() != null && primaries.resourceType().type() == PartialObjectMetadata.class) {
			throw new IllegalArgumentException(subject
					+ "its informer has only metadata, which cannot be written. Use an informer of objects for a cleanup.");
		}
		Dependents<T> dependents = new Dependents<>(primaries, built);
		Finalizer finalizer = new Finalizer(built.finalizer(), this.writer, this.factory, primaries.resourceType());
		Reconciliation<T> reconciliation = new Reconciliation<>(built, reconciler, dependents, finalizer,
				this.interceptors, this.timer);
		DefaultReconcilerRegistration<T> registration = new DefaultReconcilerRegistration<>(built, dependents,
				reconciliation, finalizer, this.timer, this.factory);
		for (SharedIndexInformer<?> informer : registration.informers()) {
			if (!this.factory.informers().contains(informer)) {
				throw new IllegalArgumentException(
						subject + "informer '" + informer.name() + "' does not belong to the factory.");
			}
		}
		try {
			registration.follow();
			this.registrations.add(registration);
			if (this.state == State.STARTED) {
				this.timer.start();
				registration.start();
			}
		}
		catch (RuntimeException | Error ex) {
			this.registrations.remove(registration);
			registration.close();
			throw ex;
		}
		return registration;
	}

	@Override
	public List<ReconcilerRegistration> registrations() {
		return List.copyOf(this.registrations);
	}

	@Override
	public Optional<ReconcilerRegistration> find(String name) {
		return registrations().stream().filter((registration) -> registration.name().equals(name)).findFirst();
	}

	@Override
	public synchronized void start() {
		if (this.state == State.CLOSED) {
			throw new IllegalStateException("Cannot start the reconcilers: they are closed.");
		}
		if (!this.registrations.isEmpty()) {
			this.timer.start();
		}
		this.state = State.STARTED;
		Throwable failure = null;
		for (DefaultReconcilerRegistration<?> registration : this.registrations) {
			try {
				registration.start();
			}
			catch (RuntimeException | Error ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure instanceof RuntimeException exception) {
			throw exception;
		}
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		long deadline = this.factory.time().nanoTime() + TimeSource.nanos(timeout);
		boolean idle = false;
		while (!idle) {
			idle = true;
			for (ReconcilerRegistration registration : this.registrations) {
				if (isActive(registration) && !registration.awaitIdle(Duration.ZERO)) {
					// its calls may cause those of another one, so check all again
					idle = false;
					Duration left = Duration.ofNanos(Math.max(0, deadline - this.factory.time().nanoTime()));
					if (!registration.awaitIdle(left) && isActive(registration)) {
						return false;
					}
				}
			}
		}
		return true;
	}

	private static boolean isActive(ReconcilerRegistration registration) {
		return !registration.isPaused() && registration.options().gate().isOpen();
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		synchronized (this) {
			if (this.state == State.STARTED) {
				this.state = State.STOPPED;
			}
		}
		this.registrations.forEach(DefaultReconcilerRegistration::suspend);
		long deadline = this.factory.time().nanoTime() + TimeSource.nanos(timeout);
		boolean ended = true;
		for (DefaultReconcilerRegistration<?> registration : this.registrations) {
			ended &= registration.awaitStopped(deadline);
		}
		synchronized (this) {
			// the calls have ended, or were interrupted
			if (this.state != State.STARTED) {
				this.timer.stop();
			}
		}
		return ended;
	}

	@Override
	public void close() {
		synchronized (this) {
			this.state = State.CLOSED;
		}
		this.registrations.forEach(DefaultReconcilerRegistration::close);
		this.timer.close();
	}

	private enum State {

		STOPPED, STARTED, CLOSED

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerListener;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.support.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports what happens to an informer: by lines of the log, by events, and to the threads
 * that wait for it.
 * <p>
 * <b>Concurrency.</b> Thread-safe. Lines and events are called for without a lock:
 * appenders and listeners are code of the user.
 */
final class InformerReporter {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	/** Number of failures of each kind that are logged separately. */
	private static final int FAILURE_LINES = 3;

	private final SharedIndexInformer<?> informer;

	private final InformerListener events;

	private final SyncLatch latch;

	private final TimeSource time;

	private final FailureLog failures;

	/**
	 * Create a reporter.
	 * @param events the listener to notify, which must not throw
	 */
	InformerReporter(SharedIndexInformer<?> informer, InformerListener events, SyncLatch latch, TimeSource time) {
		this.informer = informer;
		this.events = events;
		this.latch = latch;
		this.time = time;
		this.failures = new FailureLog(logger, time::nanoTime, "Informer '" + name() + "'", Map.of("informer", name()),
				FAILURE_LINES);
	}

	/**
	 * Return the name of the informer.
	 */
	String name() {
		return this.informer.name();
	}

	/**
	 * Log a failure between the reflectors and the handlers, and publish it.
	 */
	InformerFailure failed(Kind kind, String message, Throwable cause) {
		this.failures.report(Level.ERROR, kind.name(), "Informer '" + name() + "': " + message, cause);
		InformerFailure failure = new InformerFailure(kind, message, this.time.now(), cause);
		publishFailure(failure);
		return failure;
	}

	/**
	 * Let the waits for the informer fail, until it is started again.
	 */
	void failedPermanently(InformerFailure failure) {
		this.latch.failed(failure);
	}

	/**
	 * Forget a permanent failure, because the informer was started again.
	 */
	void started() {
		this.latch.failed(null);
	}

	/**
	 * Let threads that wait for a change of the cache look at it again.
	 */
	void cacheChanged() {
		this.latch.changed();
	}

	/**
	 * Log the sync, and end the waits for it.
	 */
	void synced(int objects, Duration duration) {
		// logged first: a thread that waits for the informer may log as well
		log(Level.INFO, "synced " + this.informer.resourceType() + " (" + objects + " objects, "
				+ TimeSource.millis(duration) + " ms)");
		this.latch.synced();
	}

	/**
	 * Log a sentence about the informer, which cannot fail the caller.
	 */
	void log(Level level, String predicate) {
		FailureLog.log(() -> logger.atLevel(level).addKeyValue("informer", name()),
				"Informer '" + name() + "' " + predicate, null);
	}

	void publish(InformerEvent event) {
		this.events.onEvent(event);
	}

	void publishFailure(InformerFailure failure) {
		publish(new InformerEvent.Failed(this.informer, null, null, failure));
	}

	void publishSync(Duration duration) {
		publish(new InformerEvent.Synced(this.informer, duration));
	}

	void publishChange(ResourceEvent.Type type) {
		publish(new InformerEvent.CacheChanged(this.informer, type));
	}

	void publishNamespaces(Set<String> namespaces) {
		publish(new InformerEvent.NamespacesChanged(this.informer, Set.copyOf(namespaces)));
	}

	/**
	 * Publish the states of all namespaces.
	 */
	void publishStates() {
		this.informer.statesByNamespace()
			.forEach((namespace, state) -> publish(new InformerEvent.StateChanged(this.informer, namespace, state)));
	}

	void publishRemoval() {
		publish(new InformerEvent.Removed(this.informer));
	}

}

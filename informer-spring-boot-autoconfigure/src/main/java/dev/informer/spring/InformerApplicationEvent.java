/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * Application event of an informer. Use {@code @EventListener} with one of the records,
 * or with this interface for all of them.
 * <p>
 * All events of an application are published one by one on the thread
 * {@code informer-events}. Informers do not wait for listeners: a slow listener delays
 * the next event, and an informer that recovers before its stale event is published
 * causes none.
 */
public sealed interface InformerApplicationEvent
		permits InformerSyncedEvent, InformerStaleEvent, InformerRecoveredEvent {

	/**
	 * Return the name of the informer.
	 * @return the name
	 */
	String informer();

	/**
	 * Return the time since which the event applies.
	 * @return the time
	 */
	Instant since();

	/**
	 * Return the reason in words. It never contains the content of an object.
	 * @return the reason
	 */
	String reason();

}

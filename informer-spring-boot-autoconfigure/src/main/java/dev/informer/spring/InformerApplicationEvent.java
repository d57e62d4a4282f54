/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * Something that an application may want to know about one of its informers, published as
 * an application event. A method with {@code @EventListener} and one of the records, or
 * this interface for all of them, is told.
 * <p>
 * All events of an application are published by one thread, {@code informer-events}, one
 * after the other. No informer waits for it: a listener that is slow is told the next
 * event later, and what was stale and has recovered meanwhile is not told at all.
 */
public sealed interface InformerApplicationEvent
		permits InformerSyncedEvent, InformerStaleEvent, InformerRecoveredEvent {

	/**
	 * The name of the informer.
	 * @return the name
	 */
	String informer();

	/**
	 * Since when it is so.
	 * @return the time
	 */
	Instant since();

	/**
	 * Why, in words for whoever runs the application. Never an object's content.
	 * @return the reason
	 */
	String reason();

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.spring.InformerStaleEvent;

import org.springframework.context.event.EventListener;

/**
 * Listener of the documentation for stale informers.
 */
class StaleAlarm {

	private final Alarm alarm;

	StaleAlarm(Alarm alarm) {
		this.alarm = alarm;
	}

	@EventListener
	void stale(InformerStaleEvent event) {
		this.alarm.raise(event.informer() + " since " + event.since() + ": " + event.reason());
	}

	/**
	 * Alert channel.
	 */
	interface Alarm {

		void raise(String what);

	}

}

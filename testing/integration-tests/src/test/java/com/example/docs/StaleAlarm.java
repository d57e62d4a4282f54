/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.spring.InformerStaleEvent;

import org.springframework.context.event.EventListener;

/**
 * Hears of informers that are stale.
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
	 * Wakes somebody.
	 */
	interface Alarm {

		void raise(String what);

	}

}

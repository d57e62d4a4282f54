/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Controller for the events of the page: a snapshot first, then the changes.
 */
@RestController
class EventsController {

	private final Browsers browsers;

	EventsController(Browsers browsers) {
		this.browsers = browsers;
	}

	@RegisterReflectionForBinding(Snapshot.class)
	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	ResponseEntity<SseEmitter> events() {
		return ResponseEntity.ok()
			.cacheControl(CacheControl.noStore())
			.header("X-Accel-Buffering", "no")
			.body(this.browsers.connect());
	}

	@ExceptionHandler
	@ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
	void tooMany(TaskRejectedException ex) {
	}

}

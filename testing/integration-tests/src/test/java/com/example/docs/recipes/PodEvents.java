/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
class PodEvents {

	private final Set<SseEmitter> browsers = ConcurrentHashMap.newKeySet();

	@GetMapping(path = "/pod-events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter connect() {
		SseEmitter browser = new SseEmitter(0L);
		browser.onCompletion(() -> this.browsers.remove(browser));
		this.browsers.add(browser);
		return browser;
	}

	@InformerHandler
	void changed(ResourceEvent<V1Pod> event) {
		for (SseEmitter browser : this.browsers) {
			try {
				String pod = event.object().getMetadata().getName();
				browser.send(SseEmitter.event().name(event.type().name()).data(pod));
			}
			catch (IOException | IllegalStateException ex) {
				this.browsers.remove(browser);
			}
		}
	}

	@EventListener(ContextClosedEvent.class)
	void disconnect() {
		this.browsers.forEach(SseEmitter::complete);
	}

}

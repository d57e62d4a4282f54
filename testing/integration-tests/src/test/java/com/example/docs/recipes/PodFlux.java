/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.time.Duration;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PodFlux {

	private final Sinks.Many<String> names = Sinks.many().multicast().directBestEffort();

	@GetMapping(path = "/pod-names", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<String> names() {
		return this.names.asFlux();
	}

	@InformerHandler
	void changed(ResourceEvent<V1Pod> event) {
		this.names.tryEmitNext(event.type() + " " + event.object().getMetadata().getName());
	}

	@EventListener(ContextClosedEvent.class)
	void complete() {
		this.names.emitComplete(Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
	}

}

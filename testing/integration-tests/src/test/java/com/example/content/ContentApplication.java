/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.content;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.ObjectTransform;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Application whose handlers, filters, transforms and index functions fail in all ways.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class ContentApplication {

	final CountDownLatch mayReturn = new CountDownLatch(1);

	@InformerHandler(id = "failing", queue = QueuePolicy.KEEP_ALL)
	void fail(ResourceEvent<V1Secret> event) {
		throw new IllegalStateException("for the test");
	}

	@InformerHandler(id = "filtered", filter = "broken")
	void filter(ResourceEvent<V1ConfigMap> event) {
	}

	@InformerHandler(id = "unequal", changes = ChangedPart.SPEC)
	void unequal(ResourceEvent<Gadget> event) {
	}

	@InformerHandler(id = "mutating")
	void mutate(ResourceEvent<V1Pod> event) {
		event.object().getMetadata().putLabelsItem("mutated", Marker.CONTENT);
	}

	@InformerHandler(id = "untyped", informer = "tenants")
	void untyped(ResourceEvent<DynamicKubernetesObject> event) {
		throw new IllegalArgumentException("for the test");
	}

	@InformerHandler(id = "leader", leaderOnly = "true")
	void lead(ResourceEvent<V1Node> event) {
	}

	@InformerHandler(id = "blocked", queue = QueuePolicy.KEEP_ALL)
	void block(ResourceEvent<V1Service> event) throws InterruptedException {
		this.mayReturn.await();
	}

	@Bean
	Predicate<V1ConfigMap> broken() {
		return (settings) -> {
			throw new IllegalStateException("for the test");
		};
	}

	@Bean
	ObjectTransform<V1Service> transform() {
		return (service) -> switch (String.valueOf(service.getMetadata().getName())) {
			case "throws" -> throw new IllegalStateException("for the test");
			case "other" -> new V1Service().metadata(service.getMetadata().name("renamed"));
			default -> service;
		};
	}

	@Bean
	InformerCustomizer<V1ConfigMap> indices() {
		return (informer) -> {
			informer.addIndex("by-label", (settings) -> settings.getMetadata().getLabels().get("label"));
			informer.addMultiValueIndex("broken", (settings) -> {
				throw new IllegalStateException("for the test");
			});
			informer.addMultiValueIndex("values", (settings) -> List.copyOf(settings.getData().values()));
		};
	}

}

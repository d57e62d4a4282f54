/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.consumer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.stereotype.Component;

/**
 * Journal of the changes of each kind of informer.
 */
@Component
public class Journal {

	private final List<String> entries = new CopyOnWriteArrayList<>();

	private final Lister<V1Pod> pods;

	Journal(Lister<V1Pod> pods) {
		this.pods = pods;
	}

	List<String> entries() {
		return this.entries;
	}

	List<String> onNode(String node) {
		return this.pods.byIndex("byNode", node).stream().map((pod) -> pod.getMetadata().getName()).toList();
	}

	@InformerHandler
	void pods(ResourceEvent<V1Pod> event) {
		add(event);
	}

	@InformerHandler
	void tenants(Tenant tenant) {
		this.entries.add("TENANT " + tenant.getMetadata().getName() + " " + tenant.getSpec().getPlan());
	}

	@InformerHandler(informer = "labelled")
	void labelled(ResourceEvent<V1ConfigMap> event) {
		add(event);
	}

	@InformerHandler(informer = "nodemetadata")
	void nodes(ResourceEvent<PartialObjectMetadata> event) {
		add(event);
	}

	private void add(ResourceEvent<? extends KubernetesObject> event) {
		this.entries.add(event.type() + " " + event.object().getMetadata().getName());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Journals of the events of pods and Deployments.
 */
public class ClusterJournal {

	private final Journal<V1Pod> pods = new Journal<>();

	private final Journal<V1Deployment> deployments = new Journal<>();

	@InformerHandler(id = "podjournal", queue = QueuePolicy.KEEP_ALL)
	void pod(ResourceEvent<V1Pod> event) {
		this.pods.record(event);
	}

	@InformerHandler(id = "deploymentjournal", queue = QueuePolicy.KEEP_ALL)
	void deployment(ResourceEvent<V1Deployment> event) {
		this.deployments.record(event);
	}

	/**
	 * Return the events of pods.
	 * @return the journal
	 */
	public Journal<V1Pod> pods() {
		return this.pods;
	}

	/**
	 * Return the events of Deployments.
	 * @return the journal
	 */
	public Journal<V1Deployment> deployments() {
		return this.deployments;
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * Records the events of pods, ConfigMaps and widgets: with handlers that receive every
 * event, and with coalescing handlers that can be paused.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class JournalApplication {

	private final ReentrantLock gate = new ReentrantLock();

	final Journal<V1Pod> pods = new Journal<>();

	final Journal<V1Pod> coalescedPods = new Journal<>();

	final Journal<V1ConfigMap> configMaps = new Journal<>();

	final Journal<V1ConfigMap> coalescedConfigMaps = new Journal<>();

	final Journal<Widget> widgets = new Journal<>();

	final Journal<Widget> coalescedWidgets = new Journal<>();

	@InformerHandler(id = "pods", queue = QueuePolicy.KEEP_ALL)
	void pod(ResourceEvent<V1Pod> event) {
		this.pods.record(event);
	}

	@InformerHandler(id = "coalescedpods", queue = QueuePolicy.COALESCE)
	void coalescedPod(ResourceEvent<V1Pod> event) {
		recordWhenFree(this.coalescedPods, event);
	}

	@InformerHandler(id = "configmaps", queue = QueuePolicy.KEEP_ALL)
	void configMap(ResourceEvent<V1ConfigMap> event) {
		this.configMaps.record(event);
	}

	@InformerHandler(id = "coalescedconfigmaps", queue = QueuePolicy.COALESCE)
	void coalescedConfigMap(ResourceEvent<V1ConfigMap> event) {
		recordWhenFree(this.coalescedConfigMaps, event);
	}

	@InformerHandler(id = "widgets", queue = QueuePolicy.KEEP_ALL)
	void widget(ResourceEvent<Widget> event) {
		this.widgets.record(event);
	}

	@InformerHandler(id = "coalescedwidgets", queue = QueuePolicy.COALESCE)
	void coalescedWidget(ResourceEvent<Widget> event) {
		recordWhenFree(this.coalescedWidgets, event);
	}

	private <T extends KubernetesObject> void recordWhenFree(Journal<T> journal, ResourceEvent<T> event) {
		this.gate.lock();
		try {
			journal.record(event);
		}
		finally {
			this.gate.unlock();
		}
	}

	/**
	 * Block the coalescing handlers until the calling thread calls {@link #resume()}.
	 */
	void pause() {
		this.gate.lock();
	}

	void resume() {
		this.gate.unlock();
	}

	List<Journal<V1Pod>> podJournals() {
		return List.of(this.pods, this.coalescedPods);
	}

	List<Journal<V1ConfigMap>> configMapJournals() {
		return List.of(this.configMaps, this.coalescedConfigMaps);
	}

	List<Journal<Widget>> widgetJournals() {
		return List.of(this.widgets, this.coalescedWidgets);
	}

}

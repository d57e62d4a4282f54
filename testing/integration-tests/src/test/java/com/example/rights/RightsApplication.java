/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rights;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.reconcilers.Owned;
import dev.informer.recorder.EventRecorder;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1LimitRangeItem;
import io.kubernetes.client.openapi.models.V1LimitRangeSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

/**
 * Application with an election, a group, selectors, Events, deletions and a cleanup.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(RightsApplication.Copies.class)
class RightsApplication {

	static final Map<String, String> LABELS = Map.of("app", "rights");

	static final String[] PROPERTIES = { "--spring.config.name=rights", "--spring.application.name=rights",
			"--informer.resources.configmaps.namespaces=default",
			"--informer.resources.configmaps.label-selector=app=rights",
			"--informer.resources.secrets.namespaces=default", "--informer.resources.secrets.label-selector=app=rights",
			"--informer.resources.serviceaccounts.namespaces=default",
			"--informer.resources.kubernetes.resource=services",
			"--informer.resources.kubernetes.field-selector=metadata.name=kubernetes",
			"--informer.resources.pods.namespace-selector=team=a",
			"--informer.writer.writes.events.resource=events.events.k8s.io",
			"--informer.writer.writes.events.operations=create,patch",
			"--informer.writer.writes.events.namespaces=default",
			"--informer.writer.writes.limitranges.operations=apply",
			"--informer.writer.writes.limitranges.namespaces=default",
			"--informer.writer.writes.limitranges.with-owner=true", "--informer.leader.enabled=true",
			"--informer.leader.lease-namespace=team-a", "--informer.leader.lease-duration=3s",
			"--informer.leader.renew-deadline=2s", "--informer.leader.retry-period=500ms",
			"--informer.sharding.enabled=true", "--informer.sharding.lease-duration=3s",
			"--informer.sharding.renew-deadline=2s", "--informer.sharding.retry-period=500ms" };

	@Component
	static class Copies {

		/** Codes of the failures of writes. */
		final List<Integer> refused = new CopyOnWriteArrayList<>();

		private final ObjectWriter writer;

		private final EventRecorder events;

		Copies(ObjectWriter writer, EventRecorder events) {
			this.writer = writer;
			this.events = events;
		}

		@InformerReconciler(id = "copies", owns = { V1Secret.class, V1ServiceAccount.class },
				writes = @Writes(type = V1ServiceAccount.class, operations = { Operation.CREATE, Operation.DELETE }))
		void reconcile(V1ConfigMap configMap, Owned<V1ServiceAccount> accounts) throws ObjectWriteException {
			try {
				copy(configMap, String.valueOf(configMap.getData().get("value")), accounts.list());
			}
			catch (ObjectWriteException ex) {
				this.refused.add(ex.getCode());
				throw ex;
			}
			this.events.normal(configMap, "Copied", "Copy", "Copied the value");
		}

		private void copy(V1ConfigMap configMap, String value, List<V1ServiceAccount> accounts)
				throws ObjectWriteException {
			V1ObjectMeta metadata = new V1ObjectMeta().name("copy").labels(LABELS);
			this.writer.apply(new V1Secret().metadata(metadata).putStringDataItem("value", value), configMap);
			V1LimitRangeItem item = new V1LimitRangeItem().type("Pod");
			this.writer.apply(new V1LimitRange().metadata(new V1ObjectMeta().name("copy").putLabelsItem("value", value))
				.spec(new V1LimitRangeSpec().addLimitsItem(item)), configMap);
			if (value.equals("1") && accounts.isEmpty()) {
				this.writer.create(new V1ServiceAccount().metadata(new V1ObjectMeta().name("copy")), configMap);
			}
			if (!value.equals("1")) {
				for (V1ServiceAccount account : accounts) {
					this.writer.delete(account);
				}
			}
		}

		@InformerCleanup("example.com/copies")
		void remove(V1ConfigMap configMap) {
		}

		@InformerHandler(informer = "kubernetes")
		void serviceChanged(V1Service service) {
		}

		@InformerHandler(informer = "pods", sharded = true)
		void podChanged(V1Pod pod) {
		}

	}

}

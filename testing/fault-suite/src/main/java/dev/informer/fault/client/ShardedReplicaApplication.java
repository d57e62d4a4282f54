/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import io.kubernetes.client.openapi.models.V1Secret;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * Replica of an application that divides objects, with a handler of a sharded informer.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ShardedReplicaApplication extends ReplicaApplication {

	ShardedReplicaApplication(JournalWriter journal, ObjectProvider<Leadership> elected,
			ObjectProvider<Sharding> divided, ReplicaDurations durations, InformerRegistry informers,
			Reconcilers reconcilers, GadgetReconciler gadgets) {
		super(journal, elected, divided, durations, informers, reconcilers, gadgets);
	}

	@InformerHandler(id = "divided", filter = "all", concurrency = "4")
	void divided(ResourceEvent<V1Secret> event) throws InterruptedException {
		if (event instanceof ResourceEvent.Deleted<V1Secret> deleted && deleted.reason() == Reason.UNWATCHED) {
			// another replica may be handling the object already
			return;
		}
		record(ReplicaHandler.DIVIDED, event);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Leader election and division of objects between the replicas of an application.
 */
@SuppressWarnings("module")
module dev.informer.replicas {

	requires transitive dev.informer;
	requires org.slf4j;

	exports dev.informer.replicas;

	exports dev.informer.leader to dev.informer.spring;
	exports dev.informer.lease to dev.informer.spring;
	exports dev.informer.shard to dev.informer.spring;

}

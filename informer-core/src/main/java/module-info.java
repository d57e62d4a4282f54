/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Informers, without Spring.
 */
@SuppressWarnings("module")
module dev.informer {

	requires transitive dev.informer.client;
	requires org.slf4j;

	exports dev.informer;
	exports dev.informer.official;

	exports dev.informer.cache to dev.informer.spring.test;
	exports dev.informer.work to dev.informer.reconcilers;

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Embedded Kubernetes API server.
 */
module dev.informer.test {

	requires org.eclipse.jetty.http;
	requires org.eclipse.jetty.io;
	requires org.eclipse.jetty.server;
	requires org.eclipse.jetty.util;
	requires transitive org.jspecify;
	requires org.slf4j;
	requires tools.jackson.core;
	requires transitive tools.jackson.databind;

	exports dev.informer.test;

}

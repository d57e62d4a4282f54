/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Lists, watches and decodes Kubernetes resources, without informers.
 */
@SuppressWarnings({ "module", "requires-transitive-automatic" })
module dev.informer.client {

	requires transitive com.google.gson;
	requires transitive io.kubernetes.client.java;
	requires transitive io.kubernetes.client.java.api;
	requires jdk.net;
	requires okhttp3;
	requires static okhttp3.logging;
	requires transitive org.jspecify;
	requires org.bouncycastle.pkix;
	requires org.bouncycastle.provider;
	requires org.slf4j;
	requires org.yaml.snakeyaml;
	requires tools.jackson.core;

	exports dev.informer.client;
	exports dev.informer.client.connection;

	exports dev.informer.client.json to dev.informer, dev.informer.reconcilers;
	exports dev.informer.client.model to dev.informer, dev.informer.reconcilers;
	exports dev.informer.client.protobuf to dev.informer;
	exports dev.informer.client.type to dev.informer, dev.informer.reconcilers;
	exports dev.informer.support to dev.informer, dev.informer.reconcilers, dev.informer.replicas, dev.informer.spring;

}

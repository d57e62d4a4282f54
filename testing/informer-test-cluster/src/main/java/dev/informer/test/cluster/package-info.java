/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Real Kubernetes API servers for tests: kube-apiserver and etcd as local processes,
 * optionally with controller-manager, scheduler and nodes, and a JUnit annotation that
 * injects a server into a test. Independent of the informer and of Spring.
 */
@NullMarked
package dev.informer.test.cluster;

import org.jspecify.annotations.NullMarked;

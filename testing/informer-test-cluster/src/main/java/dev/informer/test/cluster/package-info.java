/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A real Kubernetes API server for tests: kube-apiserver and etcd as processes of this
 * machine, on request with controller-manager, scheduler and nodes, and a JUnit
 * annotation that hands one to a test. Knows nothing of the informer and nothing of
 * Spring.
 */
@NullMarked
package dev.informer.test.cluster;

import org.jspecify.annotations.NullMarked;

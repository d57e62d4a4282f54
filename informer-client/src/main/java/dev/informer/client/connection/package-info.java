/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Connection to the API server: from connection details, kubeconfig or in-cluster
 * credentials to an {@code ApiClient}.
 */
@NullMarked
package dev.informer.client.connection;

import org.jspecify.annotations.NullMarked;

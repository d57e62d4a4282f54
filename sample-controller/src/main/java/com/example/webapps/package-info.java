/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A controller for web applications: each becomes a Deployment, a Service and a host name
 * outside of the cluster.
 */
@NullMarked
package com.example.webapps;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Follows the Deployments of a Kubernetes cluster and their pods.
 */
@NullMarked
package com.example.rollouts;

import org.jspecify.annotations.NullMarked;

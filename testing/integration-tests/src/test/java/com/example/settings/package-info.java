/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A controller whose calls are triggered by several resources: it keeps a ConfigMap for
 * each Deployment.
 */
@NullMarked
package com.example.settings;

import org.jspecify.annotations.NullMarked;

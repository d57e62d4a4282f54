/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Polls of the endpoints of the informer, and the judgement of what they reported.
 */
@NullMarked
package dev.informer.fault.health;

import org.jspecify.annotations.NullMarked;

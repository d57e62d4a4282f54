/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Informers and handlers of an application context: bean definitions, handler methods,
 * registry and lifecycle. Internal; the public types are the entry points of the
 * auto-configuration.
 */
@NullMarked
package dev.informer.spring.config;

import org.jspecify.annotations.NullMarked;

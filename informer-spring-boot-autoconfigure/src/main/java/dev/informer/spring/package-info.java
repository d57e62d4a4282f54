/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * API for applications: handler methods, the registry of informers and handlers, the
 * customizer of informers, the connection details, and the events and exceptions that the
 * starter publishes and throws.
 */
@NullMarked
package dev.informer.spring;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What an application asks for: its handler methods, the informers it has injected, and
 * the informers that follow from both and from its properties. Nothing here creates a
 * bean or contacts a server.
 */
@NullMarked
package dev.informer.spring.config;

import org.jspecify.annotations.NullMarked;

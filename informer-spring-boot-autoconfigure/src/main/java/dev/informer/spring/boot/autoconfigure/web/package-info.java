/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Responses of web applications.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.web;

import org.jspecify.annotations.NullMarked;

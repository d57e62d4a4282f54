/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Objects of an embedded server, their versions and changes, the lists and selectors that
 * read them, and the errors of the server. Internal: for the packages of this module.
 */
@NullMarked
package dev.informer.test.store;

import org.jspecify.annotations.NullMarked;

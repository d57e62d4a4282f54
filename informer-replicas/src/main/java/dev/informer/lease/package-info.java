/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Reading, writing and watching of Leases, and the threads of a
 * {@link dev.informer.lease.LeaseProtocol}, which decides what to write.
 */
@NullMarked
package dev.informer.lease;

import org.jspecify.annotations.NullMarked;

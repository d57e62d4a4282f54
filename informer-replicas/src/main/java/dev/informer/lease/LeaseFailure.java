/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import dev.informer.client.Moment;

/**
 * Failure of the requests for a Lease.
 *
 * @param since the time of the first of the failures since the last success
 * @param forbidden whether the permission is missing
 */
public record LeaseFailure(String message, Moment since, boolean forbidden) {

}

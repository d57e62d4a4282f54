/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import com.google.gson.JsonObject;

/**
 * Lease as the API server has returned it.
 *
 * @param object the whole object. Fields that this version does not know are kept when
 * the Lease is updated
 */
public record Lease(LeaseRecord record, JsonObject object) {

}

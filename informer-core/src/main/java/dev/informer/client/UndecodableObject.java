/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

/**
 * Object that does not fit the model, is not valid in its wire format, or for which code
 * of the application failed, such as an adapter.
 *
 * @param state the part of its identity that could be read
 * @param reason the path and the expected type; never the value found there
 */
public record UndecodableObject(ObjectState state, String reason) {
}

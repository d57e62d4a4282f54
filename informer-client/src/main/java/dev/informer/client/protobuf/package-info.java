/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Streaming decoder of lists, watches and failures in the protobuf encoding of Kubernetes
 * into the official client's models. The fields of the messages are in a resource that is
 * generated from the Go types of the API
 * ({@link dev.informer.client.protobuf.MessageTables}); they are joined with the tables
 * of the models by the names of the properties. No generated class is loaded.
 * <p>
 * Only built-in types have such messages. {@code RawExtension} and {@code FieldsV1}
 * contain JSON, and any response may be JSON; both are decoded by
 * {@code dev.informer.client.json}.
 */
@NullMarked
package dev.informer.client.protobuf;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Streaming decoder of lists, watches and failures in JSON into the official client's
 * models and into users' classes, by their descriptions
 * ({@link dev.informer.client.type.ValueType}), with Jackson's
 * {@link tools.jackson.core.JsonParser}. No list and no event is held as text.
 * <p>
 * The decoder is fast because it predicts names
 * ({@link dev.informer.client.json.ObjectDecoder}) and values
 * ({@link dev.informer.client.model.ValueLookup}) before it looks them up, and because
 * all objects share equal values ({@link dev.informer.client.model.SharedValues}). Tables
 * are built on first use, and little code is hot, since half of the CPU time of a cold
 * start is JIT compilation. Threads share these caches without locks: entries are
 * immutable, and a lost update costs time only.
 */
@NullMarked
package dev.informer.client.json;

import org.jspecify.annotations.NullMarked;

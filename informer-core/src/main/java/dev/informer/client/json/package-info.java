/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Decoding of lists, watches and failures from the stream of the response straight into
 * the official client's models, and into classes that users write the same way: a table
 * per class, reflected from the fields that Gson would bind, drives Jackson's
 * {@link tools.jackson.core.JsonParser}. Neither a list nor an event is ever held as
 * text.
 * <p>
 * What makes it fast: names are expected rather than looked up
 * ({@link dev.informer.client.json.ExpectedName}), and so are values
 * ({@link dev.informer.client.json.SharedDecoder}), which are shared by all objects
 * ({@link dev.informer.client.json.SharedValues}); tables are made when they are needed,
 * and little code is hot, since half of a cold start is its compilation. What is
 * remembered to that end is shared by threads without locks: it is immutable, or whoever
 * loses a race loses time.
 */
@NullMarked
package dev.informer.client.json;

import org.jspecify.annotations.NullMarked;

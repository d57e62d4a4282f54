/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.ListSink;

/**
 * Decodes whole objects: the items of lists and the objects of watch events. One that
 * does not fit is skipped up to its end, so that the next one can be read.
 *
 * @param <T> the type of the objects
 */
interface RootDecoder<T> {

	/**
	 * Decodes the object whose first token is the current one and hands it over.
	 * @param reader where the tokens come from
	 * @param sink takes the object, or what is known of one that does not fit
	 * @throws IOException when it cannot be read up to its end; nothing is handed over
	 */
	void decode(TokenReader reader, ListSink<T> sink) throws IOException;

}

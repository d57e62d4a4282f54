/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.ObjectLookup;
import dev.informer.client.model.UndecodableObjectException;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of whole objects: items of lists and objects of watch events.
 */
interface RootDecoder<T> {

	/**
	 * Decode the object whose first token is the current one. Its last token is the
	 * current one afterwards, also if it does not fit. Called by
	 * {@link TokenReader#decode}, which handles JSON that cannot be parsed.
	 * @return the decoded or the found object; {@code null} if it is not wanted
	 * @throws IOException if the request must fail
	 */
	@Nullable T decode(TokenReader reader, ObjectLookup<T> lookup) throws IOException, UndecodableObjectException;

	/**
	 * Replace parts of a decoded object by those of a known one where they are equal.
	 */
	static void share(ValueDecoder decoder, Object object, @Nullable Object known) {
		try {
			decoder.share(object, known);
		}
		catch (RuntimeException ex) {
			// The known object is being modified, against its contract. What is left
			// unshared is complete all the same.
		}
	}

}

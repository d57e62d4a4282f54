/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of text from a response for messages.
 */
public final class BodyText {

	private static final int MAX_LENGTH = 100;

	private BodyText() {
	}

	/**
	 * Return the beginning of a text, as {@link UntrustedText}.
	 */
	public static String printable(String text) {
		return UntrustedText.of(text, MAX_LENGTH);
	}

	/**
	 * Return the failure of a response that is of another kind than metadata alone.
	 */
	public static MalformedResponseException notMetadata(@Nullable String kind) {
		return new MalformedResponseException(
				"expected metadata alone (" + PartialObjectMetadata.KIND + "), got a " + printable(String.valueOf(kind))
						+ ": the server, or a proxy in front of it, ignored the Accept header");
	}

}

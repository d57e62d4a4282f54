/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.OutputStream;

/**
 * Filter that corrupts the body of a response.
 */
public interface BodyFilter {

	/**
	 * Wrap the stream of a body.
	 * @param body the stream to write to
	 * @param response the response, which can be cut
	 * @return the stream that the handler writes to
	 */
	OutputStream apply(OutputStream body, ApiResponse response);

}

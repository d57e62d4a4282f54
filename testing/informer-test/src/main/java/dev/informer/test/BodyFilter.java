/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.OutputStream;

/**
 * Spoils the body of a right answer.
 */
interface BodyFilter {

	/**
	 * Puts itself in front of a body.
	 * @param body where the body goes
	 * @param response the answer, which can be cut
	 * @return where the answer is to be written
	 */
	OutputStream apply(OutputStream body, ApiResponse response);

}

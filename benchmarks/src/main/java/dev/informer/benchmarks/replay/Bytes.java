/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.nio.charset.StandardCharsets;

/**
 * Text in the encoding of the protocol.
 */
final class Bytes {

	private Bytes() {
	}

	static byte[] of(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}

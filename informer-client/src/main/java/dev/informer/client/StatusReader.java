/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reader of the body of a failed request.
 */
@FunctionalInterface
interface StatusReader {

	ServerStatus read(int code, InputStream body) throws IOException;

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;

import okhttp3.internal.http2.ErrorCode;
import okhttp3.internal.http2.StreamResetException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClosedAfterHandshakeException}, with the exceptions of OkHttp.
 */
class ClosedAfterHandshakeExceptionTests {

	@Test
	void resetStream_isAnAnswer() {
		assertThat(ClosedAfterHandshakeException.isAnswer(new StreamResetException(ErrorCode.INTERNAL_ERROR))).isTrue();
		assertThat(ClosedAfterHandshakeException.isAnswer(new StreamResetException(ErrorCode.REFUSED_STREAM))).isTrue();
	}

	@Test
	void endOfConnection_isNoAnswer() {
		assertThat(ClosedAfterHandshakeException.isAnswer(new StreamResetException(ErrorCode.CANCEL))).isFalse();
		assertThat(ClosedAfterHandshakeException.isAnswer(new SocketException("Connection reset"))).isFalse();
		assertThat(ClosedAfterHandshakeException.isAnswer(new IOException("unexpected end", new EOFException())))
			.isFalse();
	}

}

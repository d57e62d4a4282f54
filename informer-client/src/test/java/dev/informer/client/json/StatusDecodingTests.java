/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

import dev.informer.client.ServerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StatusDecodingTests {

	private final JsonWireFormat<V1Pod> format = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	@Test
	void status_isRead() throws IOException {
		String body = """
				{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"slow down","reason":"TooManyRequests",
				"details":{"causes":[{"reason":"A","field":"x"},{"reason":"B"}],"retryAfterSeconds":7,"group":"apps"},"code":429}
				""";
		assertThat(this.format.readStatus(429, Bodies.trickling(body)))
			.isEqualTo(new ServerStatus(429, "TooManyRequests", "slow down", List.of("A", "B"), Duration.ofSeconds(7)));
	}

	@Test
	void statusWithUnexpectedValues_isReadPartially() throws IOException {
		String body = """
				{"details":{"causes":7,"retryAfterSeconds":"x"},"code":"x","reason":null,"message":{"a":[1]},"kind":"Status"}
				""";
		assertThat(this.format.readStatus(403, Bodies.whole(body)))
			.isEqualTo(new ServerStatus(403, "", "", List.of(), null));
		assertThat(this.format.readStatus(403,
				Bodies.whole("{\"kind\":\"Status\",\"details\":null,\"reason\":\"Forbidden\"")))
			.isEqualTo(new ServerStatus(403, "Forbidden", "", List.of(), null));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			`404 page not found\n` | 404 page not found
			`<html>\r\n<h1>Bad  Gateway</h1>` | <html> <h1>Bad Gateway</h1>
			`{"error":"no token"}` | {"error":"no token"}
			`{"kind":"Secret","data":{"a":"hunter2"}}` | a Secret
			`"Unauthorized"` | "Unauthorized"
			`` | ``
			""")
	void otherBody_isText(String body, String message) throws IOException {
		assertThat(this.format.readStatus(502, Bodies.whole(body)))
			.isEqualTo(new ServerStatus(502, "", message, List.of(), null));
	}

	@Test
	void longOrBinaryBody_isTruncatedAndCleaned() throws IOException {
		ServerStatus text = this.format.readStatus(500, Bodies.whole("x".repeat(5_000_000)));
		assertThat(text.message()).hasSize(100).startsWith("xxx").endsWith("\u2026");
		byte[] binary = "\u001f\u008b\u0000a\u0007b".getBytes(StandardCharsets.ISO_8859_1);
		assertThat(this.format.readStatus(500, new ByteArrayInputStream(binary)).message()).isEqualTo("a b");
	}

	@Test
	void textsOfStatus_areBoundedAndInOneLine() throws IOException {
		String text = "a\\r\\nERROR \\u001b[31m\\u202e token=hunter22 " + "x".repeat(9_000);
		String body = """
				{"kind":"Status","reason":"%1$s","message":"%1$s","details":{"causes":[%2$s]},"code":500}
				""".formatted(text, String.join(",", Collections.nCopies(50, "{\"message\":\"" + text + "\"}")));
		ServerStatus status = this.format.readStatus(500, Bodies.whole(body));
		assertThat(status.causes()).hasSize(20).allSatisfy(StatusDecodingTests::isPrintable);
		isPrintable(status.reason());
		isPrintable(status.message());
	}

	private static void isPrintable(String text) {
		assertThat(text).startsWith("a ERROR [31m token=***")
			.hasSizeLessThanOrEqualTo(500)
			.doesNotContain("\r", "\n", "\u001b", "\u202e", "hunter22");
	}

	@Test
	void failingBody_throwsItsException() {
		IOException failure = new IOException("reset");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.format.readStatus(500, Bodies.breaking("{", failure)))
			.isSameAs(failure);
	}

}

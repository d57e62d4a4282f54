/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.time.DateTimeException;
import java.time.OffsetDateTime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SharedTimes}.
 */
class SharedTimesTests {

	private static OffsetDateTime parse(String text) {
		return SharedTimes.TEXTS.create(text);
	}

	/**
	 * An API server checks the format {@code date-time} by a pattern of its own, and
	 * sends the text as it was written.
	 * @see <a href=
	 * "https://github.com/kubernetes/kube-openapi/blob/master/pkg/validation/strfmt/time.go">
	 * kube-openapi: date-time</a>
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2024-05-01T10:00:00Z                 | 2024-05-01T10:00:00Z
			2024-05-01T10:00:00.5Z               | 2024-05-01T10:00:00.5Z
			2024-05-01T10:00:00.123456789Z       | 2024-05-01T10:00:00.123456789Z
			2024-05-01T10:00:00.1234567899Z      | 2024-05-01T10:00:00.123456789Z
			2024-05-01T23:59:59.9999999999Z      | 2024-05-01T23:59:59.999999999Z
			2024-05-01T10:00:00.0000000001Z      | 2024-05-01T10:00:00Z
			2024-05-01T10:00:00.1234567899+02:00 | 2024-05-01T10:00:00.123456789+02:00
			2024-05-01T10:00:00.1234567899-07:30 | 2024-05-01T10:00:00.123456789-07:30
			2024-05-01T10:00:00.1234567899+0000  | 2024-05-01T10:00:00.123456789Z
			2024-05-01T10:00:00+0000             | 2024-05-01T10:00:00Z
			2024-05-01T10:00:00-00:00            | 2024-05-01T10:00:00Z
			2024-05-01t10:00:00z                 | 2024-05-01T10:00:00Z
			2024-05-01t10:00:00.1234567899z      | 2024-05-01T10:00:00.123456789Z
			2024-05-01T10:00:00,5Z               | 2024-05-01T10:00:00.5Z
			2024-05-01T10:00:00,1234567899+02:00 | 2024-05-01T10:00:00.123456789+02:00
			2024-05-01T10:00:00+18:00            | 2024-05-01T10:00:00+18:00
			2024-05-01T10:00:00.5+18:01          | 2024-04-30T15:59:00.5Z
			2024-05-01T10:00:00+23:59            | 2024-04-30T10:01:00Z
			2024-12-31T10:00:00.1234567899-23:59 | 2025-01-01T09:59:00.123456789Z
			0000-01-01T00:00:00.1234567899+10:00 | 0000-01-01T00:00:00.123456789+10:00
			9999-12-31T23:59:59.9999999999-10:00 | 9999-12-31T23:59:59.999999999-10:00
			2024-05-01T10:00Z                    | 2024-05-01T10:00:00Z
			2024-05-01T10:00+0000                | 2024-05-01T10:00:00Z
			""")
	void textOfServer_isParsed(String text, OffsetDateTime expected) {
		assertThat(parse(text)).isEqualTo(expected).hasToString(expected.toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "T", "2024-05-01", "2024-05-01T10:00:00", "2024-05-01T10:00:00.1234567899",
			"2024-05-01T10:00:00.1234567899x", "2024-05-01T10:00:00.12345x67899Z", "2024-05-01T10:00:00,Z",
			"2024-05-01T10:00:00x5Z", "2024-05-01T10:00:00 5Z", "2024-05-01T10:00:0015Z", "2024-05-01T10:00:00..5Z",
			"2024-05-01T10:00:00.5,5Z", "2024-05-01T24:00:00Z", "2024-05-01T10:00:60Z", "2024-05-01T10:60:00Z",
			"2024-05-01T10:00:60.1234567899Z", "2024-02-30T10:00:00.1234567899Z", "2024-05-01T10:00:00+24:00",
			"2024-05-01T10:00:00+23:60", "2024-05-01T10:00:00+99:99", "2024-05-01T10:00:00ZTx", "2024-05-01 10:00:00Z",
			"2024-05-01T10:00:00.12345678990+2300", "2024-05-01T10:00:00.\u0661Z", "now" })
	void otherText_isRefused(String text) {
		assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> parse(text));
	}

	@Test
	@Timeout(10)
	void textOfMegabyte_isParsedInLinearTime() {
		String digits = "9".repeat(1 << 20);
		assertThat(parse("2024-05-01T10:00:00." + digits + "+23:00"))
			.isEqualTo(OffsetDateTime.parse("2024-04-30T11:00:00.999999999Z"));
		assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> parse("2024-05-01T10:00:00." + digits));
		assertThatExceptionOfType(DateTimeException.class)
			.isThrownBy(() -> parse("2024-05-01T10:00:00+" + digits + ":00"));
		assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> parse(digits));
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import dev.informer.client.model.SharedDates;

/**
 * Parser of timestamps in the forms that the official client accepts.
 */
final class Timestamps {

	private static final int SECONDS_PRECISION = "2006-01-02T15:04:05Z".length();

	private Timestamps() {
	}

	/**
	 * Parse a timestamp with an offset, which may be {@code +0000}. The form that the API
	 * server writes, UTC in seconds, has a fast path.
	 * @throws java.time.DateTimeException if the text is invalid
	 */
	static OffsetDateTime parse(String text) {
		if (text.length() == SECONDS_PRECISION && text.charAt(19) == 'Z' && text.charAt(4) == '-'
				&& text.charAt(7) == '-' && text.charAt(10) == 'T' && text.charAt(13) == ':'
				&& text.charAt(16) == ':') {
			int year = digits(text, 0, 4);
			int month = digits(text, 5, 7);
			int day = digits(text, 8, 10);
			int hour = digits(text, 11, 13);
			int minute = digits(text, 14, 16);
			int second = digits(text, 17, 19);
			if ((year | month | day | hour | minute | second) >= 0) {
				return OffsetDateTime.of(SharedDates.of(year, month, day), LocalTime.of(hour, minute, second),
						ZoneOffset.UTC);
			}
		}
		String offset = text.endsWith("+0000") ? text.substring(0, text.length() - 5) + "Z" : text;
		return OffsetDateTime.parse(offset, DateTimeFormatter.ISO_OFFSET_DATE_TIME);
	}

	private static int digits(String text, int from, int to) {
		int number = 0;
		for (int i = from; i < to; i++) {
			int digit = text.charAt(i) - '0';
			if (digit < 0 || digit > 9) {
				return -1;
			}
			number = number * 10 + digit;
		}
		return number;
	}

}

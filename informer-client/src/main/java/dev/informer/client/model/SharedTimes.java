/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Timestamps, which share the dates of the same day, and those of protobuf also equal
 * times. Each date or time has one slot of a bounded cache, which keeps the last one.
 * Thread-safe without locks: the values are immutable, and a lost update costs an
 * allocation.
 */
public final class SharedTimes {

	/** Timestamps by their text. */
	public static final SharedValues<OffsetDateTime> TEXTS = new SharedValues<>(1 << 12, SharedTimes::parse);

	private static final int SECONDS_PRECISION = "2006-01-02T15:04:05Z".length();

	/** Date and time in seconds, at most nine digits of a fraction, and the offset. */
	private static final Pattern TIMESTAMP = Pattern.compile("(.{19})(?:[.,]([0-9]{1,9})[0-9]*+)?(.*)");

	/** Offset of more than 18 hours, in place of which the time is in UTC. */
	private static final Pattern WIDE_OFFSET = Pattern.compile("[+-](?:18:(?!00)|19:|2[0-3]:)[0-5][0-9]");

	private static final @Nullable LocalDate[] DATES = new LocalDate[512];

	private static final @Nullable OffsetDateTime[] TIMES = new OffsetDateTime[1 << 12];

	private SharedTimes() {
	}

	/**
	 * Parse a timestamp with an offset, which may be {@code +0000}. The form that the API
	 * server writes, UTC in seconds, has a fast path. In a custom resource, the server
	 * accepts and returns any number of digits, of which Go drops those after
	 * nanoseconds, a comma before them, and offsets of RFC 3339 that Java has not.
	 */
	private static OffsetDateTime parse(String text) {
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
				return OffsetDateTime.of(date(year, month, day), LocalTime.of(hour, minute, second), ZoneOffset.UTC);
			}
		}
		String colons = text.endsWith("+0000") ? text.substring(0, text.length() - 5) + "Z" : text;
		Matcher matcher = TIMESTAMP.matcher(colons);
		if (!matcher.matches()) {
			return OffsetDateTime.parse(colons);
		}
		String time = matcher.group(1) + ((matcher.group(2) != null) ? "." + matcher.group(2) : "");
		String offset = matcher.group(3);
		if (WIDE_OFFSET.matcher(offset).matches()) {
			int minutes = digits(offset, 1, 3) * 60 + digits(offset, 4, 6);
			return LocalDateTime.parse(time)
				.plusMinutes((offset.charAt(0) == '+') ? -minutes : minutes)
				.atOffset(ZoneOffset.UTC);
		}
		return OffsetDateTime.parse(time + offset);
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

	/**
	 * Return a time in seconds since 1970.
	 * @throws DateTimeException if it is out of range
	 */
	public static OffsetDateTime of(long seconds) {
		int index = (int) (seconds ^ seconds >>> 12) & (TIMES.length - 1);
		OffsetDateTime time = TIMES[index];
		if (time == null || time.toEpochSecond() != seconds) {
			time = of(seconds, 0);
			TIMES[index] = time;
		}
		return time;
	}

	/**
	 * Return a time in seconds since 1970, and nanoseconds.
	 * @throws DateTimeException if it is out of range
	 */
	public static OffsetDateTime of(long seconds, int nanos) {
		LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
		return OffsetDateTime.of(date(time.getYear(), time.getMonthValue(), time.getDayOfMonth()), time.toLocalTime(),
				ZoneOffset.UTC);
	}

	private static LocalDate date(int year, int month, int day) {
		int index = (month * 31 + day) & (DATES.length - 1);
		LocalDate date = DATES[index];
		if (date == null || date.getYear() != year || date.getMonthValue() != month || date.getDayOfMonth() != day) {
			date = LocalDate.of(year, month, day);
			DATES[index] = date;
		}
		return date;
	}

}

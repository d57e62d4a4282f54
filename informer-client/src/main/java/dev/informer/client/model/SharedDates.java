/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.time.LocalDate;

import org.jspecify.annotations.Nullable;

/**
 * Bounded cache of the dates that times of the same day share. Each date has one slot,
 * which keeps the last one. Thread-safe without locks: dates are immutable, and a lost
 * update costs an allocation.
 */
public final class SharedDates {

	private static final @Nullable LocalDate[] DATES = new LocalDate[512];

	private SharedDates() {
	}

	/**
	 * Return a date, whose month and day count from 1.
	 * @throws java.time.DateTimeException if there is no such date
	 */
	public static LocalDate of(int year, int month, int day) {
		int index = (month * 31 + day) & (DATES.length - 1);
		LocalDate date = DATES[index];
		if (date == null || date.getYear() != year || date.getMonthValue() != month || date.getDayOfMonth() != day) {
			date = LocalDate.of(year, month, day);
			DATES[index] = date;
		}
		return date;
	}

}

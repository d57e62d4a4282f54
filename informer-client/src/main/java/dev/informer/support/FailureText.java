/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Reader of exceptions whose class may be a user's: their methods may throw, and their
 * causes may be a cycle.
 */
public final class FailureText {

	private static final int MAX_CAUSES = 100;

	private FailureText() {
	}

	/**
	 * Return the text of an exception, or the name of its class if it has none.
	 */
	public static String of(Throwable failure) {
		return Objects.requireNonNullElse(read(failure::toString), failure.getClass().getName());
	}

	/**
	 * Return the message of an exception; {@code null} if it has none.
	 */
	public static @Nullable String message(Throwable failure) {
		return read(failure::getMessage);
	}

	/**
	 * Return an exception and its causes, as far as they can be read.
	 */
	public static List<Throwable> withCauses(Throwable failure) {
		List<Throwable> causes = new ArrayList<>();
		Throwable next = failure;
		while (next != null && causes.size() < MAX_CAUSES) {
			causes.add(next);
			next = read(next::getCause);
		}
		return causes;
	}

	private static <T> @Nullable T read(Supplier<@Nullable T> part) {
		try {
			return part.get();
		}
		catch (Throwable ex) {
			return null;
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.util.ArrayList;
import java.util.List;

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
		try {
			return String.valueOf(failure);
		}
		catch (Throwable ex) {
			return failure.getClass().getName();
		}
	}

	/**
	 * Return the message of an exception; {@code null} if it has none.
	 */
	public static @Nullable String message(Throwable failure) {
		try {
			return failure.getMessage();
		}
		catch (Throwable ex) {
			return null;
		}
	}

	/**
	 * Return an exception and its causes, as far as they can be read.
	 */
	public static List<Throwable> withCauses(Throwable failure) {
		List<Throwable> causes = new ArrayList<>();
		Throwable next = failure;
		while (next != null && causes.size() < MAX_CAUSES) {
			causes.add(next);
			next = cause(next);
		}
		return causes;
	}

	private static @Nullable Throwable cause(Throwable failure) {
		try {
			return failure.getCause();
		}
		catch (Throwable ex) {
			return null;
		}
	}

}

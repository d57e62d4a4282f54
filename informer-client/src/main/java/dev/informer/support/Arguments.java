/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import org.jspecify.annotations.Nullable;

/**
 * Checks of the arguments that users pass, which may be {@code null} in spite of their
 * type.
 */
public final class Arguments {

	private Arguments() {
	}

	/**
	 * Refuse an argument that is {@code null}.
	 * @param action what cannot be done without it, such as {@code add a handler}
	 * @throws IllegalArgumentException if it is {@code null}
	 */
	public static void require(String action, String name, @Nullable Object argument) {
		require(action, name, argument, "Pass it.");
	}

	/**
	 * Refuse an argument that is {@code null}, with another remedy.
	 * @throws IllegalArgumentException if it is {@code null}
	 */
	public static void require(String action, String name, @Nullable Object argument, String remedy) {
		if (argument == null) {
			throw new IllegalArgumentException("Cannot " + action + ": the argument '" + name + "' is null. " + remedy);
		}
	}

}

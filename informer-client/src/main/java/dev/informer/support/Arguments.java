/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks of the arguments that users pass, which may be {@code null} in spite of their
 * type.
 */
public final class Arguments {

	/** Name of a namespace, which becomes a part of paths, logs and health. */
	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

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
	 * Return whether a namespace can have a name.
	 */
	public static boolean isNamespace(String name) {
		return NAMESPACE.matcher(name).matches();
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

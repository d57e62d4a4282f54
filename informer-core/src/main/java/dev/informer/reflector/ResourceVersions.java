/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.Collection;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Compares resource versions. To the protocol they are opaque; where an order is needed
 * all the same, those that are canonical unsigned decimals have one, whatever their
 * length.
 */
public final class ResourceVersions {

	private static final Pattern DECIMAL = Pattern.compile("0|[1-9]\\d*");

	private static final Comparator<String> ORDER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	private ResourceVersions() {
	}

	/**
	 * Whether a version has an order.
	 * @param version a version
	 * @return whether it is a canonical decimal number
	 */
	public static boolean hasOrder(String version) {
		return DECIMAL.matcher(version).matches();
	}

	/**
	 * Whether a version is older than another one.
	 * @param version a version
	 * @param other another one
	 * @return whether it is older; {@code false} when one of them has no order
	 */
	public static boolean isBefore(String version, String other) {
		return DECIMAL.matcher(version).matches() && DECIMAL.matcher(other).matches()
				&& ORDER.compare(version, other) < 0;
	}

	/**
	 * The lowest of some versions.
	 * @param versions the versions
	 * @return the lowest one; empty when there is none, or one has no order
	 */
	public static String lowest(Collection<String> versions) {
		if (versions.stream().allMatch((version) -> DECIMAL.matcher(version).matches())) {
			return versions.stream().min(ORDER).orElse("");
		}
		return (versions.size() == 1) ? versions.iterator().next() : "";
	}

}

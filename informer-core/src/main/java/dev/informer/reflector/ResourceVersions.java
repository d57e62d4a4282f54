/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.Collection;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Order of resource versions. Clients must treat versions as opaque where the protocol
 * does not need an order. Where it is needed, canonical unsigned decimals of any length
 * are compared numerically; all others are incomparable.
 *
 * @see <a href=
 * "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/5504-comparable-resource-version">KEP-5504</a>
 */
public final class ResourceVersions {

	private static final Pattern DECIMAL = Pattern.compile("0|[1-9]\\d*");

	private static final Comparator<String> ORDER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	private ResourceVersions() {
	}

	/**
	 * Return whether a version can be compared: it is a canonical decimal number.
	 */
	public static boolean hasOrder(String version) {
		return DECIMAL.matcher(version).matches();
	}

	/**
	 * Return whether a version is lower than another one; {@code false} if one of them
	 * cannot be compared.
	 */
	public static boolean isBefore(String version, String other) {
		return DECIMAL.matcher(version).matches() && DECIMAL.matcher(other).matches()
				&& ORDER.compare(version, other) < 0;
	}

	/**
	 * Return the lowest of some versions; empty if there is none, or if one of several
	 * cannot be compared.
	 */
	public static String lowest(Collection<String> versions) {
		if (versions.stream().allMatch((version) -> DECIMAL.matcher(version).matches())) {
			return versions.stream().min(ORDER).orElse("");
		}
		return (versions.size() == 1) ? versions.iterator().next() : "";
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.util.Collection;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keys of properties in texts that advise to set them.
 */
public final class AdvisedKeys {

	private static final String NAME = "(?:<[a-z]+>|[a-z][a-z0-9]*)";

	/** A key, and the equals sign if a value follows. */
	private static final Pattern KEY = Pattern.compile(
			"(?<![\\w.@/-])informer\\.[a-z-]+(?![\\w/])(?:\\[[^\\]\\s]+]|\\.(?:<[a-z]+>|[a-zA-Z][\\w-]*)(?!\\())*(?:\\[\\d+])?=?");

	private static final Pattern BY_ID = Pattern.compile("(informer\\.(?:handlers|reconcilers))\\.<id>\\.(.*)");

	private static final Collection<String> PROPERTIES = new PropertyMetadata().all()
		.stream()
		.map(DocumentedProperty::name)
		.toList();

	private static final List<Pattern> ALL = PROPERTIES.stream().map(AdvisedKeys::pattern).toList();

	private AdvisedKeys() {
	}

	/**
	 * Return the keys of a text.
	 */
	static List<String> find(String text) {
		return KEY.matcher(text).results().map(MatchResult::group).toList();
	}

	/**
	 * Return the keys of a text that are neither properties nor, without a value,
	 * prefixes of properties.
	 * @param text the text
	 * @return the unknown keys
	 */
	public static List<String> unknown(String text) {
		return find(text).stream().filter((key) -> !isKnown(key)).toList();
	}

	/**
	 * Return whether properties end with a part of a key that begins with a dot.
	 */
	static boolean isEndOfProperty(String part) {
		return PROPERTIES.stream().anyMatch((name) -> name.endsWith(part) || (name + ".").contains(part + "."));
	}

	private static boolean isKnown(String key) {
		boolean assigned = key.endsWith("=");
		String name = assigned ? key.substring(0, key.length() - 1) : key;
		return ALL.stream().anyMatch((pattern) -> pattern.matcher(name).matches()) || (!assigned && isPrefix(name));
	}

	private static boolean isPrefix(String name) {
		return ALL.stream().map((pattern) -> pattern.matcher(name + ".")).anyMatch(AdvisedKeys::isIncomplete);
	}

	private static boolean isIncomplete(Matcher matcher) {
		return !matcher.matches() && matcher.hitEnd();
	}

	private static Pattern pattern(String property) {
		Matcher byId = BY_ID.matcher(property);
		if (byId.matches()) {
			return Pattern.compile(Pattern.quote(byId.group(1)) + "(?:\\." + NAME + "|\\[[^\\]\\s]+])\\."
					+ Pattern.quote(byId.group(2)) + "(?:\\[\\d+])?");
		}
		return Pattern
			.compile(Stream.of(property.split("<name>", -1)).map(Pattern::quote).collect(Collectors.joining(NAME))
					+ "(?:\\[\\d+])?");
	}

}

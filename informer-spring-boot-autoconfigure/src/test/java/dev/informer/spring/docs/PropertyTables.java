/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables of properties in a page. A table stands between {@code <!-- properties of
 * PREFIX -->}, with one or more prefixes, and {@code <!-- end of properties -->}, and has
 * the properties with that prefix of which no other table has a longer one.
 */
final class PropertyTables {

	private static final Pattern TABLE = Pattern.compile(
			"(<!-- properties of (?<prefixes>.*?) -->\n)(?<table>.*?)(<!-- end of properties -->)", Pattern.DOTALL);

	private static final String HEAD = """
			| property | values | default | |
			|---|---|---|---|
			""";

	private final PropertyMetadata metadata;

	PropertyTables(PropertyMetadata metadata) {
		this.metadata = metadata;
	}

	/**
	 * What a page has to say.
	 * @param page what it says now
	 * @return the text with all tables as they have to be
	 * @throws IllegalStateException when there is a property that belongs into no table
	 */
	String write(String page) {
		List<String> prefixes = TABLE.matcher(page)
			.results()
			.flatMap((table) -> List.of(table.group(2).split(" ")).stream())
			.toList();
		List<DocumentedProperty> homeless = new ArrayList<>(this.metadata.all());
		homeless.removeIf((property) -> prefixes.stream().anyMatch((prefix) -> property.name().startsWith(prefix)));
		if (!homeless.isEmpty()) {
			throw new IllegalStateException("There is no table for " + homeless);
		}
		return TABLE.matcher(page)
			.replaceAll((table) -> Matcher.quoteReplacement(
					table.group(1) + HEAD + rows(List.of(table.group(2).split(" ")), prefixes) + table.group(4)));
	}

	private String rows(List<String> own, List<String> all) {
		return this.metadata.all()
			.stream()
			.filter((property) -> own.contains(longest(property, all)))
			.map((property) -> property.row(this.metadata.inherits(property)) + "\n")
			.collect(Collectors.joining());
	}

	private static String longest(DocumentedProperty property, List<String> prefixes) {
		return prefixes.stream()
			.filter((prefix) -> property.name().startsWith(prefix))
			.max(Comparator.comparingInt(String::length))
			.orElseThrow();
	}

}

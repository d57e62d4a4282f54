/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what the documentation says of properties with their metadata.
 */
class PropertiesPageTests {

	private static final String PAGE = "docs/properties.md";

	private static final String REMEDY = """
			%s does not match the property metadata. Write it again and commit it:

			    mvn -pl informer-spring-boot-autoconfigure -am test -Dtest=PropertiesPageTests \
			-Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true
			""".formatted(PAGE);

	private static final Pattern MENTIONED = Pattern
		.compile("`((?:informer|management)\\.[a-z0-9.<>*-]+)(?:[=:][^`]*)?`");

	private final PropertyMetadata metadata = new PropertyMetadata();

	@Test
	void propertyTables_matchMetadata() throws IOException {
		Page page = Page.of(PAGE);
		String expected = new PropertyTables(this.metadata).write(page.text());
		if (Boolean.getBoolean("docs.write")) {
			Files.writeString(page.resolve("properties.md"), expected);
		}
		assertThat(Page.of(PAGE).text()).as(REMEDY).isEqualTo(expected);
	}

	@Test
	void everyProperty_isDescribed() {
		assertThat(this.metadata.all()).hasSizeGreaterThan(50)
			.allSatisfy((property) -> assertThat(property.description()).endsWith("."));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyPropertyOnPage_exists(Page page) {
		List<String> names = this.metadata.all().stream().map(DocumentedProperty::name).toList();
		List<String> mentioned = MENTIONED.matcher(page.text())
			.results()
			.map((match) -> match.group(1))
			.filter((name) -> !name.startsWith("management.") || name.contains("informer"))
			.toList();
		assertThat(mentioned).allSatisfy((mention) -> assertThat(names)
			.as("a property, or the beginning of one, that is called %s as %s says", mention, page)
			.anyMatch((name) -> matches(mention, name)));
	}

	static Stream<Page> pages() {
		return Page.all().stream();
	}

	/**
	 * Whether a mention means a property or what several have in common. A key of a map
	 * can be any name.
	 */
	private static boolean matches(String mention, String property) {
		String mentioned = mention.replaceFirst("\\.\\*$", "")
			.replaceFirst("^(informer\\.resources\\.)[^.]+", "$1<name>")
			.replaceFirst("^(informer\\.leader\\.elections\\.)[^.]+", "$1<name>")
			.replaceFirst("^(informer\\.writer\\.writes\\.)[^.]+", "$1<name>")
			.replaceFirst("^(informer\\.handlers\\.)[^.]+", "$1<id>");
		return property.equals(mentioned) || property.startsWith(mentioned + ".");
	}

}

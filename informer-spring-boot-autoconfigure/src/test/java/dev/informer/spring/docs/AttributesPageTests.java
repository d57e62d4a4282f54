/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.spring.InformerHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what the documentation says of the attributes of {@link InformerHandler} with
 * the annotation.
 */
class AttributesPageTests {

	@Test
	void attributeTable_containsAllAttributes() {
		List<String> documented = Page.of("docs/handlers.md")
			.table("## Attributes")
			.stream()
			.map((row) -> row.get(0).replace("`", ""))
			.toList();
		assertThat(documented).containsExactlyInAnyOrderElementsOf(
				Stream.of(InformerHandler.class.getDeclaredMethods()).map(Method::getName).toList());
	}

}

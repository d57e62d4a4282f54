/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what the documentation says of the attributes of {@link InformerHandler} and
 * {@link InformerReconciler} with the annotations.
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

	@Test
	void attributeTableOfReconcilers_containsAllAttributesAndProperties() {
		List<List<String>> rows = Page.of("docs/controllers.md")
			.table("It returns nothing, or a `Duration` after which it is called again if nothing changes before; "
					+ "`null` for no such call.");
		assertThat(names(rows, 0)).containsExactlyInAnyOrderElementsOf(
				Stream.of(InformerReconciler.class.getDeclaredMethods()).map(Method::getName).toList());
		assertThat(names(rows, 1)).containsExactlyInAnyOrderElementsOf(new PropertyMetadata().all()
			.stream()
			.filter((property) -> property.name().startsWith("informer.reconcilers.<id>."))
			.map((property) -> property.name()
				.replace("informer.reconcilers.<id>.", "")
				.replaceAll("^retry[.].*", "retry.*"))
			.distinct()
			.toList());
	}

	private static List<String> names(List<List<String>> rows, int column) {
		return rows.stream()
			.flatMap((row) -> Stream.of(row.get(column).replace("`", "").split(", ")))
			.filter((name) -> !name.isEmpty())
			.toList();
	}

}

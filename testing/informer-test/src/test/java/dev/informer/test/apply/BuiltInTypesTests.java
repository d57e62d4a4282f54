/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.ResourceTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BuiltInTypes}.
 */
class BuiltInTypesTests {

	@Test
	void builtInKinds_haveTypes() {
		assertThat(ResourceTable.builtIn())
			.filteredOn((definition) -> BuiltInTypes.of(definition.apiVersion(), definition.kind()) == null)
			.extracting(ResourceDefinition::kind)
			.as("kinds that the schema of client-go does not contain")
			.containsExactlyInAnyOrder("CustomResourceDefinition", "APIService");
	}

}

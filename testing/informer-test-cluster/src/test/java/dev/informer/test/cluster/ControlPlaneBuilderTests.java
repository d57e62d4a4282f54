/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ControlPlaneBuilderTests {

	private final ControlPlaneBuilder builder = ControlPlane.from(Path.of("nowhere"));

	@Test
	void secondUserOfAName_isRefused() {
		this.builder.user("jane", "one");
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.user("jane", "two"))
			.withMessage("There is a user jane already");
	}

	@Test
	void administratorsName_isTaken() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.user("admin", "one"));
	}

	@Test
	void flagWithDashes_isRefusedWithTheFormThatWorks() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.apiServerFlag("--feature-gates", "A=false"))
			.withMessageContaining("without its dashes")
			.withMessageContaining("'--feature-gates'");
	}

	@Test
	void clusterWithoutNodes_isRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.living(0))
			.withMessageContaining("at least one node");
	}

}

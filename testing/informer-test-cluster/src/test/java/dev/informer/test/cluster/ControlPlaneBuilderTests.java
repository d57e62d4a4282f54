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
	void duplicateUser_isRejected() {
		this.builder.user("jane", "one");
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.user("jane", "two"))
			.withMessage("Cannot add user jane: the user already exists");
	}

	@Test
	void nameOfAdministrator_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.user("admin", "one"));
	}

	@Test
	void flagWithDashes_isRejectedWithRemedy() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.apiServerFlag("--feature-gates", "A=false"))
			.withMessageContaining("without dashes")
			.withMessageContaining("'--feature-gates'");
	}

	@Test
	void clusterWithoutNodes_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.living(0))
			.withMessageContaining("at least one");
	}

}

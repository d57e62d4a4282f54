/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ResourceName}.
 */
class ResourceNameTests {

	@ParameterizedTest
	@CsvSource({ "certificates.v1.cert-manager.io,certificates,v1,cert-manager.io",
			"widgets.v1beta2.example.com,widgets,v1beta2,example.com", "deployments.v1.apps,deployments,v1,apps",
			"pods.v1,pods,v1,''" })
	void nameWithVersion_isParsed(String text, String plural, String version, String group) {
		assertThat(ResourceName.parse(text)).isEqualTo(new ResourceName(plural, version, group));
	}

	@Test
	void nameWithoutVersion_denotesPreferredVersion() {
		assertThat(ResourceName.parse("deployments.apps")).isEqualTo(new ResourceName("deployments", null, "apps"));
		assertThat(ResourceName.parse("pods")).isEqualTo(new ResourceName("pods", null, ""));
		assertThat(ResourceName.parse("rules.vpc.example.com"))
			.isEqualTo(new ResourceName("rules", null, "vpc.example.com"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Pods", "pods.", ".v1", "a..b", "apis/x", "a b" })
	void invalidName_isRejected(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceName.parse(text))
			.withMessageContaining("'" + text + "'")
			.withMessageContaining("plural.version.group");
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = { "informer.auto-startup=false", "informer.connection.namespace=shop",
		"informer.connection.url=https://localhost", "management.endpoints.web.exposure.include=informerrbac" })
class RightsTests {

	@Test
	void rights_areWritten(@Autowired InformerRbacEndpoint rights) throws IOException {
		String manifest = rights.manifest();
		assertThat(manifest).contains("pods");
		Files.writeString(Path.of("target/rights.yaml"), manifest);
	}

}

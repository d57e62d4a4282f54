/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.consumer;

import java.io.IOException;
import java.util.Collections;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the versions of the libraries, which a row of the compatibility table states.
 */
class LibrariesTests {

	@Test
	void versions_areThoseRequested() {
		String clientJava = System.getProperty("expected.client-java");
		assertThat(Runtime.version().feature()).hasToString(System.getProperty("expected.java"));
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot"));
		assertThat(jarOf(ClientBuilder.class)).isEqualTo("client-java-" + clientJava + ".jar");
		assertThat(jarOf(ApiClient.class)).isEqualTo("client-java-api-" + clientJava + ".jar");
	}

	@Test
	void clientAndOkHttp_areThereOnce() throws IOException {
		assertThat(Collections.list(getClass().getClassLoader().getResources("okhttp3/OkHttpClient.class"))).hasSize(1);
		assertThat(Collections
			.list(getClass().getClassLoader().getResources("io/kubernetes/client/openapi/ApiClient.class"))).hasSize(1);
	}

	@Test
	void librariesThatInformersNeverLoad_areExcluded() {
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		assertThat(classPath).contains("client-java-api")
			.doesNotContain("client-java-proto", "protobuf-java", "commons-compress", "commons-io");
	}

	private static String jarOf(Class<?> type) {
		String location = type.getProtectionDomain().getCodeSource().getLocation().getPath();
		return location.substring(location.lastIndexOf('/') + 1);
	}

}

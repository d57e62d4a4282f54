/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TokenFile}.
 */
class TokenFileTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start((options) -> options.token("first"));

	private final ApiClient client = new ApiClient().setBasePath(this.kubernetes.url());

	private Path file;

	@BeforeEach
	void start(@TempDir Path folder) {
		this.file = folder.resolve("token");
		new TokenFile(this.file).provide(this.client);
	}

	@AfterEach
	void stop() {
		this.client.getHttpClient().connectionPool().evictAll();
		this.client.getHttpClient().dispatcher().executorService().shutdown();
		this.kubernetes.close();
	}

	@Test
	void changedToken_isReadAgain() throws Exception {
		write("first\n", 1);
		assertThat(namespaces()).isEqualTo(4);
		this.kubernetes.access().token("embedded", "second");
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::namespaces)
			.extracting(ApiException::getCode)
			.isEqualTo(401);
		write("second\n", 2);
		assertThat(namespaces()).isEqualTo(4);
	}

	@Test
	void unreadableFile_keepsLastToken() throws Exception {
		write("first", 1);
		assertThat(namespaces()).isEqualTo(4);
		Files.delete(this.file);
		assertThat(namespaces()).isEqualTo(4);
	}

	@Test
	void missingFile_fails() {
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::namespaces)
			.withMessageContaining(this.file.toString());
	}

	private int namespaces() throws ApiException {
		return new CoreV1Api(this.client).listNamespace().execute().getItems().size();
	}

	private void write(String token, long second) throws Exception {
		Files.writeString(this.file, token);
		Files.setLastModifiedTime(this.file, FileTime.from(Instant.ofEpochSecond(second)));
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.nio.file.Files;
import java.nio.file.Path;

import dev.informer.client.CredentialsException;
import dev.informer.client.connection.Credentials.Credential;
import dev.informer.testing.CapturedLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TokenFile}.
 */
class TokenFileTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private Path file;

	private TokenFile credentials;

	@BeforeEach
	void create(@TempDir Path folder) {
		this.file = folder.resolve("token");
		this.credentials = new TokenFile(this.file, null);
	}

	@Test
	void changedToken_isUsedAtOnce() throws Exception {
		Files.writeString(this.file, "first\n");
		assertThat(authorization()).isEqualTo("Bearer first");
		Files.writeString(this.file, "again\n");
		assertThat(authorization()).isEqualTo("Bearer again");
	}

	@Test
	void unchangedToken_isTheSameCredential() throws Exception {
		Files.writeString(this.file, "first");
		Credential first = this.credentials.get(() -> false);
		assertThat(this.credentials.replace(first, () -> false)).isSameAs(first);
	}

	@Test
	void unreadableOrEmptyFile_keepsLastToken_andIsReportedOnce() throws Exception {
		Files.writeString(this.file, "first");
		assertThat(authorization()).isEqualTo("Bearer first");
		assertThat(this.credentials.isRenewalFailing()).isFalse();
		Files.writeString(this.file, "");
		assertThat(authorization()).isEqualTo("Bearer first");
		assertThat(this.credentials.isRenewalFailing()).isTrue();
		Files.delete(this.file);
		assertThat(authorization()).isEqualTo("Bearer first");
		assertThat(this.log.text().split("Failed to read a token from file " + this.file, -1)).hasSize(2);
		Files.writeString(this.file, "second");
		assertThat(authorization()).isEqualTo("Bearer second");
		assertThat(this.credentials.isRenewalFailing()).isFalse();
	}

	@Test
	void missingFile_fails() {
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(this::authorization)
			.withMessageContaining(this.file.toString());
	}

	@Test
	void missingFileWithToken_usesTheToken() throws Exception {
		assertThat(new TokenFile(this.file, "embedded").get(() -> false).authorization()).isEqualTo("Bearer embedded");
	}

	@Test
	void text_hasNoToken() throws Exception {
		Files.writeString(this.file, "secret");
		assertThat(this.credentials.get(() -> false).toString() + this.credentials).doesNotContain("secret");
	}

	private @Nullable String authorization() throws Exception {
		return this.credentials.get(() -> false).authorization();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ControlPlaneFolder}.
 */
class ControlPlaneFolderTests {

	private static final String CHAIN = """
			-----BEGIN CERTIFICATE-----
			c2VydmVy
			-----END CERTIFICATE-----
			-----BEGIN CERTIFICATE-----
			YXV0aG9yaXR5
			-----END CERTIFICATE-----
			""";

	@TempDir
	Path root;

	private ControlPlaneFolder folder;

	@BeforeEach
	void create() throws IOException {
		this.folder = new ControlPlaneFolder(this.root);
		Files.createDirectory(this.folder.certificates());
	}

	@Test
	void certificateThatIsBeingWritten_isNotRead() throws IOException {
		assertThat(this.folder.hasServerCertificate()).isFalse();
		for (int length : new int[] { 0, 40, CHAIN.length() / 2 + 30, CHAIN.length() - 5 }) {
			Files.writeString(this.folder.serverCertificate(), CHAIN.substring(0, length));
			assertThat(this.folder.hasServerCertificate()).as(CHAIN.substring(0, length)).isFalse();
		}
		Files.writeString(this.folder.serverCertificate(), CHAIN);
		assertThat(this.folder.hasServerCertificate()).isTrue();
		assertThat(this.folder.certificateAuthority()).asString().contains("YXV0aG9yaXR5").doesNotContain("c2VydmVy");
	}

	@Test
	void write_replacesFileAndLeavesNoOther() throws IOException {
		this.folder.write("kubeconfig-0.yaml", "first");
		assertThat(this.folder.write("kubeconfig-0.yaml", "second")).hasContent("second");
		assertThat(this.root).isDirectoryNotContaining("glob:**.tmp");
	}

}

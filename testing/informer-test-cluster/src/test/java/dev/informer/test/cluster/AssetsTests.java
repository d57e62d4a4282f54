/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class AssetsTests {

	@TempDir
	Path folder;

	@Test
	void missingBinary_errorNamesBinaryFolderAndRemedy() {
		assertThatIllegalStateException().isThrownBy(() -> ControlPlane.from(this.folder).start())
			.withMessageContaining(this.folder.toString())
			.withMessageContaining("has no executable etcd")
			.withMessageContaining("KUBEBUILDER_ASSETS must name a folder")
			.withMessageContaining(".ci/kubernetes/build");
	}

	@Test
	void missingPartsOfLivingCluster_errorNamesFirst() throws IOException {
		executable("etcd");
		executable("kube-apiserver");
		assertThat(new Assets(this.folder).canLive()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> ControlPlane.from(this.folder).living().start())
			.withMessageContaining("has no executable kube-controller-manager");
	}

	@Test
	void missingStages_errorNamesFile() throws IOException {
		executable("etcd");
		executable("kube-apiserver");
		for (String name : LivingParts.BINARIES) {
			executable(name);
		}
		assertThat(new Assets(this.folder).canLive()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> ControlPlane.from(this.folder).living().start())
			.withMessageContaining("has no kwok-stages.yaml");
	}

	private void executable(String name) throws IOException {
		Files.createFile(this.folder.resolve(name),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
	}

}

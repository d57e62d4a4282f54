/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RealServersTests {

	@TempDir
	Path empty;

	@Test
	void missingAssets_haveNoControlPlane() {
		try (RealServers servers = new RealServers(null, false)) {
			assertThat(servers.missing(RequiredServer.CONTROL_PLANE)).contains("KUBEBUILDER_ASSETS is not set");
			assertThat(servers.missing(RequiredServer.LIVING_CLUSTER)).contains("KUBEBUILDER_ASSETS is not set");
		}
	}

	@Test
	void assetsOfApiServerOnly_haveNoLivingCluster() {
		try (RealServers servers = new RealServers(new Assets(this.empty), false)) {
			assertThat(servers.missing(RequiredServer.CONTROL_PLANE)).isEmpty();
			assertThat(servers.missing(RequiredServer.ANY)).isEmpty();
			assertThat(servers.missing(RequiredServer.LIVING_CLUSTER))
				.contains(this.empty + " has no controller-manager, scheduler and kwok");
		}
	}

	@Test
	void requiredButMissingServer_failsTest() {
		try (RealServers servers = new RealServers(null, true)) {
			assertThatIllegalStateException()
				.isThrownBy(() -> servers.skip(RequiredServer.CONTROL_PLANE, "KUBEBUILDER_ASSETS is not set"))
				.withMessage("Cannot run tests that need CONTROL_PLANE: KUBEBUILDER_ASSETS is not set, "
						+ "but INFORMER_TEST_REAL_SERVER=required");
		}
	}

}

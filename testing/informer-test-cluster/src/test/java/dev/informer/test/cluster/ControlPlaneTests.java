/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
class ControlPlaneTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private final ControlPlane cluster;

	private final ApiConnection admin;

	ControlPlaneTests(RealServer server) {
		this.cluster = server.requireControlPlane();
		this.admin = this.cluster.connection();
	}

	@Test
	void server_returnsItsVersion() throws IOException {
		assertThat(this.admin.get("/version").expectSuccess())
			.contains("\"gitVersion\": \"" + this.cluster.version() + "\"");
		assertThat(this.cluster.version()).startsWith("v1.");
	}

	@Test
	void killedServer_keepsDataAndAddressAfterRestart() throws IOException {
		createConfigMap("kept");
		byte[] trusted = this.cluster.caCertificate();
		this.cluster.killApiServer();
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> this.admin.get("/readyz"));
		this.cluster.startApiServer();
		assertThat(this.admin.get(CONFIG_MAPS + "/kept").status()).isEqualTo(200);
		assertThat(this.cluster.caCertificate()).isEqualTo(trusted);
	}

	@Test
	void restoredEtcd_hasDataOfBackup() throws IOException {
		createConfigMap("before");
		this.cluster.backUpEtcd();
		createConfigMap("after");
		this.cluster.restoreEtcd();
		assertThat(this.admin.get(CONFIG_MAPS + "/before").status()).isEqualTo(200);
		assertThat(this.admin.get(CONFIG_MAPS + "/after").status()).isEqualTo(404);
	}

	@Test
	void standby_hasDataOfBackupAndUsersAndChangesOnItsOwn() throws IOException {
		createConfigMap("before-standby");
		this.cluster.backUpEtcd();
		createConfigMap("after-standby");
		try (ControlPlane standby = this.cluster.startStandby()) {
			assertThat(standby.caCertificate()).isEqualTo(this.cluster.caCertificate());
			ApiConnection admin = new ApiConnection(standby.url(), this.cluster.caCertificate(),
					this.cluster.adminToken());
			assertThat(admin.get(CONFIG_MAPS + "/before-standby").status()).isEqualTo(200);
			assertThat(admin.get(CONFIG_MAPS + "/after-standby").status()).isEqualTo(404);
			admin.delete(CONFIG_MAPS + "/before-standby").expectSuccess();
		}
		assertThat(this.admin.get(CONFIG_MAPS + "/before-standby").status()).isEqualTo(200);
	}

	@Test
	void logTails_nameBothServers() {
		assertThat(this.cluster.logTails()).contains("The end of kube-apiserver.log", "The end of etcd.log");
	}

	@Test
	void etcd_servesAnotherApiServer() throws IOException {
		createConfigMap("shared");
		try (ControlPlane second = ControlPlane.fromEnvironment()
			.apiServerFlag("etcd-servers", this.cluster.etcdUrl().toString())
			.start()) {
			assertThat(second.connection().get(CONFIG_MAPS + "/shared").status()).isEqualTo(200);
		}
	}

	@Test
	void suspendedServer_acceptsConnectionsAndRespondsAfterResume() throws IOException {
		this.cluster.suspendApiServer();
		try {
			assertThatExceptionOfType(SocketTimeoutException.class)
				.isThrownBy(() -> this.admin.get("/readyz", Duration.ofMillis(500)));
		}
		finally {
			this.cluster.resumeApiServer();
		}
		assertThat(this.admin.get("/readyz").body()).isEqualTo("ok");
	}

	@Test
	void startOfRunningServer_isRejected() {
		assertThatIllegalStateException().isThrownBy(this.cluster::startApiServer)
			.withMessage("Cannot start kube-apiserver: already running");
	}

	@Test
	void userWithoutRole_isForbiddenUntilRoleIsBound() throws IOException {
		ApiConnection tester = new ApiConnection(this.cluster.url(), this.cluster.caCertificate(),
				this.cluster.token("tester"));
		assertThat(tester.get(CONFIG_MAPS).status()).isEqualTo(403);
		this.admin.post("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", """
				{"metadata": {"name": "reader"},
				 "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}]}
				""").expectSuccess();
		this.admin.post("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", """
				{"metadata": {"name": "tester"},
				 "subjects": [{"kind": "User", "name": "tester", "apiGroup": "rbac.authorization.k8s.io"}],
				 "roleRef": {"kind": "Role", "name": "reader", "apiGroup": "rbac.authorization.k8s.io"}}
				""").expectSuccess();
		Deadline.in(Duration.ofSeconds(10)).await(() -> status(tester) == 200, () -> "the role binding works");
		assertThat(tester.get("/api/v1/namespaces/default/secrets").status()).isEqualTo(403);
	}

	@Test
	void unknownToken_isRejected() throws IOException {
		ApiConnection stranger = new ApiConnection(this.cluster.url(), this.cluster.caCertificate(), "unknown");
		assertThat(stranger.get(CONFIG_MAPS).status()).isEqualTo(401);
	}

	@Test
	void unknownUser_errorNamesKnownUsers() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.cluster.kubeconfig("stranger"))
			.withMessage("Unknown user stranger. Known users: [admin, tester]");
	}

	@Test
	void kubeconfigFile_containsKubeconfigOfUser() throws IOException {
		Path file = this.cluster.kubeconfigFile("tester");
		assertThat(Files.readString(file)).isEqualTo(this.cluster.kubeconfig("tester"))
			.contains(this.cluster.url().toString(), this.cluster.token("tester"))
			.doesNotContain(this.cluster.adminToken());
	}

	private void createConfigMap(String name) throws IOException {
		this.admin.post(CONFIG_MAPS, "{\"metadata\": {\"name\": \"%s\"}}".formatted(name)).expectSuccess();
	}

	private static int status(ApiConnection connection) {
		try {
			return connection.get(CONFIG_MAPS).status();
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}

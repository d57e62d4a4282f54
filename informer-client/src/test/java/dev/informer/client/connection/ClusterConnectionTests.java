/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ClusterConnection}.
 */
class ClusterConnectionTests {

	private final Map<String, String> environment = new HashMap<>();

	@TempDir
	private Path folder;

	@Test
	void noConnection_failsWithCheckedLocations() {
		assertThatExceptionOfType(NoKubernetesClusterException.class)
			.isThrownBy(() -> connection(null, null, null, null).apiClient())
			.satisfies((ex) -> {
				assertThat(ex.locations()).hasSize(3);
				assertThat(ex.locations().get(0)).isEqualTo("$KUBECONFIG: not set");
				assertThat(ex.locations().get(1)).endsWith(".kube/config: no such file").startsWith("kubeconfig ");
				assertThat(ex.locations().get(2)).contains("$KUBERNETES_SERVICE_HOST");
			});
		assertThat(connection(null, null, null, null).namespace()).isEqualTo("default");
	}

	@Test
	void details_takePrecedence() throws IOException {
		kubeconfig(".kube/config", "home");
		ServerDetails details = () -> "http://details:1";
		assertThat(connection(details, null, null, null).apiClient().getBasePath()).isEqualTo("http://details:1");
	}

	@Test
	void configuredKubeconfig_takesPrecedenceOverEnvironment() throws IOException {
		this.environment.put("KUBECONFIG", kubeconfig("variable", "variable").getPath());
		File named = kubeconfig("named", "named");
		assertThat(connection(null, named, null, null).apiClient().getBasePath()).isEqualTo("http://named-one:1");
	}

	@Test
	void variable_takesPrecedenceOverHomeAndUsesFirstExistingFile() throws IOException {
		kubeconfig(".kube/config", "home");
		this.environment.put("KUBECONFIG",
				this.folder.resolve("missing") + File.pathSeparator + kubeconfig("variable", "variable").getPath());
		assertThat(connection(null, null, null, null).apiClient().getBasePath()).isEqualTo("http://variable-one:1");
	}

	@Test
	void kubeconfigInHome_isUsed() throws IOException {
		kubeconfig(".kube/config", "home");
		ClusterConnection connection = connection(null, null, null, null);
		assertThat(connection.apiClient().getBasePath()).isEqualTo("http://home-one:1");
		assertThat(connection.namespace()).isEqualTo("home");
	}

	@Test
	void context_isSelected() throws IOException {
		kubeconfig(".kube/config", "home");
		assertThat(connection(null, null, "two", null).apiClient().getBasePath()).isEqualTo("http://home-two:1");
	}

	@Test
	void unknownContext_failsWithKnownContexts() throws IOException {
		kubeconfig(".kube/config", "home");
		assertThatExceptionOfType(InvalidConnectionException.class)
			.isThrownBy(() -> connection(null, null, "three", null).apiClient())
			.satisfies((ex) -> {
				assertThat(ex.setting()).isEqualTo("context");
				assertThat(ex.action()).contains("[one, two]");
			});
	}

	@Test
	void missingConfiguredKubeconfig_fails() {
		assertThatExceptionOfType(InvalidConnectionException.class)
			.isThrownBy(() -> connection(null, new File("missing"), null, null).apiClient())
			.withMessageContaining("kubeconfig missing: no such file")
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("kubeconfig"));
	}

	@Test
	void invalidKubeconfig_failsWithFileAndLine() throws IOException {
		File broken = this.folder.resolve("broken").toFile();
		Files.writeString(broken.toPath(), "users:\n- token: secret\nclusters: [}");
		this.environment.put("KUBECONFIG", broken.getPath());
		assertThatExceptionOfType(InvalidConnectionException.class)
			.isThrownBy(() -> connection(null, null, null, null).apiClient())
			.withMessage("Cannot use kubeconfig " + broken + ", line 3: it is not valid YAML")
			.withNoCause();
	}

	@Test
	void kubeconfigWithoutCurrentContext_isReportedAndSkipped() throws IOException {
		File empty = Files.writeString(this.folder.resolve("empty"), "contexts: null\n").toFile();
		this.environment.put("KUBECONFIG", empty.getPath());
		assertThatExceptionOfType(NoKubernetesClusterException.class)
			.isThrownBy(() -> connection(null, null, null, null).apiClient())
			.withMessageContaining("$KUBECONFIG, kubeconfig " + empty + ": no current context");
	}

	@Test
	void serviceAccount_isUsedWithItsNamespace() throws IOException {
		serviceAccount();
		ClusterConnection connection = connection(null, null, null, null);
		ApiClient client = connection.apiClient();
		assertThat(client.getBasePath()).isEqualTo("https://[fd00::1]:443");
		assertThat(client.isVerifyingSsl()).isTrue();
		assertThat(connection.namespace()).isEqualTo("team");
		assertThat(connection(null, null, null, "mine").namespace()).isEqualTo("mine");
	}

	@Test
	void serviceAccountWithoutToken_isReported() {
		this.environment.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
		this.environment.put("KUBERNETES_SERVICE_PORT", "443");
		assertThatExceptionOfType(NoKubernetesClusterException.class)
			.isThrownBy(() -> connection(null, null, null, null).apiClient())
			.withMessageContaining("automountServiceAccountToken");
	}

	@Test
	void invalidCertificate_failsWithItsOrigin() throws IOException {
		serviceAccount();
		Files.writeString(this.folder.resolve("ca.crt"), "nonsense");
		assertThatIllegalStateException().isThrownBy(() -> connection(null, null, null, null).apiClient())
			.withMessageStartingWith(
					"Cannot create a client for the Kubernetes API server from in-cluster credentials");
	}

	private void serviceAccount() throws IOException {
		this.environment.put("KUBERNETES_SERVICE_HOST", "fd00::1");
		this.environment.put("KUBERNETES_SERVICE_PORT", "443");
		Files.writeString(this.folder.resolve("token"), "secret");
		Files.writeString(this.folder.resolve("namespace"), "team\n");
	}

	private ClusterConnection connection(@Nullable ServerDetails details, @Nullable File kubeconfig,
			@Nullable String context, @Nullable String namespace) {
		ConnectionSettings settings = new ConnectionSettings().server(details)
			.kubeconfig((kubeconfig != null) ? kubeconfig.toPath() : null)
			.context(context)
			.namespace(namespace);
		return new ClusterConnection(new ServerLookup(settings, this.environment::get, this.folder, this.folder));
	}

	private File kubeconfig(String file, String name) throws IOException {
		Path path = this.folder.resolve(file);
		Files.createDirectories(path.getParent());
		return Files.writeString(path, """
				apiVersion: v1
				kind: Config
				current-context: one
				clusters:
				- name: one
				  cluster: {server: "http://%1$s-one:1"}
				- name: two
				  cluster: {server: "http://%1$s-two:1"}
				contexts:
				- name: one
				  context: {cluster: one, user: user, namespace: %1$s}
				- name: two
				  context: {cluster: two, user: user}
				users:
				- name: user
				  user: {}
				""".formatted(name)).toFile();
	}

}

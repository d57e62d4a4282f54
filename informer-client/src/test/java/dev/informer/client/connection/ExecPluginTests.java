/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.informer.client.CredentialsException;
import dev.informer.client.connection.Credentials.Credential;
import dev.informer.client.connection.TlsMaterial.ClientCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ExecPlugin}.
 */
@Timeout(120)
class ExecPluginTests {

	private static final String V1 = "client.authentication.k8s.io/v1";

	private static final String VALID = """
			{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "secret"}}""";

	@TempDir
	private Path folder;

	private Duration deadline = ExecPlugin.DEADLINE;

	@Test
	void tokenAndExpiry_areRead() throws IOException {
		script("""
				echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status":
				  {"token": "secret", "expirationTimestamp": "2026-01-01T12:00:00+01:00"}}'""");
		Credential credential = plugin("").obtain();
		assertThat(credential.authorization()).isEqualTo("Bearer secret");
		assertThat(credential.expiry()).isEqualTo(Instant.parse("2026-01-01T11:00:00Z"));
		assertThat(credential.toString()).doesNotContain("secret");
	}

	@Test
	void clientCertificate_isRead() throws IOException {
		script("""
				echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status":
				  {"clientCertificateData": "one", "clientKeyData": "two"}}'""");
		Credential credential = plugin("").obtain();
		assertThat(credential.authorization()).isNull();
		assertThat(credential.certificate()).isEqualTo(new ClientCertificate("one", "two"));
	}

	@Test
	void plugin_getsArgumentsEnvironmentAndCluster() throws IOException {
		script("""
				echo "$1|$2|$MINE|$KUBERNETES_EXEC_INFO" > "$(dirname "$0")/seen"
				if read -r line; then exit 9; fi
				echo '%s'""".formatted(VALID));
		plugin("""
				args: [get-token, "a b"]
				env: [{name: MINE, value: my value}]
				provideClusterInfo: true
				""").obtain();
		assertThat(Files.readString(this.folder.resolve("seen"))).startsWith("get-token|a b|my value|{")
			.contains("\"kind\":\"ExecCredential\"", "\"apiVersion\":\"" + V1 + "\"", "\"interactive\":false",
					"\"cluster\":{\"server\":\"https://one:1\"}");
	}

	@Test
	void clusterInfo_isPassedOnRequestOnly() throws IOException {
		script("echo \"$KUBERNETES_EXEC_INFO\" > \"$(dirname \"$0\")/seen\"; echo '%s'".formatted(VALID));
		plugin("").obtain();
		assertThat(Files.readString(this.folder.resolve("seen"))).contains("\"spec\":{\"interactive\":false}");
	}

	@Test
	void passwordOfProxy_isNotPartOfTheFailure() throws IOException {
		script("echo 'cannot connect to http://me:abc%40def@proxy:3128, see https://example.com' >&2; exit 1");
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> plugin("").obtain())
			.withMessageContaining("(cannot connect to http://***@proxy:3128, see https://example.com)");
	}

	@Test
	void failure_namesExitCodeStderrAndHint() throws IOException {
		script("echo \"session expired, token=abc eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2ln\" >&2; echo secret; exit 3");
		assertThatExceptionOfType(CredentialsException.class)
			.isThrownBy(() -> plugin("installHint: Run login first.").obtain())
			.withMessageContaining(
					"of user 'dev' failed with exit code 3 (session expired, token=*** ***). " + "Run login first.")
			.withMessageNotContaining("secret")
			.withMessageNotContaining("eyJ")
			.withMessageNotContaining("abc")
			.withNoCause();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization: Basic YWRtaW46aHVudGVyMjI=", "AWS_SECRET_ACCESS_KEY=YWRtaW46aHVudGVyMjI",
			"Set-Cookie: sid=YWRtaW46aHVudGVyMjI", "cannot clone with ghp_YWRtaW46aHVudGVyMjI",
			"+ login --secret hunter22-x", "AKIAYWRtaW46aHVudGVyMjI is unknown" })
	void credentialInStderr_isMasked(String line) throws IOException {
		script("echo 'first line YWRtaW46aHVudGVyMjI'; echo 'other YWRtaW46aHVudGVyMjI' >&2; echo '" + line
				+ "' >&2; exit 7");
		assertThatExceptionOfType(CredentialsException.class)
			.isThrownBy(() -> plugin("env: [{name: LOGIN_SECRET, value: hunter22-x}]").obtain())
			.withMessageContaining("failed with exit code 7 (")
			.withMessageContaining("***")
			.withMessageNotContaining("YWRtaW46")
			.withMessageNotContaining("hunter22");
	}

	@Test
	void endOfLongStderr_isTheLastLine() throws IOException {
		script("i=0; while [ $i -lt 2000 ]; do echo 'retrying the request' >&2; i=$((i+1)); done; "
				+ "printf 'no \\033[31msession\\r\\n\\n' >&2; exit 1");
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> plugin("").obtain())
			.withMessageContaining("exit code 1 (no [31msession)");
	}

	@Test
	void longStderr_isBounded() throws IOException {
		script("i=0; while [ $i -lt 2000 ]; do echo 'no session, log in first' >&2; i=$((i+1)); done; exit 1");
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> plugin("").obtain())
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(1300));
	}

	@Test
	void hangingPlugin_isKilledAtTheDeadlineWithItsChildren() throws IOException {
		this.deadline = Duration.ofMillis(500);
		script("sleep 100 & echo $! > \"$(dirname \"$0\")/child\"; echo waiting for the browser >&2; wait");
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> plugin("").obtain())
			.withMessageContaining("did not finish within 500 ms (waiting for the browser)");
		long child = Long.parseLong(Files.readString(this.folder.resolve("child")).strip());
		await().until(() -> !ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false));
	}

	@Test
	void processThatOutlivesThePlugin_isNotWaitedFor() throws IOException {
		script("sleep 100 & echo $! > \"$(dirname \"$0\")/child\"; echo '%s'".formatted(VALID));
		assertThat(plugin("").obtain().authorization()).isEqualTo("Bearer secret");
		ProcessHandle.of(Long.parseLong(Files.readString(this.folder.resolve("child")).strip()))
			.ifPresent(ProcessHandle::destroyForcibly);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					secret | standard output is not a JSON object
					[1] | standard output is not a JSON object
					{"kind": "Secret"} | kind is not ExecCredential
					{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1"} | apiVersion is not client.authentication.k8s.io/v1
					{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1"} | no status
					{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {}} | neither a token nor a client certificate
					{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"clientKeyData": "secret"}} | only one of
					{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": ["secret"]}} | neither a token nor a client certificate
					{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "secret", "expirationTimestamp": "soon"}} | not an RFC 3339 time
					""")
	void invalidOutput_isReportedWithoutIt(String output, String problem) throws IOException {
		Files.writeString(this.folder.resolve("output"), output);
		script("cat \"$(dirname \"$0\")/output\"");
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> plugin("").obtain())
			.withMessageContaining("returned an invalid credential")
			.withMessageContaining(problem)
			.withMessageNotContaining("secret")
			.withNoCause();
	}

	@ParameterizedTest
	@ValueSource(strings = { "./missing", "no-such-plugin-anywhere" })
	void missingCommand_isReportedWithFileLineAndHint(String command) throws IOException {
		Path kubeconfig = kubeconfig(V1, command, "installHint: Install it with apt.\ninteractiveMode: Never");
		assertThatExceptionOfType(InvalidConnectionException.class).isThrownBy(() -> plugin(kubeconfig))
			.withMessageStartingWith("Cannot use kubeconfig " + kubeconfig + ", line 6: 'users[dev].user.exec.command'")
			.satisfies((ex) -> assertThat(ex.action()).contains("Install it with apt."));
	}

	@ParameterizedTest
	@CsvSource({ "client.authentication.k8s.io/v1alpha1,Never,apiVersion",
			"client.authentication.k8s.io/v1,'',interactiveMode",
			"client.authentication.k8s.io/v1,Always,interactiveMode",
			"client.authentication.k8s.io/v1,Often,interactiveMode" })
	void unsupportedKeys_areRejectedByName(String version, String mode, String key) throws IOException {
		script("exit 0");
		Path kubeconfig = kubeconfig(version, "./plugin", mode.isEmpty() ? "" : "interactiveMode: " + mode);
		assertThatExceptionOfType(InvalidConnectionException.class).isThrownBy(() -> plugin(kubeconfig))
			.withMessageContaining("users[dev].user.exec." + key);
	}

	private void script(String text) throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\n" + text + "\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
	}

	private ExecPlugin plugin(String keys) throws IOException {
		return plugin(kubeconfig(V1, "./plugin", keys + "\ninteractiveMode: IfAvailable"));
	}

	private Path kubeconfig(String version, String command, String keys) throws IOException {
		return Files.writeString(this.folder.resolve("config"), """
				users:
				- name: dev
				  user:
				    exec:
				      apiVersion: %s
				      command: %s
				%s
				contexts: [{name: one, context: {cluster: one, user: dev}}]
				clusters: [{name: one, cluster: {server: "https://one:1"}}]
				""".formatted(version, command, keys.indent(6)));
	}

	private ExecPlugin plugin(Path kubeconfig) {
		return new ExecPlugin(Kubeconfig.read(List.of(kubeconfig)).context("one").user().section("exec"), "dev",
				Map.of("server", "https://one:1"), System::getenv, this.deadline);
	}

}

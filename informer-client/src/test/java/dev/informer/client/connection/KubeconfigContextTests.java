/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.net.Proxy;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KubeconfigContext}.
 */
class KubeconfigContextTests {

	@TempDir
	private Path folder;

	@Test
	void serverWithoutScheme_usesTlsWhenTlsIsConfigured() throws Exception {
		assertThat(server("server: \"one:1\"", "token: x").url()).isEqualTo("http://one:1");
		assertThat(server("server: \"one:1\"\ninsecure-skip-tls-verify: true", "token: x").url())
			.isEqualTo("https://one:1");
	}

	@ParameterizedTest
	@CsvSource({ "http://proxy:3128,HTTP,3128", "http://proxy,HTTP,80", "socks5://proxy,SOCKS,1080",
			"http://me:secret@proxy:3128/,HTTP,3128" })
	void proxyUrl_isHonoured(String url, Proxy.Type type, int port) throws Exception {
		assertThat(server("server: \"https://one\"\nproxy-url: " + url, "token: x").proxy())
			.hasToString(type + " @ proxy/<unresolved>:" + port);
	}

	@Test
	void tokenFile_takesPrecedenceOverToken() throws Exception {
		writeString(this.folder.resolve("token"), "file\n");
		assertThat(authorization("token: embedded\ntokenFile: token")).isEqualTo("Bearer file");
		assertThat(authorization("token: embedded\ntokenFile: missing")).isEqualTo("Bearer embedded");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "https://kube_api:6443", "http://_kube_api_", "https://a_b.c_d/path", "https://[::1]:6443" })
	void hostThatNamesOfContainersHave_isAccepted(String url) throws Exception {
		assertThat(server("server: \"" + url + "\"", "token: x").url()).isEqualTo(url);
	}

	@Test
	void password_isSent() throws Exception {
		assertThat(authorization("username: me\npassword: secret")).isEqualTo("Basic bWU6c2VjcmV0");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					server: "https://me:secret@one" | token: x | clusters[one].cluster.server | contains user information
					server: "https://secret@one" | token: x | clusters[one].cluster.server | contains user information
					server: "one:1/path?x=y" | token: x | clusters[one].cluster.server | contains a query
					server: "https://one_two:port" | token: x | clusters[one].cluster.server | is not the URL of an API server
					server: "https://:6443" | token: x | clusters[one].cluster.server | is not the URL of an API server
					server: "https://me:secret@one_two" | token: x | clusters[one].cluster.server | contains user information
					server: "ftp://one" | token: x | clusters[one].cluster.server | is not the URL of an API server
					insecure-skip-tls-verify: true | token: x | clusters[one].cluster.server | is missing
					{server: "https://one", proxy-url: "socks5://me:secret@p"} | token: x | clusters[one].cluster.proxy-url | contains user information
					{server: "https://one", proxy-url: "http://me:sec@secret@p"} | token: x | clusters[one].cluster.proxy-url | that is not encoded
					{server: "https://one", proxy-url: "http://me:1/secret@p"} | token: x | clusters[one].cluster.proxy-url | contains a path
					{server: "https://one", proxy-url: "http://me:sec%ret@p"} | token: x | clusters[one].cluster.proxy-url | is not the URL of a proxy
					{server: "https://one", proxy-url: "ftp://p"} | token: x | clusters[one].cluster.proxy-url | is not the URL of a proxy
					{server: "https://one", proxy-url: "https://p"} | token: x | clusters[one].cluster.proxy-url | has the scheme https, which is unsupported
					{server: "https://one", certificate-authority: none} | token: x | clusters[one].cluster.certificate-authority | cannot be read
					{server: "https://one", certificate-authority-data: "%"} | token: x | clusters[one].cluster.certificate-authority-data | Base64
					{server: "https://one", insecure-skip-tls-verify: maybe} | token: x | clusters[one].cluster.insecure-skip-tls-verify | neither true nor false
					server: "https://one" | {token: secret, username: me, password: secret} | users[dev].user.username | cannot be combined with token
					server: "https://one" | {exec: {}, token: secret} | users[dev].user.token | cannot be combined with exec
					server: "https://one" | {password: secret} | users[dev].user.username | is missing
					server: "https://one" | {client-certificate-data: eA==} | users[dev].user.client-certificate | requires client-key
					server: "https://one" | {as-groups: [admins]} | users[dev].user.as-groups | requires as
					server: "https://one" | {auth-provider: {name: gcp}} | users[dev].user.auth-provider.name | unsupported
					server: "https://one" | {auth-provider: {name: azure}} | users[dev].user.auth-provider.name | unsupported
					server: "https://one" | {auth-provider: {name: oidc, config: {}}} | users[dev].user.auth-provider.config.refresh-token | is missing
					server: "https://one" | {exec: {command: x, apiVersion: v1, argv: []}} | users[dev].user.exec.argv | unsupported
					""")
	void unusableKey_isRejectedByName(String cluster, String user, String key, String problem) {
		assertThatExceptionOfType(InvalidConnectionException.class).isThrownBy(() -> server(cluster, user))
			.withMessageContaining("config, line ")
			.withMessageContaining("'" + key + "'")
			.withMessageContaining(problem)
			.withMessageNotContaining("secret")
			.satisfies((ex) -> assertThat(ex.action()).doesNotContain("secret"));
	}

	@Test
	void text_hasNoSecret() throws Exception {
		assertThat(server("server: \"https://one\"", "token: secret").toString()).doesNotContain("secret");
	}

	private String authorization(String user) throws Exception {
		return String.valueOf(server("server: \"https://one\"", user).credentials().get(() -> false).authorization());
	}

	private Server server(String cluster, String user) throws Exception {
		Path file = writeString(this.folder.resolve("config"), """
				contexts: [{name: one, context: {cluster: one, user: dev}}]
				clusters:
				- name: one
				  cluster:
				%susers:
				- name: dev
				  user:
				%s""".formatted(cluster.indent(4), user.indent(4)));
		return Kubeconfig.read(List.of(file)).context("one").server(System::getenv);
	}

}

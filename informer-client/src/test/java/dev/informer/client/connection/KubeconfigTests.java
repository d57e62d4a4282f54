/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Kubeconfig}.
 */
class KubeconfigTests {

	@TempDir
	private Path folder;

	@Test
	void severalFiles_areMergedAndTheFirstWins() throws IOException {
		Path one = write("one", """
				clusters: [{name: a, cluster: {server: "https://one"}}]
				users: [{name: u, user: {token: one}}]
				""");
		Files.createDirectory(this.folder.resolve("two"));
		Path two = write("two/config", """
				current-context: both
				contexts: [{name: both, context: {cluster: b, user: u, namespace: team}}]
				clusters:
				- {name: a, cluster: {server: "https://two", certificate-authority: ca.crt}}
				- {name: b, cluster: {server: "https://b", certificate-authority: ca.crt}}
				users: [{name: u, user: {token: two, as: root}}]
				""");
		Path three = write("three", "current-context: other\ncontexts: [{name: both, context: {cluster: a}}]\n");
		Kubeconfig kubeconfig = Kubeconfig.read(List.of(one, two, three));
		assertThat(kubeconfig.currentContext()).isEqualTo("both");
		KubeconfigContext context = kubeconfig.requiredContext();
		assertThat(context.namespace()).isEqualTo("team");
		assertThat(context.user().text("token")).isEqualTo("one");
		assertThat(context.user().has("as")).isFalse();
		assertThat(context.cluster().resolvePath("certificate-authority")).isEqualTo(this.folder.resolve("two/ca.crt"));
	}

	@Test
	void emptyFile_hasNoContext() throws IOException {
		assertThat(Kubeconfig.read(List.of(write("empty", ""))).currentContext()).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					contexts: [{name: a, context: {cluster: c, user: missing}}] | 2 | contexts[a].context.user | unknown user 'missing'
					contexts: [{name: a, context: {cluster: missing}}] | 2 | contexts[a].context.cluster | unknown cluster 'missing'
					contexts: [{name: a, context: {user: u}}] | 2 | contexts[a].context.cluster | is missing
					contexts: [{name: b, context: {cluster: c}}] | 1 | current-context | unknown context 'a'
					contexts: {a: b} | 2 | contexts | is not a list
					contexts: [{context: {}}] | 2 | contexts[0].name | is missing
					contexts: [a] | 2 | contexts[0] | is not a mapping
					contexts: [{name: a, context: {cluster: c, namespaces: x}}] | 2 | contexts[a].context.namespaces | unsupported key
					contexts: [{name: a, context: {cluster: odd}}] | 4 | clusters[odd].cluster.servername | unsupported key
					contexts: [{name: a, context: {cluster: c, user: odd}}] | 7 | users[odd].user.token-file | unsupported key
					""")
	void unusableContext_failsWithLineAndKey(String contexts, int line, String key, String problem) throws IOException {
		Path file = write("config", """
				current-context: a
				%s
				clusters: [{name: c, cluster: {server: "https://c"}},
				  {name: odd, cluster: {servername: x}}]
				users:
				- {name: u, user: {}}
				- {name: odd, user: {token-file: x}}
				""".formatted(contexts));
		assertThatExceptionOfType(InvalidConnectionException.class)
			.isThrownBy(() -> Kubeconfig.read(List.of(file)).requiredContext())
			.withMessageStartingWith("Cannot use kubeconfig " + file + ", line " + line + ": '" + key + "' ")
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.action()).endsWith("."));
	}

	@Test
	void invalidYaml_isReportedWithoutItsContent() throws IOException {
		Path file = write("config", "users:\n- user: {token: secret\ncontexts: x: y\n");
		assertThatExceptionOfType(InvalidConnectionException.class).isThrownBy(() -> Kubeconfig.read(List.of(file)))
			.withMessageContaining(file + ", line 3: it is not valid YAML")
			.withMessageNotContaining("secret")
			.withNoCause();
	}

	@Test
	void binaryFile_isReported() throws IOException {
		Path file = Files.write(this.folder.resolve("config"), new byte[] { (byte) 0xC3, 0x28, 0, 1 });
		assertThatExceptionOfType(InvalidConnectionException.class).isThrownBy(() -> Kubeconfig.read(List.of(file)))
			.withMessageStartingWith("Cannot use kubeconfig " + file);
	}

	private Path write(String name, String text) throws IOException {
		return Files.writeString(this.folder.resolve(name), text);
	}

}

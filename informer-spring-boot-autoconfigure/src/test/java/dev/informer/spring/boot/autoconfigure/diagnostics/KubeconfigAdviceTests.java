/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.informer.Lister;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about a kubeconfig that is unusable: followed literally, at the line that it
 * names, it connects the application.
 */
@Timeout(120)
class KubeconfigAdviceTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<String> lines = new ArrayList<>(List.of("current-context: dev", "contexts:", "- name: dev",
			"  context:", "    cluster: one", "    user: me", "clusters:", "- name: one", "  cluster:",
			"    server: " + this.kubernetes.url(), "users:", "- name: me", "  user:", "    token: secret"));

	@TempDir
	private Path folder;

	@Test
	void unknownNames() throws IOException {
		for (String line : List.of("current-context: dev", "    cluster: one", "    user: me")) {
			replace(line, line + "-misspelt");
			Advice advice = advice();
			String choice = advice.choices().get(0);
			correct(advice, (wrong) -> wrong.replaceFirst("[\\w-]+$", choice));
			start();
		}
	}

	@Test
	void missingKey() throws IOException {
		String server = "    server: " + this.kubernetes.url();
		replace(server, "    tls-server-name: one.example.com");
		Advice advice = advice();
		assertThat(advice.action()).isEqualTo("Add the key.");
		assertThat(key(advice)).isEqualTo("server");
		replace("    tls-server-name: one.example.com", server);
		start();
	}

	@Test
	void unsupportedKey() throws IOException {
		replace("    token: secret", "    tokn: secret");
		Advice advice = advice();
		assertThat(key(advice)).isEqualTo("tokn");
		assertThat(advice.action()).containsIgnoringCase("remove");
		correct(advice, (wrong) -> "    token: secret");
		start();
	}

	@Test
	void combinedCredentials() throws IOException {
		replace("    token: secret", "    {token: secret, username: me, password: secret}");
		Advice advice = advice();
		assertThat(advice.action()).isEqualTo("Remove one of them.");
		correct(advice, (wrong) -> "    {token: secret}");
		start();
	}

	@Test
	void invalidValues() throws IOException {
		String server = "    server: " + this.kubernetes.url();
		replace(server, "    {server: \"" + this.kubernetes.url() + "\", insecure-skip-tls-verify: maybe}");
		Advice advice = advice();
		String choice = advice.text("Specify true or (false)\\.");
		correct(advice, (wrong) -> wrong.replace("maybe", choice));
		start();
		replace(this.lines.get(9), "    server: ftp://127.0.0.1:1");
		Advice url = advice();
		assertThat(url.example()).isEqualTo("https://10.0.0.1:6443");
		correct(url, (wrong) -> server);
		start();
		replace("    token: secret", "    {token: secret, as-groups: [admins]}");
		Advice impersonation = advice();
		String key = impersonation.text("Add (as), or remove the key");
		correct(impersonation, (wrong) -> wrong.replace("as-groups", key + ": jane, as-groups"));
		start();
	}

	@Test
	void plugin() throws IOException {
		replace("    token: secret",
				"    exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: ./plugin}");
		Advice version = advice();
		String supported = version.text("use (\\S+v1)\\.");
		correct(version, (wrong) -> wrong.replaceFirst("apiVersion: [^,]+", "apiVersion: " + supported));
		Advice mode = advice();
		String never = mode.text("Add (interactiveMode: Never) or IfAvailable\\.");
		correct(mode, (wrong) -> wrong.replace("{", "{" + never + ", "));
		assertThat(advice().action()).startsWith("Install the plugin.");
		Path plugin = Files.writeString(this.folder.resolve("plugin"),
				"#!/bin/sh\necho '{\"kind\": \"ExecCredential\", \"apiVersion\": \"" + supported
						+ "\", \"status\": {\"token\": \"secret\"}}'\n");
		Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
		start();
		replace(this.lines.get(13), "    auth-provider: {name: gcp}");
		Advice provider = advice();
		assertThat(provider.text("Use exec with the credential plugin (\\S+)\\.")).isEqualTo("gke-gcloud-auth-plugin");
		correct(provider, (wrong) -> "    exec: {apiVersion: " + supported + ", " + never + ", command: ./plugin}");
		start();
	}

	@Test
	void invalidSyntax() throws IOException {
		replace("  context:", "  context: [");
		Advice advice = advice();
		assertThat(advice.description()).contains("is not valid YAML");
		assertThat(advice.action()).contains("kubectl config view");
		replace("  context: [", "  context:");
		start();
	}

	private void replace(String line, String replacement) {
		int index = this.lines.indexOf(line);
		assertThat(index).as(line).isNotNegative();
		this.lines.set(index, replacement);
	}

	/**
	 * Edit the line that the description names.
	 */
	private void correct(Advice advice, UnaryOperator<String> correction) {
		int line = Integer.parseInt(new Advice("", advice.description()).text(", line (\\d+):")) - 1;
		if (!advice.description().endsWith(" is missing")) {
			assertThat(this.lines.get(line)).contains(key(advice));
		}
		this.lines.set(line, correction.apply(this.lines.get(line)));
	}

	/**
	 * Return the last element of the key that the description names.
	 */
	private static String key(Advice advice) {
		String key = new Advice("", advice.description()).text(", line \\d+: '([^']+)'");
		return key.substring(key.lastIndexOf('.') + 1);
	}

	private Advice advice() throws IOException {
		return Advice.of(runner());
	}

	private void start() throws IOException {
		runner().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).informers()).isNotEmpty()
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).isTrue());
		});
	}

	private ApplicationContextRunner runner() throws IOException {
		Path file = Files.writeString(this.folder.resolve("config"), String.join("\n", this.lines) + "\n");
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
			.withPropertyValues("informer.connection.kubeconfig=" + file, "informer.startup.timeout=10s")
			.withBean("consumer", NamespaceConsumer.class);
	}

	static class NamespaceConsumer {

		NamespaceConsumer(Lister<V1Namespace> namespaces) {
		}

	}

}

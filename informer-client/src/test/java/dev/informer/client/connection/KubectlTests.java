/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.informer.client.CredentialsException;
import okhttp3.Headers;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kubeconfigs that can be read in several ways, with the answers of kubectl, which
 * {@code kubeconfigs.go.txt} prints. What kubectl reads is read in the same way, or
 * rejected where the table says so. Other than kubectl, requests without TLS have
 * credentials, and 0o17 is a text.
 */
class KubectlTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@MethodSource
	void kubeconfig_isReadAsKubectlDoes(String name, String text, String expected) throws IOException {
		Files.writeString(this.folder.resolve("token"), "of-file\n");
		Path file = Files.writeString(this.folder.resolve("config"), text);
		assertThat(read(file)).isEqualTo(expected);
	}

	static Stream<Arguments> kubeconfig_isReadAsKubectlDoes() throws IOException {
		try (InputStream table = Objects.requireNonNull(KubectlTests.class.getResourceAsStream("kubeconfigs.txt"))) {
			return Arrays.stream(new String(table.readAllBytes(), StandardCharsets.UTF_8).split("#### "))
				.skip(1)
				.map(KubectlTests::parse);
		}
	}

	private static Arguments parse(String part) {
		int line = part.indexOf('\n') + 1;
		int answer = part.indexOf("==== kubectl: ");
		String[] answers = part.substring(answer).split("==== \\w+: ");
		String text = part.substring(line, answer)
			.replace("<BOM>", "\ufeff")
			.replace("<CR>", "\r")
			.replace("<NESTED>", "[".repeat(20_000) + "]".repeat(20_000));
		return Arguments.of(part.substring(0, line - 1), text, answers[answers.length - 1].replaceAll("\n$", ""));
	}

	private static String read(Path file) throws IOException {
		try {
			KubeconfigContext context = Kubeconfig.read(List.of(file)).requiredContext();
			Server server = context.server((variable) -> null);
			ClusterConnection.create((settings) -> settings.kubeconfig(file)).apiClient();
			String namespace = context.namespace();
			return "url=" + server.url() + " namespace=" + ((namespace != null) ? namespace : "default")
					+ properties(server);
		}
		catch (InvalidConnectionException | CredentialsException ex) {
			return "rejected";
		}
		catch (IllegalStateException ex) {
			assertThat(ex).hasMessageStartingWith("Cannot create a client");
			return "rejected";
		}
	}

	private static String properties(Server server) throws IOException {
		TreeSet<String> properties = new TreeSet<>();
		String authorization = server.credentials().get(() -> false).authorization();
		if (authorization != null && authorization.startsWith("Basic ")) {
			properties.add("basic="
					+ new String(Base64.getDecoder().decode(authorization.substring(6)), StandardCharsets.UTF_8));
		}
		else if (authorization != null) {
			properties.add("token=" + authorization.substring("Bearer ".length()).replace("\n", "\\n"));
		}
		if (server.serverName() != null) {
			properties.add("server-name=" + server.serverName());
		}
		if (!server.verifyTls()) {
			properties.add("insecure=true");
		}
		Headers impersonation = server.impersonation();
		if (impersonation.get("Impersonate-User") != null) {
			properties.add("as=" + impersonation.get("Impersonate-User"));
			properties.add("groups=" + String.join(",", impersonation.values("Impersonate-Group")));
		}
		return properties.isEmpty() ? "" : " " + String.join(" ", properties);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpServer;
import dev.informer.client.CredentialsException;
import dev.informer.client.connection.Credentials.Credential;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OidcProvider}.
 */
class OidcProviderTests {

	private final List<String> forms = new CopyOnWriteArrayList<>();

	private volatile int code = 200;

	private volatile @Nullable String endpoint;

	private HttpServer server;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.createContext("/", (exchange) -> {
			String body;
			if (exchange.getRequestURI().getPath().endsWith("/.well-known/openid-configuration")) {
				body = "{\"token_endpoint\": \"" + ((this.endpoint != null) ? this.endpoint : url() + "/token") + "\"}";
			}
			else {
				this.forms.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
				body = "{\"id_token\": \"" + token(900, "renewed") + "\", \"refresh_token\": \"refresh-"
						+ (this.forms.size() + 1) + "\"}";
			}
			exchange.sendResponseHeaders(this.code, body.length());
			exchange.getResponseBody().write(body.getBytes(StandardCharsets.US_ASCII));
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void validToken_isUsedFirstAndRenewedAfterwards() throws IOException {
		String token = token(600, "first");
		OidcProvider provider = provider("id-token: " + token + ", refresh-token: refresh-1, client-secret: s");
		Credential credential = provider.obtain();
		assertThat(credential.authorization()).isEqualTo("Bearer " + token);
		assertThat(credential.expiry()).isAfter(Instant.now());
		assertThat(this.forms).isEmpty();
		assertThat(provider.obtain().authorization()).startsWith("Bearer ").isNotEqualTo("Bearer " + token);
		assertThat(this.forms)
			.containsExactly("grant_type=refresh_token&refresh_token=refresh-1&client_id=app&client_secret=s");
		provider.obtain();
		assertThat(this.forms.get(1)).contains("refresh_token=refresh-2");
	}

	@Test
	void endpointWithoutTls_atAnotherHost_receivesNothing() {
		this.endpoint = "http://localhost:" + this.server.getAddress().getPort() + "/token";
		assertThatExceptionOfType(CredentialsException.class)
			.isThrownBy(() -> provider("refresh-token: refresh-1").obtain())
			.withMessageContaining("its discovery document names the token_endpoint http://localhost:")
			.withMessageContaining("without encryption");
		assertThat(this.forms).isEmpty();
	}

	@Test
	void expiredToken_isRenewed() throws IOException {
		provider("id-token: " + token(-1, "first") + ", refresh-token: refresh-1").obtain();
		assertThat(this.forms).hasSize(1);
	}

	@Test
	void failure_isReportedWithAdviceAndWithoutSecrets() {
		this.code = 400;
		assertThatExceptionOfType(CredentialsException.class)
			.isThrownBy(() -> provider("refresh-token: refresh-1, client-secret: hidden").obtain())
			.withMessageContaining("OIDC provider of user 'dev'")
			.withMessageContaining("400")
			.withMessageContaining("Log in again")
			.withMessageNotContaining("refresh-1")
			.withMessageNotContaining("hidden");
	}

	@Test
	void rejectedTokenWithoutRefreshToken_isReportedWithAdvice() throws IOException {
		OidcProvider provider = provider("id-token: " + token(600, "first"));
		provider.obtain();
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(provider::obtain)
			.withMessageContaining("kubelogin");
	}

	private String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	private static String token(long seconds, String name) {
		String claims = "{\"sub\":\"" + name + "\",\"exp\":" + Instant.now().plusSeconds(seconds).getEpochSecond()
				+ "}";
		return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
				+ ".c2ln";
	}

	private OidcProvider provider(String config) {
		return new OidcProvider(Kubeconfig.parse("""
				contexts: [{name: one, context: {cluster: one, user: dev}}]
				clusters: [{name: one, cluster: {server: "https://one"}}]
				users:
				- name: dev
				  user: {auth-provider: {name: oidc, config: {client-id: app, idp-issuer-url: "%s", %s}}}
				""".formatted(url(), config)).context("one").user().section("auth-provider").section("config"), "dev");
	}

}

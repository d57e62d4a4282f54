/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.X509TrustManager;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.informer.client.CredentialsException;
import dev.informer.client.connection.Credentials.Credential;
import dev.informer.support.UntrustedText;
import okhttp3.ConnectionPool;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Authentication provider {@code oidc} of a kubeconfig. The ID token of the file is used
 * until it expires, then it is renewed with the refresh token. A new refresh token is
 * kept in memory; the kubeconfig is not changed.
 *
 * @see <a href=
 * "https://github.com/kubernetes/client-go/blob/master/plugin/pkg/client/auth/oidc/oidc.go">oidc.go</a>
 */
final class OidcProvider implements RenewableCredentials.Provider {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int MAX_BODY = 1 << 20;

	private static final Set<String> KEYS = Set.of("id-token", "refresh-token", "idp-issuer-url", "client-id",
			"client-secret", "idp-certificate-authority", "idp-certificate-authority-data", "extra-scopes",
			"auth-request-extra-params");

	private final KubeconfigSection config;

	private final String user;

	private @Nullable String idToken;

	private @Nullable String refreshToken;

	OidcProvider(KubeconfigSection config, String user) {
		config.rejectUnknownKeys(KEYS);
		this.config = config;
		this.user = user;
		this.idToken = config.text("id-token");
		this.refreshToken = config.text("refresh-token");
		if (this.refreshToken == null) {
			if (this.idToken == null || isExpired(this.idToken)) {
				throw config.invalid("refresh-token", "is missing, and there is no valid id-token",
						"Log in again, or use exec with the credential plugin kubelogin.");
			}
			return;
		}
		config.requiredText("client-id");
		String problem = Server.urlProblem(config.requiredText("idp-issuer-url"));
		if (problem != null) {
			throw config.invalid("idp-issuer-url", problem, "Specify the URL of the OIDC provider.");
		}
	}

	private static boolean isExpired(String token) {
		Instant expiry = expiry(token);
		return expiry == null || !Instant.now().isBefore(expiry);
	}

	@Override
	public synchronized Credential obtain() throws IOException {
		String known = this.idToken;
		if (known == null || isExpired(known)) {
			known = refresh();
		}
		// Only the first one: a token that is requested again was rejected.
		this.idToken = null;
		return new Credential("Bearer " + known, null, expiry(known));
	}

	private String refresh() throws IOException {
		String refreshToken = this.refreshToken;
		if (refreshToken == null) {
			throw failure("the id-token expired or was rejected, and there is no refresh-token");
		}
		OkHttpClient client = client();
		String issuer = this.config.requiredText("idp-issuer-url").replaceAll("/+$", "");
		JsonObject discovery = send(client,
				new Request.Builder().url(issuer + "/.well-known/openid-configuration").build());
		String endpoint = ExecPlugin.text(discovery, "token_endpoint");
		if (endpoint == null || Server.urlProblem(endpoint) != null) {
			throw failure("its discovery document has no valid token_endpoint");
		}
		if (!isSecure(HttpUrl.get(issuer), HttpUrl.get(endpoint))) {
			throw failure("its discovery document names the token_endpoint " + UntrustedText.of(endpoint)
					+ ", which would receive the refresh token without encryption");
		}
		JsonObject tokens = send(client, new Request.Builder().url(endpoint).post(form(refreshToken)).build());
		String renewed = ExecPlugin.text(tokens, "refresh_token");
		if (renewed != null) {
			this.refreshToken = renewed;
		}
		String token = ExecPlugin.text(tokens, "id_token");
		if (token == null) {
			throw failure("its answer to the refresh token has no id_token");
		}
		return token;
	}

	/**
	 * Return whether the endpoint of an issuer has TLS. One without is accepted from an
	 * issuer without, at the same host.
	 */
	private static boolean isSecure(HttpUrl issuer, HttpUrl endpoint) {
		return endpoint.isHttps() || (!issuer.isHttps() && issuer.host().equals(endpoint.host()));
	}

	private FormBody form(String refreshToken) {
		FormBody.Builder form = new FormBody.Builder().add("grant_type", "refresh_token")
			.add("refresh_token", refreshToken)
			.add("client_id", this.config.requiredText("client-id"));
		String secret = this.config.text("client-secret");
		if (secret != null) {
			form.add("client_secret", secret);
		}
		return form.build();
	}

	private JsonObject send(OkHttpClient client, Request request) throws IOException {
		try (Response response = client.newCall(request).execute()) {
			if (!response.isSuccessful()) {
				throw failure(
						"it answered " + response.code() + " at " + UntrustedText.of(request.url().encodedPath(), 100));
			}
			byte[] body = response.body().byteStream().readNBytes(MAX_BODY);
			return JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject();
		}
		catch (JsonParseException | IllegalStateException ex) {
			throw failure(
					"its answer at " + UntrustedText.of(request.url().encodedPath(), 100) + " is not a JSON object");
		}
		catch (CredentialsException ex) {
			throw ex;
		}
		catch (IOException ex) {
			throw failure("it is unreachable (" + ex.getClass().getSimpleName() + ": "
					+ UntrustedText.of(ex.getMessage()) + ")");
		}
	}

	private OkHttpClient client() throws IOException {
		OkHttpClient.Builder builder = new OkHttpClient.Builder().callTimeout(TIMEOUT)
			.followRedirects(false)
			.followSslRedirects(false)
			.connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS));
		try {
			String ca = KubeconfigContext.pem(this.config, "idp-certificate-authority").get();
			if (ca != null) {
				TlsMaterial tls = new TlsMaterial(ca, null, null);
				X509TrustManager trustManager = tls.trustManager();
				builder.sslSocketFactory(tls.context(trustManager).getSocketFactory(), trustManager);
			}
		}
		catch (GeneralSecurityException | RuntimeException ex) {
			throw failure("its idp-certificate-authority is invalid");
		}
		return builder.build();
	}

	/**
	 * Return the expiry of a token. Its signature is of no interest here: the API server
	 * checks it.
	 */
	private static @Nullable Instant expiry(String token) {
		String[] parts = token.split("\\.");
		try {
			JsonElement claims = JsonParser
				.parseString(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
			return Instant.ofEpochSecond(claims.getAsJsonObject().get("exp").getAsLong());
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private CredentialsException failure(String problem) {
		return new CredentialsException("Cannot renew the token of " + this + ": " + problem
				+ ". Log in again, or use exec with the credential plugin kubelogin.");
	}

	@Override
	public String toString() {
		return "OIDC provider of user '" + this.user + "'";
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.informer.client.TimeSource;
import dev.informer.client.connection.Credentials.Credential;
import dev.informer.client.connection.TlsMaterial.ClientCertificate;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Context of a kubeconfig, with the cluster and the user that it names. All keys that
 * change the identity or the destination of requests are honoured as kubectl does, or
 * rejected.
 *
 * @param user the user; without keys if the context names none
 * @param userName the name of the user; empty if the context names none
 */
record KubeconfigContext(String name, KubeconfigSection cluster, KubeconfigSection user, String userName,
		@Nullable String namespace) implements ServerDetails {

	private static final Set<String> CLUSTER = Set.of("server", "tls-server-name", "insecure-skip-tls-verify",
			"certificate-authority", "certificate-authority-data", "proxy-url", "disable-compression", "extensions",
			"api-version");

	private static final Set<String> USER = Set.of("client-certificate", "client-certificate-data", "client-key",
			"client-key-data", "token", "tokenFile", "username", "password", "as", "as-uid", "as-groups",
			"as-user-extra", "auth-provider", "exec", "extensions");

	private static final Set<String> SELF_CONTAINED = Set.of("server", "certificate-authority-data",
			"insecure-skip-tls-verify", "client-certificate-data", "client-key-data", "token", "extensions",
			"disable-compression");

	private static final List<String> PASSED = List.of("server", "tls-server-name", "insecure-skip-tls-verify",
			"proxy-url", "disable-compression");

	private static final String EXEC_EXTENSION = "client.authentication.k8s.io/exec";

	private static final Logger logger = LoggerFactory.getLogger(KubeconfigContext.class);

	KubeconfigContext {
		cluster.rejectUnknownKeys(CLUSTER);
		user.rejectUnknownKeys(USER);
	}

	Server server(UnaryOperator<@Nullable String> environment) {
		boolean insecure = this.cluster.isTrue("insecure-skip-tls-verify");
		if (insecure && (this.cluster.has("certificate-authority") || this.cluster.has("certificate-authority-data"))) {
			throw this.cluster.invalid("insecure-skip-tls-verify", "cannot be combined with a certificate authority",
					"Remove one of them.");
		}
		Supplier<TlsMaterial> tls = tls();
		boolean hasTls = insecure || !tls.get().equals(TlsMaterial.NONE);
		return new Server(url(hasTls), !insecure, this.cluster.text("tls-server-name"), tls, credentials(environment),
				impersonation(), proxy());
	}

	private String url(boolean hasTls) {
		String server = this.cluster.requiredText("server");
		String url = server.contains("://") ? server : (hasTls ? "https://" : "http://") + server;
		String problem = Server.urlProblem(url);
		if (problem != null) {
			throw this.cluster.invalid("server", problem, Server.URL_REMEDY);
		}
		return url;
	}

	private @Nullable ProxyServer proxy() {
		return ProxyServer.at(this.cluster.text("proxy-url"),
				(problem) -> this.cluster.invalid("proxy-url", problem, ProxyServer.REMEDY));
	}

	private Supplier<TlsMaterial> tls() {
		Supplier<@Nullable String> ca = pem(this.cluster, "certificate-authority");
		Supplier<@Nullable String> certificate = pem(this.user, "client-certificate");
		Supplier<@Nullable String> key = pem(this.user, "client-key");
		return () -> {
			String chain = certificate.get();
			String secret = key.get();
			if ((chain == null) != (secret == null)) {
				throw this.user.invalid((chain != null) ? "client-certificate" : "client-key",
						"requires " + ((chain != null) ? "client-key" : "client-certificate"), "Specify both or none.");
			}
			return new TlsMaterial(ca.get(), ClientCertificate.of(chain, secret), null);
		};
	}

	/**
	 * Return the source of a PEM text: embedded data, or a file that is read each time.
	 */
	static Supplier<@Nullable String> pem(KubeconfigSection section, String key) {
		String data = section.decodedText(key + "-data");
		if (data != null) {
			return () -> data;
		}
		Path file = section.resolvePath(key);
		return () -> {
			try {
				return (file != null) ? Files.readString(file) : null;
			}
			catch (IOException ex) {
				throw section.invalid(key, "names the file " + file + ", which cannot be read",
						"Restore the file, or correct its path.");
			}
		};
	}

	private Credentials credentials(UnaryOperator<@Nullable String> environment) {
		List<String> methods = Stream
			.of("exec", "auth-provider", this.user.has("token") ? "token" : "tokenFile",
					this.user.has("username") ? "username" : "password")
			.filter(this.user::has)
			.toList();
		if (methods.size() > 1) {
			throw this.user.invalid(methods.get(1), "cannot be combined with " + methods.get(0), "Remove one of them.");
		}
		return switch (methods.isEmpty() ? "none" : methods.get(0)) {
			case "exec" -> new RenewableCredentials(new ExecPlugin(this.user.section("exec"), this.userName,
					clusterInfo(), environment, ExecPlugin.DEADLINE), TimeSource.SYSTEM);
			case "auth-provider" -> authProvider(this.user.section("auth-provider"));
			case "token", "tokenFile" -> token();
			case "none" -> anonymous();
			default -> Credentials
				.of(Credential.ofPassword(this.user.requiredText("username"), this.user.requiredText("password")));
		};
	}

	private Credentials anonymous() {
		if (!this.user.has("client-certificate") && !this.user.has("client-certificate-data")) {
			logger.atWarn()
				.addKeyValue("context", this.name)
				.log("Context '{}' of the kubeconfig has no credentials; sending anonymous requests", this.name);
		}
		return Credentials.of(Credential.ANONYMOUS);
	}

	private Credentials token() {
		Path file = this.user.resolvePath("tokenFile");
		String token = this.user.text("token");
		return (file != null) ? new TokenFile(file, token)
				: Credentials.of(Credential.ofToken(Objects.requireNonNull(token)));
	}

	private Credentials authProvider(KubeconfigSection provider) {
		provider.rejectUnknownKeys(Set.of("name", "config"));
		String name = provider.requiredText("name");
		if (name.equals("oidc")) {
			return new RenewableCredentials(new OidcProvider(provider.section("config"), this.userName),
					TimeSource.SYSTEM);
		}
		String plugin = switch (name) {
			case "gcp" -> "gke-gcloud-auth-plugin";
			case "azure" -> "kubelogin";
			default -> "of the provider";
		};
		throw provider.invalid("name", "'" + name + "' is an unsupported provider",
				"Use exec with the credential plugin " + plugin + ".");
	}

	/**
	 * Return the cluster as a plugin gets it in {@code KUBERNETES_EXEC_INFO}.
	 */
	private Map<String, @Nullable Object> clusterInfo() {
		Map<String, @Nullable Object> info = new LinkedHashMap<>();
		for (String key : PASSED) {
			info.put(key, this.cluster.value(key));
		}
		String ca = pem(this.cluster, "certificate-authority").get();
		if (ca != null) {
			info.put("certificate-authority-data",
					Base64.getEncoder().encodeToString(ca.getBytes(StandardCharsets.UTF_8)));
		}
		for (KubeconfigSection extension : this.cluster.sections("extensions")) {
			if (EXEC_EXTENSION.equals(extension.text("name"))) {
				info.put("config", extension.value("extension"));
			}
		}
		info.values().removeIf(Objects::isNull);
		return info;
	}

	private Headers impersonation() {
		String user = this.user.text("as");
		if (user == null) {
			Stream.of("as-uid", "as-groups", "as-user-extra").filter(this.user::has).findFirst().ifPresent((key) -> {
				throw this.user.invalid(key, "requires as, the user to impersonate", "Add as, or remove the key.");
			});
			return Server.NO_IMPERSONATION;
		}
		Headers.Builder headers = new Headers.Builder().addUnsafeNonAscii("Impersonate-User", user);
		String uid = this.user.text("as-uid");
		if (uid != null) {
			headers.addUnsafeNonAscii("Impersonate-Uid", uid);
		}
		this.user.texts("as-groups").forEach((group) -> headers.addUnsafeNonAscii("Impersonate-Group", group));
		KubeconfigSection extra = this.user.section("as-user-extra");
		for (String key : extra.keys()) {
			// the server decodes it, because the name of a header cannot have every
			// character
			String name = "Impersonate-Extra-" + URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
			extra.texts(key).forEach((value) -> headers.addUnsafeNonAscii(name, value));
		}
		return headers.build();
	}

	/**
	 * Return the details of a context that refers to nothing else.
	 */
	ServerDetails selfContainedDetails() {
		this.cluster.rejectUnknownKeys(SELF_CONTAINED);
		this.user.rejectUnknownKeys(SELF_CONTAINED);
		this.cluster.requiredText("server");
		return this;
	}

	@Override
	public String getUrl() {
		return this.cluster.requiredText("server");
	}

	@Override
	public @Nullable String getCaCertificate() {
		return this.cluster.decodedText("certificate-authority-data");
	}

	@Override
	public @Nullable String getClientCertificate() {
		return this.user.decodedText("client-certificate-data");
	}

	@Override
	public @Nullable String getClientKey() {
		return this.user.decodedText("client-key-data");
	}

	@Override
	public @Nullable String getToken() {
		return this.user.text("token");
	}

	@Override
	public @Nullable String getNamespace() {
		return this.namespace;
	}

	@Override
	public boolean isVerifyTls() {
		return !this.cluster.isTrue("insecure-skip-tls-verify");
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import dev.informer.TimeSource;
import dev.informer.spring.kubeconfig.KubeconfigContext;
import dev.informer.spring.kubeconfig.KubeconfigSection;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of a context of a kubeconfig. All keys that change the identity or the
 * destination of requests are honoured as kubectl does, or rejected.
 */
final class KubeconfigConnection {

	private static final Logger logger = LoggerFactory.getLogger(KubeconfigConnection.class);

	private static final String EXEC_EXTENSION = "client.authentication.k8s.io/exec";

	private final KubeconfigContext context;

	private final KubeconfigSection cluster;

	private final KubeconfigSection user;

	private final UnaryOperator<@Nullable String> environment;

	KubeconfigConnection(KubeconfigContext context, UnaryOperator<@Nullable String> environment) {
		this.context = context;
		this.cluster = context.cluster();
		this.user = context.user();
		this.environment = environment;
	}

	ConnectionSettings settings() {
		boolean insecure = this.cluster.isTrue("insecure-skip-tls-verify");
		Supplier<TlsMaterial> tls = tls();
		boolean hasTls = insecure || !tls.get().equals(TlsMaterial.NONE);
		return new ConnectionSettings(url(hasTls), !insecure, this.cluster.text("tls-server-name"), tls, credentials(),
				impersonation(), proxy());
	}

	private String url(boolean hasTls) {
		String server = this.cluster.requiredText("server");
		String url = server.contains("://") ? server : (hasTls ? "https://" : "http://") + server;
		String problem = ServerUrl.problem(url);
		if (problem != null) {
			throw this.cluster.invalid("server", problem, ServerUrl.REMEDY);
		}
		return url;
	}

	private @Nullable ProxyServer proxy() {
		String proxy = this.cluster.text("proxy-url");
		try {
			return (proxy != null) ? ProxyServer.at(proxy) : null;
		}
		catch (IllegalArgumentException ex) {
			throw this.cluster.invalid("proxy-url", String.valueOf(ex.getMessage()), ProxyServer.REMEDY);
		}
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
			return new TlsMaterial(ca.get(),
					(chain != null && secret != null) ? new ClientCertificate(chain, secret) : null, null);
		};
	}

	/**
	 * Return the source of a PEM text: embedded data, or a file that is read each time.
	 */
	private static Supplier<@Nullable String> pem(KubeconfigSection section, String key) {
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

	private Credentials credentials() {
		List<String> methods = new ArrayList<>();
		for (String method : List.of("exec", "auth-provider", this.user.has("token") ? "token" : "tokenFile",
				this.user.has("username") ? "username" : "password")) {
			if (this.user.has(method)) {
				methods.add(method);
			}
		}
		if (methods.size() > 1) {
			throw this.user.invalid(methods.get(1), "cannot be combined with " + methods.get(0), "Remove one of them.");
		}
		if (methods.isEmpty()) {
			return anonymous();
		}
		return switch (methods.get(0)) {
			case "exec" -> new RenewableCredentials(new ExecPlugin(this.user.section("exec"), this.context.userName(),
					clusterInfo(), this.environment, ExecPlugin.DEADLINE), TimeSource.SYSTEM);
			case "auth-provider" -> authProvider(this.user.section("auth-provider"));
			case "token", "tokenFile" -> token();
			default -> Credentials
				.of(Credential.ofPassword(this.user.requiredText("username"), this.user.requiredText("password")));
		};
	}

	private Credentials anonymous() {
		if (!this.user.has("client-certificate") && !this.user.has("client-certificate-data")) {
			logger.atWarn()
				.addKeyValue("context", this.context.name())
				.log("Context '{}' of the kubeconfig has no credentials; sending anonymous requests",
						this.context.name());
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
			return new RenewableCredentials(new OidcProvider(provider.section("config"), this.context.userName()),
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
	private Map<String, Object> clusterInfo() {
		Map<String, Object> info = new LinkedHashMap<>();
		info.put("server", this.cluster.requiredText("server"));
		putText(info, "tls-server-name");
		putTrue(info, "insecure-skip-tls-verify");
		String ca = pem(this.cluster, "certificate-authority").get();
		if (ca != null) {
			info.put("certificate-authority-data",
					Base64.getEncoder().encodeToString(ca.getBytes(StandardCharsets.UTF_8)));
		}
		putText(info, "proxy-url");
		putTrue(info, "disable-compression");
		for (KubeconfigSection extension : this.cluster.sections("extensions")) {
			Object config = extension.value("extension");
			if (EXEC_EXTENSION.equals(extension.text("name")) && config != null) {
				info.put("config", config);
			}
		}
		return info;
	}

	private void putText(Map<String, Object> info, String key) {
		String text = this.cluster.text(key);
		if (text != null) {
			info.put(key, text);
		}
	}

	private void putTrue(Map<String, Object> info, String key) {
		if (this.cluster.isTrue(key)) {
			info.put(key, true);
		}
	}

	private Headers impersonation() {
		String user = this.user.text("as");
		KubeconfigSection extra = this.user.section("as-user-extra");
		for (String key : List.of("as-uid", "as-groups", "as-user-extra")) {
			if (user == null && this.user.has(key)) {
				throw this.user.invalid(key, "requires as, the user to impersonate", "Add as, or remove the key.");
			}
		}
		if (user == null) {
			return ConnectionSettings.NO_IMPERSONATION;
		}
		Headers.Builder headers = new Headers.Builder().addUnsafeNonAscii("Impersonate-User", user);
		String uid = this.user.text("as-uid");
		if (uid != null) {
			headers.addUnsafeNonAscii("Impersonate-Uid", uid);
		}
		this.user.texts("as-groups").forEach((group) -> headers.addUnsafeNonAscii("Impersonate-Group", group));
		extra.keys()
			.stream()
			.sorted()
			.forEach((key) -> extra.texts(key)
				.forEach((value) -> headers.addUnsafeNonAscii("Impersonate-Extra-" + escape(key), value)));
		return headers.build();
	}

	/**
	 * Encode a key as client-go does: characters that a header name cannot have, and the
	 * percent sign.
	 */
	private static String escape(String key) {
		StringBuilder escaped = new StringBuilder();
		for (byte value : key.getBytes(StandardCharsets.UTF_8)) {
			char character = (char) (value & 0xFF);
			boolean legal = character < 0x80
					&& (Character.isLetterOrDigit(character) || "!#$&'*+-.^_`|~".indexOf(character) >= 0);
			escaped.append(legal ? String.valueOf(character) : "%%%02X".formatted(value & 0xFF));
		}
		return escaped.toString();
	}

}

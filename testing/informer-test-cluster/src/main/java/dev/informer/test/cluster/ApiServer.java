/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * kube-apiserver process of a control plane, restartable with the same port and
 * certificate. Not thread-safe.
 */
final class ApiServer {

	static final String BINARY = "kube-apiserver";

	private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

	private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);

	private final Path binary;

	private final ControlPlaneFolder folder;

	private final List<String> arguments;

	private final URI url;

	private final String token;

	private volatile @Nullable ServerProcess process;

	ApiServer(Assets assets, ControlPlaneFolder folder, int etcdPort, int port, Map<String, String> flags,
			String token) {
		this.binary = assets.binary(BINARY);
		this.folder = folder;
		this.url = URI.create("https://127.0.0.1:" + port);
		this.token = token;
		this.arguments = arguments(folder, etcdPort, port, flags);
	}

	private static List<String> arguments(ControlPlaneFolder folder, int etcdPort, int port,
			Map<String, String> flags) {
		Map<String, String> all = new LinkedHashMap<>();
		all.put("etcd-servers", "http://127.0.0.1:" + etcdPort);
		all.put("cert-dir", folder.certificates().toString());
		all.put("bind-address", "127.0.0.1");
		all.put("advertise-address", "127.0.0.1");
		all.put("secure-port", Integer.toString(port));
		all.put("endpoint-reconciler-type", "none");
		all.put("service-account-issuer", "https://kubernetes.default.svc");
		all.put("service-account-key-file", folder.serviceAccountPublicKey().toString());
		all.put("service-account-signing-key-file", folder.serviceAccountPrivateKey().toString());
		all.put("service-cluster-ip-range", "10.43.0.0/16");
		all.put("token-auth-file", folder.tokens().toString());
		all.put("authorization-mode", "Node,RBAC");
		all.put("disable-admission-plugins", "ServiceAccount");
		all.put("allow-privileged", "true");
		all.putAll(flags);
		return all.entrySet().stream().map((flag) -> "--" + flag.getKey() + "=" + flag.getValue()).toList();
	}

	URI url() {
		return this.url;
	}

	/**
	 * Start the server and wait until it is ready.
	 * @param alongside a process whose end ends the wait, too
	 */
	void start(ServerProcess alongside) {
		ServerProcess previous = this.process;
		if (previous != null && previous.isAlive()) {
			throw new IllegalStateException("Cannot start kube-apiserver: already running");
		}
		ServerProcess started = ServerProcess.start(this.binary, this.arguments, this.folder.root());
		this.process = started;
		Deadline.in(START_TIMEOUT).await(() -> {
			alongside.requireAlive();
			started.requireAlive();
			return isReady();
		}, () -> "kube-apiserver ready. " + started.tail());
	}

	private boolean isReady() {
		if (!this.folder.hasServerCertificate()) {
			return false;
		}
		try {
			return connection().get("/readyz", PROBE_TIMEOUT).status() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	String version() {
		try {
			String answer = connection().get("/version").expectSuccess();
			return JsonMapper.shared().readTree(answer).path("gitVersion").asString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the version of kube-apiserver", ex);
		}
	}

	ApiConnection connection() {
		return new ApiConnection(this.url, this.folder.certificateAuthority(), this.token);
	}

	void suspend() {
		running().suspend();
	}

	void resume() {
		running().resume();
	}

	/**
	 * Return the last lines of output.
	 */
	String tail() {
		return running().tail();
	}

	private ServerProcess running() {
		return Objects.requireNonNull(this.process, "kube-apiserver has not been started");
	}

	void kill() {
		ServerProcess current = this.process;
		if (current != null) {
			current.kill();
		}
	}

}

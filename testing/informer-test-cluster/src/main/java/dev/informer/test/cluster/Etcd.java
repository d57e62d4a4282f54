/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;

/**
 * etcd process of a control plane.
 */
final class Etcd {

	static final String BINARY = "etcd";

	/** The name of the folder with its data. */
	static final String DATA = "etcd";

	/** The name of the folder with an earlier state of its data. */
	static final String BACKUP = "etcd-backup";

	private static final int TIMEOUT = (int) Duration.ofSeconds(30).toMillis();

	private Etcd() {
	}

	static ServerProcess start(Assets assets, Path folder, int clientPort) {
		String client = "http://127.0.0.1:" + clientPort;
		String peer = "http://127.0.0.1:" + LoopbackPorts.free();
		return ServerProcess.start(assets.binary(BINARY),
				List.of("--name=test", "--data-dir=" + folder.resolve(DATA), "--listen-client-urls=" + client,
						"--advertise-client-urls=" + client, "--listen-peer-urls=" + peer,
						"--initial-advertise-peer-urls=" + peer, "--initial-cluster=test=" + peer, "--unsafe-no-fsync"),
				folder);
	}

	/**
	 * Compact all revisions except the latest, through etcd's JSON gateway.
	 */
	static void compact(int clientPort) {
		String status = post(clientPort, "/v3/maintenance/status", "{}");
		String revision = JsonMapper.shared().readTree(status).path("header").path("revision").asString();
		post(clientPort, "/v3/kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
	}

	private static String post(int port, String path, String json) {
		try {
			HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + path)
				.toURL()
				.openConnection();
			try {
				connection.setConnectTimeout(TIMEOUT);
				connection.setReadTimeout(TIMEOUT);
				connection.setRequestProperty("Connection", "close");
				connection.setDoOutput(true);
				connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
				try (InputStream body = connection.getInputStream()) {
					return new String(body.readAllBytes(), StandardCharsets.UTF_8);
				}
			}
			finally {
				connection.disconnect();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot request " + path + " from etcd", ex);
		}
	}

}

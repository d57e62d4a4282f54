/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Client that reads the list and the watch through the JDK's HTTP connection and
 * tokenizes them with Jackson. It only counts the events.
 */
final class TokenizerFloor implements BenchmarkClient {

	private static final JsonFactory FACTORY = new JsonFactory();

	private final ClientSettings settings;

	private final Tally tally;

	private volatile boolean synced;

	private volatile @Nullable Thread watch;

	TokenizerFloor(ClientSettings settings, Tally tally) {
		this.settings = settings;
		this.tally = tally;
	}

	@Override
	public void warmUp() throws IOException {
		try (InputStream body = get("/version")) {
			body.readAllBytes();
		}
	}

	@Override
	public void start() throws IOException {
		list("resourceVersion=0");
		for (int object = 0; object < this.settings.objects(); object++) {
			this.tally.event();
		}
		this.synced = true;
		if (this.settings.updates() == 0) {
			return;
		}
		Thread watch = new Thread(this::watch, "floor-watch");
		watch.setDaemon(true);
		watch.start();
		this.watch = watch;
	}

	/**
	 * Read a list.
	 * @param query the query of the request
	 */
	void list(String query) throws IOException {
		try (InputStream body = get("/api/v1/pods?" + query); JsonParser parser = parser(body)) {
			while (parser.nextToken() != null) {
				continue;
			}
		}
	}

	private void watch() {
		try (InputStream body = get("/api/v1/pods?watch=true"); JsonParser parser = parser(body)) {
			int depth = 0;
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				if (token.isStructStart()) {
					depth++;
				}
				else if (token.isStructEnd()) {
					depth--;
					if (depth == 0) {
						this.tally.event();
					}
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("Watch failed", ex);
		}
	}

	private static JsonParser parser(InputStream body) {
		return FACTORY.createParser(ObjectReadContext.empty(), body);
	}

	private InputStream get(String path) throws IOException {
		HttpURLConnection connection = PlainConnections.open(this.settings, path);
		if (this.settings.metadataOnly()) {
			connection.setRequestProperty("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
		}
		return connection.getInputStream();
	}

	@Override
	public boolean hasSynced() {
		return this.synced;
	}

	@Override
	public Map<String, String> resourceVersions() {
		return Map.of();
	}

	/**
	 * Make the server end the watch. Nothing else ends a read through this connection.
	 */
	@Override
	public void close() throws IOException {
		Thread watch = this.watch;
		if (watch != null) {
			new ServerControl(this.settings.server()).expire("/api/v1/pods");
		}
	}

}

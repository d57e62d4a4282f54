/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealServer;
import org.junit.jupiter.api.BeforeAll;

/**
 * {@link ServerContract} of a real kube-apiserver.
 */
abstract class RealContract extends ServerContract {

	private final boolean streamingLists;

	private final boolean watchCache;

	@SuppressWarnings("NullAway.Init")
	private ControlPlane controlPlane;

	@SuppressWarnings("NullAway.Init")
	private ContractServer server;

	RealContract(boolean streamingLists, boolean watchCache) {
		this.streamingLists = streamingLists;
		this.watchCache = watchCache;
	}

	@BeforeAll
	void use(RealServer real) {
		this.controlPlane = real.requireControlPlane();
		connect();
	}

	private void connect() {
		this.server = new ContractServer(client(this.controlPlane.adminToken()),
				client(this.controlPlane.token("tester")), client("unknown"), this.streamingLists, this.watchCache,
				this::compact);
	}

	/**
	 * Compact etcd, and restart the server to clear its watch cache.
	 */
	private void compact() {
		this.controlPlane.compactHistory();
		this.controlPlane.killApiServer();
		this.controlPlane.startApiServer();
		connect();
	}

	private TestClient client(String token) {
		HttpClient http = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.sslContext(trusting(this.controlPlane.caCertificate()))
			.build();
		return new TestClient(this.controlPlane.url().toString(), http, token);
	}

	private static SSLContext trusting(byte[] certificate) {
		try {
			KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
			trusted.load(null, null);
			trusted.setCertificateEntry("ca",
					CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(trusted);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, factory.getTrustManagers(), null);
			return context;
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public ContractServer server() {
		return this.server;
	}

}

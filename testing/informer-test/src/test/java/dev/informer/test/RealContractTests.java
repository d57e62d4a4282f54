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
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Contract tests of the real kube-apiserver, which verify the contract itself.
 */
class RealContractTests {

	@Nested
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	class Default extends Real {

		Default() {
			super(true, true);
		}

	}

	@Nested
	@RealKubernetes(apiServerFlags = "feature-gates=WatchList=false")
	class WithoutStreamingLists extends Real {

		WithoutStreamingLists() {
			super(false, true);
		}

	}

	@Nested
	@RealKubernetes(apiServerFlags = "watch-cache=false")
	class WithoutWatchCache extends Real {

		WithoutWatchCache() {
			super(true, false);
		}

	}

	abstract static class Real extends ServerContract {

		private final boolean streamingLists;

		private final boolean watchCache;

		@SuppressWarnings("NullAway.Init")
		private ControlPlane controlPlane;

		@SuppressWarnings("NullAway.Init")
		private ContractServer server;

		Real(boolean streamingLists, boolean watchCache) {
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
				trusted.setCertificateEntry("ca", CertificateFactory.getInstance("X.509")
					.generateCertificate(new ByteArrayInputStream(certificate)));
				TrustManagerFactory factory = TrustManagerFactory
					.getInstance(TrustManagerFactory.getDefaultAlgorithm());
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

}

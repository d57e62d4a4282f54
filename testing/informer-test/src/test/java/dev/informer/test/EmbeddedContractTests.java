/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.net.http.HttpClient;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/**
 * Contract tests of the embedded server.
 */
class EmbeddedContractTests {

	@Nested
	class Default extends Embedded {

		Default() {
			super(true);
		}

	}

	@Nested
	class WithoutStreamingLists extends Embedded {

		WithoutStreamingLists() {
			super(false);
		}

	}

	abstract static class Embedded extends ServerContract {

		private final EmbeddedKubernetes kubernetes;

		private final ContractServer server;

		Embedded(boolean streamingLists) {
			this.kubernetes = EmbeddedKubernetes.start((options) -> options.streamingLists(streamingLists)
				.garbageCollection(false)
				.token("all")
				.user("tester", "nothing"));
			this.server = new ContractServer(client("all"), client("nothing"), client("unknown"), streamingLists, true,
					this.kubernetes::restart);
		}

		private TestClient client(String token) {
			HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
			return new TestClient(this.kubernetes.url(), http, token);
		}

		@Override
		public ContractServer server() {
			return this.server;
		}

		@AfterAll
		void close() {
			this.kubernetes.close();
		}

	}

}

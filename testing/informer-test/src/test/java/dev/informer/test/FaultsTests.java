/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;

import dev.informer.test.TestClient.WatchReader;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FaultsTests {

	private static final String WATCH = CONFIG_MAPS + "?watch=true";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final Faults faults = this.kubernetes.faults();

	private final TestClient client = new TestClient(this.kubernetes);

	@ParameterizedTest
	@CsvSource({ "401,Unauthorized", "403,Forbidden", "410,Expired", "429,TooManyRequests", "500,InternalError",
			"503,ServiceUnavailable" })
	void nextRequests_failWithTheFault(int code, String reason) {
		this.faults.next(2, Verb.LIST, "configmaps", Fault.status(code));
		assertThat(this.client.get("/api/v1/pods").code()).isEqualTo(200);
		assertThat(this.client.get(CONFIG_MAPS).code()).isEqualTo(code);
		assertThat(this.client.get(CONFIG_MAPS).reason()).isEqualTo(reason);
		assertThat(this.client.get(CONFIG_MAPS).code()).isEqualTo(200);
	}

	@Test
	void tooManyRequests_hasRetryAfter() {
		this.faults.next(1, Verb.LIST, "configmaps", Fault.tooManyRequests(Duration.ofSeconds(7)));
		TestClient.Answer answer = this.client.get(CONFIG_MAPS);
		assertThat(answer.code()).isEqualTo(429);
		assertThat(answer.retryAfter()).isEqualTo("7");
		assertThat(answer.json().path("details").path("retryAfterSeconds").asInt()).isEqualTo(7);
	}

	@Test
	void forbidden_hasTheRealServersMessage() {
		this.faults.always(Verb.LIST, "deployments.apps", Fault.status(403));
		assertThat(this.client.get("/apis/apps/v1/deployments").message()).isEqualTo(
				"deployments.apps is forbidden: User \"embedded\" cannot list resource \"deployments\" in API group "
						+ "\"apps\" at the cluster scope");
		assertThat(this.client.get("/apis/apps/v1/namespaces/shop/deployments").message())
			.endsWith("in API group \"apps\" in the namespace \"shop\"");
		this.faults.clear();
		assertThat(this.client.get("/apis/apps/v1/deployments").code()).isEqualTo(200);
	}

	@Test
	void errorEvent_endsTheWatch() throws IOException {
		this.faults.next(1, Verb.WATCH, "configmaps", Fault.errorEvent(410));
		try (WatchReader watch = this.client.watch(WATCH)) {
			assertThat(watch.json().path("object").path("reason").asString()).isEqualTo("Expired");
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	void refusedConnections_areAcceptedAgainOnTheSamePort() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.faults.refuseConnections();
			assertThat(watch.line()).isEqualTo(WatchReader.BROKEN);
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(CONFIG_MAPS))
				.withCauseInstanceOf(ConnectException.class);
			this.faults.acceptConnections();
			assertThat(this.client.get(CONFIG_MAPS).code()).isEqualTo(200);
		}
	}

	@Test
	void cutConnection_isResetWithoutAResponse_andOthersAreNot() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.faults.always(Verb.LIST, "configmaps", Fault.cutConnection());
			this.faults.always(Verb.WATCH, "configmaps", Fault.cutConnection());
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(CONFIG_MAPS));
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.watch(WATCH).close());
			assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).isNotEmpty();
			this.kubernetes.create(configMap("a", "1"));
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			assertThat(this.kubernetes.openWatches()).isEqualTo(1);
		}
		this.faults.clear();
		assertThat(this.client.get(CONFIG_MAPS).code()).isEqualTo(200);
	}

	@Test
	void cutWatches_break() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.faults.cutWatches();
			assertThat(watch.line()).isEqualTo(WatchReader.BROKEN);
			await().until(() -> this.kubernetes.openWatches() == 0);
		}
	}

	@Test
	void endedWatches_endAfterPendingEvents() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.kubernetes.create(configMap("a", "1"));
			this.faults.endWatches();
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	void rawText_isSentBetweenTwoEvents() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.kubernetes.create(configMap("a", "1"));
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			this.faults.sendOnWatches("{\"type\":\"ADDED\",\"object\":{\n");
			assertThat(watch.line()).isEqualTo("{\"type\":\"ADDED\",\"object\":{");
			this.kubernetes.create(configMap("b", "1"));
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@Test
	void hangingRequest_endsWithTheServer() {
		this.faults.next(1, Verb.LIST, "configmaps", Fault.hang());
		Thread caller = new Thread(() -> assertThatExceptionOfType(UncheckedIOException.class)
			.isThrownBy(() -> this.client.get(CONFIG_MAPS)));
		caller.start();
		await().until(() -> !this.kubernetes.requests(Verb.LIST, "configmaps").isEmpty());
		this.kubernetes.close();
		await().until(() -> !caller.isAlive());
	}

	@Test
	void restart_discardsChangesAndKeepsObjects() throws IOException {
		this.kubernetes.create(configMap("a", "1"));
		long version = this.kubernetes.resourceVersion();
		this.kubernetes.create(configMap("b", "1"));
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + version)) {
			assertThat(watch.event()).isEqualTo("ADDED b 1");
			this.kubernetes.restart();
			assertThat(watch.line()).isEqualTo(WatchReader.BROKEN);
		}
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + version)) {
			assertThat(watch.event()).isEqualTo("ERROR");
		}
		assertThat(this.client.get(CONFIG_MAPS).json().path("items").size()).isEqualTo(2);
	}

}

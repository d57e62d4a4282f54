/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the operations of the endpoint on handlers: pause, resume and retry, and the
 * answers to invalid requests.
 */
@Timeout(120)
class HandlerOperationsTests extends AbstractHandlerEndpointTests {

	@Test
	void handler_isPausedAndResumed() throws Exception {
		start(App.class, UNRESTRICTED);
		assertThat(post("configmaps/handlers/all", Map.of("action", "pause")).statusCode()).isEqualTo(200);
		create("default", "one");
		awaitReasons("all", "one", "PAUSED");
		assertThat(get("configmaps/handlers/all").at("/diagnosis/causes/0/message").asString())
			.contains("paused by actuator");
		assertThat(get("configmaps/handlers/all").at("/handler/paused").asBoolean()).isTrue();
		assertThat(post("configmaps/handlers/all", Map.of("action", "resume")).statusCode()).isEqualTo(200);
		awaitReasons("all", "one", "UP_TO_DATE");
		assertThat(get("configmaps/handlers/all").at("/diagnosis/causes").isEmpty()).isTrue();
	}

	@Test
	void events_areRetriedOnRequest() throws Exception {
		start(App.class, UNRESTRICTED);
		for (String name : List.of("one", "two", "three")) {
			create("default", name);
			awaitReasons("waiting", name, "WAITING_FOR_RETRY");
			awaitReasons("exhausted", name, "RETRIES_EXHAUSTED");
		}
		JsonNode exhausted = get("configmaps/handlers/exhausted").get("diagnosis");
		assertThat(exhausted.get("retriesExhausted").asInt()).isEqualTo(3);
		assertThat(exhausted.get("exhaustedObjects").valueStream().map(JsonNode::asString))
			.containsExactly("default/one", "default/two", "default/three");
		assertThat(get("configmaps/handlers/waiting").at("/diagnosis/waitingForRetry").asInt()).isEqualTo(3);
		context().getBean(Handlers.class).failing = false;
		Map<String, String> retryOne = Map.of("action", "retry", "namespace", "default", "name", "one");
		for (String handler : List.of("waiting", "exhausted")) {
			assertThat(retried("configmaps/handlers/" + handler, retryOne)).isEqualTo(1);
			awaitReasons(handler, "one", "UP_TO_DATE");
			assertThat(delivery(handler, "one").at("/lastDelivery/event").asString()).isEqualTo("ADDED");
			assertThat(retried("configmaps/handlers/" + handler, retryOne)).isZero();
			assertThat(retried("configmaps/handlers/" + handler, Map.of("action", "retry"))).isEqualTo(2);
			awaitReasons(handler, "two", "UP_TO_DATE");
			awaitReasons(handler, "three", "UP_TO_DATE");
		}
	}

	@Test
	void endpoint_isReadOnlyByDefault() throws Exception {
		start(App.class);
		assertThat(get("configmaps/handlers/all").at("/handler/name").asString()).isEqualTo("all");
		assertThat(post("configmaps/handlers/all", Map.of("action", "pause")).statusCode()).isEqualTo(405);
		assertThat(post("configmaps", Map.of("action", "relist")).statusCode()).isEqualTo(405);
	}

	@Test
	void invalidRequests_areAnsweredWithTheValidValues() throws Exception {
		start(App.class, UNRESTRICTED);
		assertThat(error(404, "pods/handlers/all")).contains("Unknown informer 'pods'", "configmaps", "webmaps");
		assertThat(error(404, "configmaps/handlers/nowhere")).contains("Unknown handler 'nowhere'",
				"A method is a handler only if its class is a bean", "filtered");
		assertThat(error(404, "configmaps/listeners/all")).contains("handlers");
		assertThat(error(400, "configmaps/handlers/all?name=one")).contains("Missing parameter 'namespace'");
		assertThat(error(400, "configmaps/handlers/all?namespace=default")).contains("Missing parameter 'name'");
		HttpResponse<String> unknown = post("configmaps/handlers/all", Map.of("action", "stop"));
		assertThat(unknown.statusCode()).isEqualTo(400);
		assertThat(unknown.body()).contains("Unknown action 'stop'", "pause", "resume", "retry");
		assertThat(post("configmaps/handlers/all", Map.of("action", "pause", "namespace", "default", "name", "one"))
			.statusCode()).isEqualTo(400);
	}

}

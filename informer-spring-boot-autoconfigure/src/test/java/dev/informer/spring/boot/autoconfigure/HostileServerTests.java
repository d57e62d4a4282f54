/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.ProtobufEncoder;
import dev.informer.test.support.HostileServer;
import dev.informer.test.support.HostileServer.Request;
import dev.informer.test.support.HostileServer.Responder;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Application whose API server sends back credentials, forged lines and endless texts
 * wherever it can. Logs, health and endpoints have no credential, no control character
 * and no line of more than 2,000 characters.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileServerTests {

	private static final String TOKEN = "q8Zr-Opaque.7Hw2pL5xT0k3n";

	/** Text that forges a line, and text without an end. */
	private static final String FORGED = "a\r\n2026-01-01 ERROR forged\u001b[31m\u009b\u202e\u2028\u0000 " + TOKEN
			+ "\nAuthorization: Bearer " + TOKEN + "\n" + "x".repeat(300_000);

	private static final String NAME = json(FORGED.substring(0, 3_000));

	private static final int MAX_LINE = 2_000;

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	/** More seconds than a server may ask to wait. */
	private static final String FOREVER = "999999999";

	private static final String PAUSE = "HTTP/1.1 503 X\r\nRetry-After: 60\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

	private static final Responder UNAVAILABLE = (request) -> HostileServer.response(503, "text/plain", "");

	private final Lines lines = new Lines();

	/** Port of a server to which no request may go. */
	private static final AtomicInteger OTHER_PORT = new AtomicInteger();

	private final HttpClient client = HttpClient.newHttpClient();

	private final AtomicInteger cases = new AtomicInteger();

	private HostileServer server;

	private HostileServer other;

	private ConfigurableApplicationContext context;

	@BeforeAll
	void start() throws IOException {
		this.other = new HostileServer((request) -> list(request, ""));
		OTHER_PORT.set(this.other.port());
		this.server = new HostileServer(UNAVAILABLE);
		this.context = new SpringApplicationBuilder(App.class)
			.properties("server.port=0", "spring.main.banner-mode=off", "management.endpoints.web.exposure.include=*",
					"management.endpoint.health.show-details=always", "informer.startup.timeout=100ms",
					"informer.startup.on-timeout=warn", "informer.connection.url=" + this.server.url(),
					"informer.connection.token=" + TOKEN, "informer.defaults.backoff.delay=10ms",
					"informer.defaults.backoff.max-delay=20ms", "spring.application.name=shop",
					"informer.connection.namespace=shop", "informer.leader.enabled=true",
					"informer.leader.retry-period=200ms", "informer.sharding.enabled=true",
					"informer.sharding.retry-period=200ms", "informer.health.failing-threshold=1ms",
					"informer.startup.deliver-after-sync=false",
					"informer.resources.configmaps.handler.retry.max-retries=1",
					"informer.resources.configmaps.handler.retry.delay=10ms",
					"informer.resources.gadgets.resource=gadgets.example.com",
					"informer.resources.secrets.namespace-selector=team=shop")
			.run();
		this.lines.begin();
	}

	@AfterAll
	void stop() throws IOException {
		this.lines.stop();
		this.context.close();
		this.server.close();
		this.other.close();
	}

	@AfterEach
	void clear() {
		this.lines.all.clear();
	}

	@ParameterizedTest
	@MethodSource
	void answer_reachesNoLogNoHealthAndNoEndpoint(String description, Responder answer) throws Exception {
		this.server.respond(answer);
		relist();
		await().until(() -> this.server.requests().stream().filter((request) -> !request.isFor("leases")).count() > 8);
		verifyAll();
		verifyRecovery();
	}

	@ParameterizedTest
	@MethodSource
	void endlessPages_areNoListAndReportedAsFailure(String description, Responder pages) throws Exception {
		this.server.respond(pages);
		relist();
		await()
			.until(() -> this.server.requests().stream().filter((request) -> request.isFor("configmaps")).count() > 8);
		assertThat(configMaps().state().phase()).isIn(Phase.LISTING, Phase.BACKING_OFF);
		assertThat(configMaps().state().failingSince()).isNotNull();
		assertThat(get("/health")).contains("\"status\":\"DOWN\"");
		verifyAll();
		verifyRecovery();
	}

	static Stream<Arguments> endlessPages_areNoListAndReportedAsFailure() {
		AtomicInteger pages = new AtomicInteger();
		return Stream.of(Arguments.of("same items", page(() -> object("a", "{}"), () -> "a" + pages.incrementAndGet())),
				Arguments.of("same token", page(() -> object("a" + pages.incrementAndGet(), "{}"), () -> NAME)),
				Arguments.of("no items", page(() -> "", () -> "a" + pages.incrementAndGet())), Arguments
					.of("other items", page(() -> object(pages.incrementAndGet() + NAME, "{}"), () -> pages + NAME)));
	}

	/**
	 * Answer lists of ConfigMaps with a page after which another one follows.
	 */
	private static Responder page(Supplier<String> items, Supplier<String> token) {
		return (request) -> request.isFor("configmaps") ? HostileServer.response(200, "application/json",
				"{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\","
						+ "\"continue\":\"" + token.get() + "\"},\"items\":[" + items.get() + "]}")
				: PAUSE;
	}

	@ParameterizedTest
	@MethodSource
	void hugeRetryAfter_pausesForFiveMinutes(String description, Responder answer) throws Exception {
		this.server
			.respond((request) -> request.isFor("configmaps") ? answer.respond(request) : UNAVAILABLE.respond(request));
		relist();
		Instant before = Instant.now();
		await().until(() -> configMaps().state().nextAttempt() != null
				&& configMaps().state().nextAttempt().isAfter(before.plus(Duration.ofMinutes(4))));
		assertThat(configMaps().state().nextAttempt())
			.isBefore(Instant.now().plus(Duration.ofMinutes(5).plusMillis(20)));
		verifyAll();
		verifyRecovery();
	}

	static Stream<Arguments> hugeRetryAfter_pausesForFiveMinutes() {
		String details = status(429).replace("\"causes\"", "\"retryAfterSeconds\":" + FOREVER + ",\"causes\"");
		return Stream.of(
				Arguments.of("header",
						(Responder) (request) -> "HTTP/1.1 503 X\r\nRetry-After: " + FOREVER
								+ "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
				Arguments.of("Status",
						(Responder) (request) -> HostileServer.response(429, "application/json", details)),
				Arguments.of("Status in protobuf",
						(Responder) (request) -> HostileServer.response(429, PROTOBUF, protobuf(details))),
				Arguments.of("event of an error", watch("{\"type\":\"ERROR\",\"object\":" + details + "}")));
	}

	/**
	 * First, because the backoff of the informers of Leases grows with each failure.
	 */
	@Test
	@Order(1)
	void holderOfLease_isPrintedWithoutCredentials() throws Exception {
		String holder = "HOLDER" + json(FORGED.substring(0, 3_000));
		AtomicReference<String> own = new AtomicReference<>();
		this.server.respond((request) -> {
			if (request.body().contains("informer.dev/slots")) {
				own.set(request.body().contains("resourceVersion") ? request.body() : request.body()
					.replace("\"metadata\":{", "\"metadata\":{\"namespace\":\"shop\",\"resourceVersion\":\"1\","));
			}
			if (!request.isFor("/leases") || request.isFor("watch=true")) {
				return UNAVAILABLE.respond(request);
			}
			String member = own.get();
			if (request.isFor("/leases?")) {
				return HostileServer.response(200, "application/json",
						"{\"kind\":\"LeaseList\",\"apiVersion\":\"coordination.k8s.io/v1\",\"metadata\":"
								+ "{\"resourceVersion\":\"1\"},\"items\":[" + ((member != null) ? member + "," : "")
								+ lease("shop-stranger", holder) + "," + lease(NAME, holder) + "]}");
			}
			String lease = request.isFor("/leases/shop ") ? lease("shop", holder) : member;
			return (lease != null) ? HostileServer.response(200, "application/json", lease)
					: HostileServer.response(404, "text/plain", "");
		});
		await().until(() -> {
			JsonNode health = JsonMapper.shared().readTree(get("/health")).path("components");
			return health.path("informerLeader").toString().contains("HOLDER")
					&& health.path("informerSharding").toString().contains("HOLDER");
		});
		await().until(() -> get("/informers/configmaps/handlers/led?namespace=default&name=a").contains("HOLDER"));
		verifyAll();
	}

	private static String lease(String name, String holder) {
		return "{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\",\"metadata\":{\"name\":\"" + name
				+ "\",\"namespace\":\"shop\",\"resourceVersion\":\"1\",\"annotations\":{\"informer.dev/slots\":\"64:"
				+ "f".repeat(16) + "\"}},\"spec\":{\"holderIdentity\":\"" + holder
				+ "\",\"leaseDurationSeconds\":2147483647,\"leaseTransitions\":7}}";
	}

	private void relist() {
		this.context.getBean(InformerRegistry.class).informers().forEach((informer) -> informer.relist("the test"));
	}

	private SharedIndexInformer<?> configMaps() {
		return this.context.getBean(InformerRegistry.class).findInformer("configmaps").orElseThrow();
	}

	/**
	 * Verify that the informer follows the server once that answers as it should.
	 */
	private void verifyRecovery() {
		String name = "genuine-" + this.cases.incrementAndGet();
		this.server.respond((request) -> request.isFor("watch=true") ? UNAVAILABLE.respond(request)
				: list(request, request.isFor("configmaps") ? object(name, "{}") : ""));
		relist();
		await().until(() -> configMaps().hasSynced() && configMaps().lister().get("default", name).isPresent());
		this.server.respond(UNAVAILABLE);
	}

	private void verifyAll() throws Exception {
		assertThat(this.lines.all).isNotEmpty().allSatisfy(HostileServerTests::isHarmless);
		for (String path : List.of("/health", "/informers", "/informers/configmaps/handlers/failing",
				"/informers/configmaps/handlers/led", "/informers/secrets/handlers/ignoring", "/informerrbac")) {
			String body = get(path);
			assertThat(body).as(path).doesNotContain(TOKEN);
			if (body.startsWith("{")) {
				verify(JsonMapper.shared().readTree(body));
			}
			else {
				assertThat(body.lines()).allSatisfy(HostileServerTests::isHarmless);
			}
		}
		assertThat(this.other.requests()).isEmpty();
	}

	static Stream<Arguments> answer_reachesNoLogNoHealthAndNoEndpoint() {
		Map<String, Responder> answers = new LinkedHashMap<>();
		for (int code : List.of(400, 401, 403, 404, 410, 429, 500, 502, 503)) {
			answers.put(code + " with the headers of the request",
					(request) -> HostileServer.response(code, "text/plain", request.line() + "\n" + request.headers()));
			answers.put(code + " with a forged Status",
					(request) -> HostileServer.response(code, "application/json", status(code)));
		}
		for (int code : List.of(400, 410, 429, 500)) {
			answers.put(code + " with a forged Status in protobuf",
					(request) -> HostileServer.response(code, PROTOBUF, protobuf(status(code))));
		}
		answers.put("200 with a Status in protobuf",
				(request) -> HostileServer.response(200, PROTOBUF, protobuf(status(500))));
		answers.put("other kind in protobuf", (request) -> HostileServer.response(200, PROTOBUF,
				ProtobufEncoder.envelope(FORGED, FORGED, FORGED.getBytes(StandardCharsets.UTF_8))));
		answers.put("nested Status", (request) -> HostileServer.response(500, "application/json",
				"{\"kind\":\"Status\",\"details\":{\"causes\":" + nested("[", "]") + "},\"code\":500}"));
		answers.put("200 with a Status", (request) -> HostileServer.response(200, "application/json", status(500)));
		answers.put("page",
				(request) -> HostileServer.response(200, "text/html", "<html>" + request.headers() + FORGED));
		answers.put("other kind", (request) -> HostileServer.response(200, "application/json",
				"{\"kind\":\"" + NAME + "\",\"items\":[]}"));
		answers.put("other name", (request) -> HostileServer.response(200, "application/json", "{\"" + NAME + "\":[}"));
		answers.put("nesting", (request) -> HostileServer.response(200, "application/json", "[".repeat(100_000)));
		answers.put("nested items", (request) -> list(request, object("{\"a\":".repeat(50_000))));
		answers.put("nested values",
				(request) -> list(request, object(nested("{\"" + NAME.substring(0, 50) + "\":", "}"))));
		answers.put("nested unknown property",
				(request) -> list(request, object("{},\"" + NAME + "\":" + nested("[", "]"))));
		answers.put("token as text", (request) -> HostileServer.response(502, "text/plain", "no access with " + TOKEN));
		answers.put("content type",
				(request) -> HostileServer.response(200, TOKEN + " \u001b" + "x".repeat(9_000), "{"));
		answers.put("status line", (request) -> HostileServer.bytes("HTTP/9 " + FORGED + "\r\n\r\n"));
		answers.put("code", (request) -> HostileServer.bytes("HTTP/1.1 2000 " + FORGED + "\r\n\r\n"));
		answers.put("header", (request) -> "HTTP/1.1 200 OK\r\n" + TOKEN + "\u001b" + "x".repeat(9_000) + "\r\n\r\n");
		answers.put("headers", (request) -> "HTTP/1.1 200 OK\r\n" + ("A: " + TOKEN + "\r\n").repeat(20_000) + "\r\n");
		answers.put("chunks", (request) -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + TOKEN + "\u001b"
				+ "x".repeat(9_000) + "\r\n");
		answers.put("redirect", (request) -> "HTTP/1.1 302 X\r\nLocation: " + "http://127.0.0.1:" + OTHER_PORT.get()
				+ "/?token=" + TOKEN + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
		answers.put("redirect to a long name", (request) -> "HTTP/1.1 307 X\r\nLocation: https://" + TOKEN + ":x@"
				+ "x".repeat(9_000) + "/\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
		answers.put("Retry-After", (request) -> "HTTP/1.1 503 X\r\nRetry-After: " + TOKEN
				+ "\u001b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
		answers.put("names", watch(object("{\"a\":\"b\"}"), ""));
		answers.put("names and properties", watch(object("{\"" + NAME + "\":[]}"),
				"{\"type\":\"ADDED\",\"object\":" + object("{\"" + NAME + "\":{}}") + "}"));
		answers.put("type of an event", watch("{\"type\":\"" + NAME + "\",\"object\":{}}"));
		answers.put("event of an error", watch("{\"type\":\"ERROR\",\"object\":" + status(500) + "}"));
		answers.put("bookmark", watch("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"metadata\":"
				+ "{\"resourceVersion\":\"" + NAME + "\"}}}"));
		answers.put("resource version", (request) -> list(request, "").replace("\"1\"", "\"" + NAME + "\"")
			.replaceFirst("Content-Length: \\d+\r\n", ""));
		answers.put("version", (request) -> HostileServer.response(200, "application/json",
				"{\"groups\":[{\"name\":\"example.com\",\"versions\":[{\"version\":\"" + NAME + "\"}]}]}"));
		answers.put("kind", discovery(
				"{\"name\":\"gadgets\",\"namespaced\":true,\"kind\":\"" + NAME + "\",\"verbs\":[\"list\",\"watch\"]}"));
		answers.put("other resources",
				discovery("{\"name\":\"" + NAME + "\",\"namespaced\":true,\"kind\":\"A\",\"verbs\":[]}"));
		answers.put("verbs",
				discovery("{\"name\":\"gadgets\",\"namespaced\":true,\"kind\":\"A\",\"verbs\":[\"" + NAME + "\"]}"));
		return answers.entrySet().stream().map((answer) -> Arguments.of(answer.getKey(), answer.getValue()));
	}

	/**
	 * Answer discovery with a description of the resource {@code gadgets}.
	 */
	private static Responder discovery(String resource) {
		return (request) -> HostileServer.response(200, "application/json",
				request.isFor("/apis ")
						? "{\"groups\":[{\"name\":\"example.com\",\"versions\":[{\"version\":\"v1\"}]}]}"
						: "{\"resources\":[" + resource + "]}");
	}

	private static Responder watch(String event) {
		return watch("", event);
	}

	/**
	 * Answer lists with an object, and watches with an event.
	 */
	private static Responder watch(String object, String event) {
		return (request) -> request.isFor("watch=true")
				? "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
						+ HostileServer.bytes(event + "\n")
				: list(request, object);
	}

	private static String list(Request request, String items) {
		String kind = request.headers().contains("PartialObjectMetadataList") ? "PartialObjectMetadataList"
				: "ConfigMapList";
		return HostileServer.response(200, "application/json", "{\"kind\":\"" + kind
				+ "\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[" + items + "]}");
	}

	private static String object(String name, String content) {
		return "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name
				+ "\",\"namespace\":\"default\",\"uid\":\"" + name + "\",\"resourceVersion\":\"1\"},\"data\":" + content
				+ "}";
	}

	private static String nested(String opening, String closing) {
		return opening.repeat(50_000) + "1" + closing.repeat(50_000);
	}

	private static byte[] protobuf(String status) {
		return ProtobufEncoder.envelope("v1", "Status",
				ProtobufEncoder.get().message("v1", "Status", JsonMapper.shared().readTree(status)));
	}

	private static String object(String content) {
		return "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + NAME + "\",\"namespace\":\""
				+ NAME + "\",\"uid\":\"" + NAME + "\",\"resourceVersion\":\"" + NAME + "\"},\"data\":" + content + "}";
	}

	private static String status(int code) {
		return "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"" + NAME + "\",\"message\":\"" + json(FORGED)
				+ "\",\"details\":{\"causes\":[{\"reason\":\"" + NAME + "\"}]},\"code\":" + code + "}";
	}

	private static String json(String text) {
		String quoted = JsonMapper.shared().writeValueAsString(text);
		return quoted.substring(1, quoted.length() - 1);
	}

	private String get(String path) throws Exception {
		URI uri = URI.create("http://localhost:" + this.context.getEnvironment().getProperty("local.server.port")
				+ "/actuator" + path);
		return this.client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
	}

	private static void verify(JsonNode node) {
		if (node.isString()) {
			isHarmless(node.asString());
		}
		node.propertyNames().forEach(HostileServerTests::isHarmless);
		node.forEach(HostileServerTests::verify);
	}

	private static void isHarmless(String line) {
		assertThat(line).doesNotContain(TOKEN)
			.doesNotContainPattern("[\\p{Cntrl}&&[^\\t]]|[\u0080-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
			.hasSizeLessThanOrEqualTo(MAX_LINE);
	}

	/**
	 * Everything that is logged, in the lines that it has in a file.
	 */
	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final Queue<String> all = new ConcurrentLinkedQueue<>();

		private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

		void begin() {
			setContext(this.root.getLoggerContext());
			start();
			this.root.addAppender(this);
			logger("dev.informer").setLevel(Level.TRACE);
			// the requests of the test itself
			logger("dev.informer.test").setLevel(Level.OFF);
		}

		private Logger logger(String name) {
			return this.root.getLoggerContext().getLogger(name);
		}

		@Override
		protected void append(ILoggingEvent event) {
			this.all.add(event.getFormattedMessage());
			event.getMDCPropertyMap().values().forEach(this.all::add);
			if (event.getKeyValuePairs() != null) {
				event.getKeyValuePairs().forEach((pair) -> this.all.add(String.valueOf(pair.value)));
			}
			if (event.getThrowableProxy() != null) {
				this.all.addAll(List.of(ThrowableProxyUtil.asString(event.getThrowableProxy()).split("\r?\n")));
			}
		}

		@Override
		public void stop() {
			this.root.detachAppender(this);
			logger("dev.informer").setLevel(null);
			logger("dev.informer.test").setLevel(null);
			super.stop();
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class App {

		@InformerHandler(id = "failing")
		void fail(ResourceEvent<V1ConfigMap> event) {
			throw new IllegalStateException("for the test");
		}

		@InformerHandler(id = "led", leaderOnly = "true")
		void lead(ResourceEvent<V1ConfigMap> event) {
		}

		@InformerHandler(id = "divided", sharded = true)
		void divide(ResourceEvent<V1ConfigMap> event) {
		}

		@InformerHandler(id = "ignoring")
		void ignore(ResourceEvent<V1Secret> event) {
		}

	}

}

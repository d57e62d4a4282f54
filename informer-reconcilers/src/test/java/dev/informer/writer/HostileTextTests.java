/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.recorder.EventRecorder;
import dev.informer.support.UntrustedText;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.HostileServer;
import dev.informer.test.support.HostileServer.Request;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Text that another one has written, in each place of an object and of an answer:
 * messages and lines of the log have it in one line, bounded and without credentials.
 */
@Timeout(120)
class HostileTextTests {

	private static final String TOKEN = "q8Zr-Opaque.7Hw2pL5xT0k3n";

	private static final int MAX_LINE = 2_100;

	private static final String METADATA = "{\"namespace\": \"shop\", \"name\": \"a\", \"uid\": \"uid\", \"resourceVersion\": \"7\"}";

	private final HostileServer server = server();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.server.url()).build());

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			HostileTextTests.this.lines.add(event.getFormattedMessage());
			HostileTextTests.this.lines.add(String.valueOf(event.getKeyValuePairs()));
			HostileTextTests.this.lines.addAll(event.getMDCPropertyMap().values());
			for (IThrowableProxy each = event.getThrowableProxy(); each != null; each = each.getCause()) {
				HostileTextTests.this.lines.add(String.valueOf(each.getMessage()));
			}
		}

	};

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.informer");

	private static HostileServer server() {
		try {
			return new HostileServer((request) -> null);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@BeforeEach
	void begin() {
		UntrustedText.mask(this, List.of(TOKEN));
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(Level.DEBUG);
	}

	@AfterEach
	void close() throws IOException {
		this.factory.close();
		UntrustedText.forget(this);
		this.server.close();
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

	static Stream<String> texts() {
		return Stream.of("\u001b[31mred\u001b[0m", "a\r\n2026-01-01 ERROR forged", "a\u2028b\u2029c",
				"a\u0085b\u009b31m", "a\ud800b", "a\u202eb\u0000", "x".repeat(1 << 20), "a " + TOKEN,
				"a " + Base64.getEncoder().encodeToString(("user:" + TOKEN).getBytes(StandardCharsets.UTF_8)),
				"a " + TOKEN.replace("Z", "%5A").replace(".", "%2E"));
	}

	@ParameterizedTest(name = "{index}")
	@MethodSource("texts")
	void objectThatIsWritten(String text) {
		this.server.respond((request) -> status(request, 403, "refused"));
		for (String property : List.of("apiVersion", "kind", "namespace", "name", "uid", "resourceVersion",
				"generateName", "value")) {
			writeAll(object(property, text), null);
			writeAll(configMap(), object(property, text));
			writeAll(typed(property, text), null);
			writeAll(configMap(), typed(property, text));
		}
		assertClean();
	}

	@ParameterizedTest(name = "{index}")
	@MethodSource("texts")
	void answer(String text) {
		JsonPrimitive json = new JsonPrimitive(text);
		String details = "{\"name\": %1$s, \"kind\": %1$s, \"group\": %1$s, \"uid\": %1$s, \"retryAfterSeconds\": %1$s, "
				+ "\"causes\": [{\"reason\": %1$s, \"message\": %1$s, \"field\": %1$s}]}";
		for (int code : new int[] { 400, 401, 403, 404, 409, 422, 429, 500, 503 }) {
			String body = ("{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": " + code
					+ ", \"reason\": %1$s, \"message\": %1$s, \"details\": " + details + "}")
				.formatted(json);
			this.server.respond((request) -> HostileServer.response(code, "application/json", body));
			writeAll(object("value", "b"), null);
			writeAll(configMap(), configMap());
		}
		// an object of another controller, and one that is stored otherwise
		String object = ("{\"apiVersion\": %1$s, \"kind\": %1$s, \"metadata\": {\"namespace\": %1$s, \"name\": %1$s, "
				+ "\"uid\": %1$s, \"resourceVersion\": %1$s, \"ownerReferences\": [{\"apiVersion\": %1$s, "
				+ "\"kind\": %1$s, \"name\": %1$s, \"uid\": %1$s, \"controller\": true}], \"managedFields\": [{"
				+ "\"manager\": %1$s, \"operation\": \"Apply\", \"fieldsV1\": {\"f:data\": {\"f:a\": {}}}}]}}")
			.formatted(json);
		this.server.respond((request) -> (request.line().startsWith("GET") || !request.line().contains("force=true"))
				? HostileServer.response(200, "application/json", object) : status(request, 409, "refused"));
		writeAll(configMap(), configMap());
		this.server.respond((request) -> HostileServer.response(200, "application/json", object));
		writeAll(configMap(), configMap());
		writeAll(object(text, "b"), null);
		// discovery
		String resources = ("{\"resources\": [{\"name\": %1$s, \"kind\": \"Cart\", \"namespaced\": true, "
				+ "\"verbs\": [%1$s]}]}")
			.formatted(json);
		this.server.respond((request) -> HostileServer.response(200, "application/json", resources));
		writeAll(object("kind", "Cart"), null);
		writeAll(object("kind", "Other"), null);
		assertClean();
	}

	@ParameterizedTest(name = "{index}")
	@MethodSource("texts")
	void event(String text) {
		this.server.respond((request) -> status(request, 403, text));
		try (EventRecorder recorder = EventRecorder.of(this.writer, "tests")) {
			BiConsumer<KubernetesObject, String> record = (object,
					part) -> caught(() -> recorder.warning(object, part, part, part));
			record.accept(configMap(), text);
			for (String property : List.of("apiVersion", "kind", "namespace", "name", "uid")) {
				record.accept(object(property, text), "Scaled");
				record.accept(typed(property, text), "Scaled");
			}
			await().until(() -> this.lines.stream().anyMatch((line) -> line.startsWith("Event recorder")));
			recorder.close(Duration.ZERO);
		}
		assertClean();
	}

	@ParameterizedTest(name = "{index}")
	@MethodSource("texts")
	void condition(String text) {
		for (V1Condition condition : List.of(new V1Condition().type(text).status("True").reason("Ready"),
				new V1Condition().type("Ready").status(text).reason("Ready"),
				new V1Condition().type("Ready").status("True").reason(text),
				new V1Condition().type("Ready").status("True").reason("Ready").message(text))) {
			caught(() -> Conditions.set(new ArrayList<>(), condition));
		}
		caught(() -> this.writer.withFieldManager(text));
		assertClean();
	}

	@ParameterizedTest(name = "{index}")
	@MethodSource("texts")
	void primaryObject(String text) throws IOException {
		V1ConfigMap primary = configMap();
		primary.getMetadata().uid(null).resourceVersion(null);
		primary.getMetadata()
			.addOwnerReferencesItem(
					new V1OwnerReference().apiVersion(text).kind(text).name(text).uid(text).controller(true));
		primary.getMetadata().addFinalizersItem("example.com/" + text);
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				InformerFactory informers = InformerFactory
					.create(new ClientBuilder().setBasePath(kubernetes.url()).build())) {
			kubernetes.create(TestObjects.namespace("shop"));
			kubernetes.create(primary);
			ObjectWriter objectWriter = ObjectWriter.of(informers, "tests");
			SharedIndexInformer<V1ConfigMap> configMaps = informers.informer(V1ConfigMap.class);
			SharedIndexInformer<V1Secret> secrets = informers.informer(V1Secret.class);
			configMaps.addMultiValueIndex("names", (configMap) -> List.of("other/" + text, text));
			try (Reconcilers reconcilers = Reconcilers.of(informers, objectWriter)) {
				ReconcilerRegistration registration = reconcilers.add(configMaps, (configMap, context) -> {
					this.lines.add("watched " + context.watched(V1Secret.class).list());
					caught(() -> objectWriter.apply(configMap(), configMap));
					throw new IllegalStateException("fails");
				}, (options) -> options.watches(secrets, "names").owns(configMaps));
				reconcilers.start();
				await().until(() -> this.lines.stream().anyMatch((line) -> line.startsWith("Reconciler 'configmaps'")));
				this.lines.add(String.valueOf(registration.diagnose("shop", text).causes()));
				configMaps.handlers()
					.forEach((handler) -> this.lines.add(String.valueOf(handler.diagnose("shop", text).causes())));
			}
		}
		assertClean();
	}

	private void writeAll(KubernetesObject object, @Nullable KubernetesObject owner) {
		if (owner != null) {
			caught(() -> this.writer.create(object, owner));
			caught(() -> this.writer.apply(object, owner));
			caught(() -> this.writer.withAdoption().apply(object, owner));
		}
		else {
			caught(() -> this.writer.create(object));
			caught(() -> this.writer.apply(object));
		}
		caught(() -> this.writer.update(object));
		caught(() -> this.writer.updateStatus(object));
		caught(() -> this.writer.patch(object, (copy) -> copy.getMetadata().setLabels(Map.of("a", "b"))));
		caught(() -> this.writer.delete(object));
	}

	private void caught(Action action) {
		try {
			action.run();
		}
		catch (Exception ex) {
			for (Throwable each = ex; each != null; each = each.getCause()) {
				this.lines.add(each.getClass().getSimpleName() + ": " + each.getMessage());
			}
		}
	}

	private void assertClean() {
		assertThat(this.lines).isNotEmpty().allSatisfy((line) -> {
			assertThat(line.length()).as(line.substring(0, Math.min(200, line.length()))).isLessThan(MAX_LINE);
			assertThat(line).doesNotContain(TOKEN, "q8Zr", "%5Ar-Opaque", "OFpyLU9wYXF1")
				.doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
		});
	}

	private static String status(Request request, int code, String message) {
		JsonObject body = new JsonObject();
		body.addProperty("kind", "Status");
		body.addProperty("code", code);
		body.addProperty("reason", message);
		body.addProperty("message", message);
		return HostileServer.response(code, "application/json", body.toString());
	}

	private static V1ConfigMap configMap() {
		V1ConfigMap configMap = new V1ConfigMap().apiVersion("v1")
			.kind("ConfigMap")
			.metadata(new V1ObjectMeta().namespace("shop").name("a").uid("uid").resourceVersion("7"));
		return configMap.putDataItem("a", "b");
	}

	private static V1ConfigMap typed(String property, String text) {
		V1ConfigMap configMap = configMap();
		switch (property) {
			case "apiVersion" -> configMap.setApiVersion(text);
			case "kind" -> configMap.setKind(text);
			case "namespace" -> configMap.getMetadata().setNamespace(text);
			case "name" -> configMap.getMetadata().setName(text);
			case "uid" -> configMap.getMetadata().setUid(text);
			case "resourceVersion" -> configMap.getMetadata().setResourceVersion(text);
			case "generateName" -> configMap.getMetadata().name(null).setGenerateName(text);
			default -> configMap.setData(Map.of(text, text));
		}
		return configMap;
	}

	private static DynamicKubernetesObject object(String property, String text) {
		JsonObject object = new JsonObject();
		object.addProperty("apiVersion", "example.com/v1");
		object.addProperty("kind", "Cart");
		object.add("metadata", JsonParser.parseString(METADATA));
		JsonObject metadata = object.getAsJsonObject("metadata");
		if (List.of("apiVersion", "kind").contains(property)) {
			object.addProperty(property, text);
		}
		else if (List.of("namespace", "name", "uid", "resourceVersion").contains(property)) {
			metadata.addProperty(property, text);
		}
		else if (property.equals("generateName")) {
			metadata.remove("name");
			metadata.addProperty(property, text);
		}
		else {
			JsonObject spec = new JsonObject();
			spec.addProperty(property, text);
			object.add("spec", spec);
		}
		return new DynamicKubernetesObject(object);
	}

	@FunctionalInterface
	private interface Action {

		void run() throws Exception;

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import dev.informer.client.type.ValueType;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWrite.Outcome;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests that classes as users write them carry the custom resources of public operators
 * without loss. Each example is created with the definition of its operator, decoded,
 * copied, written and reconciled.
 * <p>
 * Written JSON has each value of the example at its path, except those that
 * {@link Operators} names as not covered. Each value that it has is stored, except those
 * that the class adds. Quantities and times are compared by value: the official client
 * writes {@code 1024Mi} as {@code 1Gi}, and times with microseconds.
 */
@Timeout(120)
abstract class OperatorResourcesTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final AtomicInteger runs = new AtomicInteger();

	private final String run = "operators-" + runs.incrementAndGet();

	private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

	private ApiClient client;

	private InformerFactory factory;

	private ObjectWriter writer;

	private boolean statusSubresource;

	abstract String kubeconfig();

	static Stream<Operator<?>> operators() {
		return Operators.all();
	}

	@BeforeAll
	static void requireFiles() {
		assumeTrue(OperatorFiles.exist(), "The folder with the definitions does not exist");
	}

	@BeforeEach
	void connect() throws IOException, ObjectWriteException {
		this.client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig()))).build();
		this.factory = InformerFactory.create(this.client);
		this.writer = ObjectWriter.of(this.factory, "tests", (write) -> this.outcomes.add(write.proceed()));
		this.writer.create(TestObjects.namespace(this.run));
	}

	@AfterEach
	void close() {
		this.factory.close();
	}

	@ParameterizedTest
	@MethodSource("operators")
	<T extends KubernetesObject> void examples_areReadCopiedAndWrittenWithoutLoss(Operator<T> operator)
			throws Exception {
		List<JsonObject> examples = create(operator);
		SharedIndexInformer<T> informer = informer(operator);
		assertThat(informer.lister().list()).hasSameSizeAs(examples);
		for (JsonObject example : examples) {
			T cached = cached(informer, operator, example);
			JsonObject before = stored(operator, cached);
			assertCovered(operator, example, json(cached), before);
			assertCopied(cached);
			assertUnchanged(cached);

			T applied = ObjectCopy.of(cached);
			applied.getMetadata().setResourceVersion(null);
			withoutStatus(applied);
			this.writer.apply(applied);
			assertThat(without(operator.added(), stored(operator, cached)))
				.isEqualTo(without(operator.added(), before));
			before = stored(operator, cached);
			cached = cached(informer, operator, example);
			assertThat(ValueType.difference(this.writer.apply(applied), cached)).isNull();

			this.writer.patch(cached, operator.first());
			JsonObject patched = Trees.merged(before, operator.firstPatch());
			assertThat(Trees.flat(stored(operator, cached))).isEqualTo(Trees.flat(patched));

			change(operator, cached(informer, operator, example));
			JsonObject changed = Trees.merged(patched, operator.secondPatch());
			assertThat(Trees.flat(stored(operator, cached))).isEqualTo(Trees.flat(changed));

			T replacement = ObjectCopy.of(cached(informer, operator, example));
			replacement.getMetadata().putLabelsItem("replaced", "true");
			this.writer.update(replacement);
			example = Trees.merged(Trees.merged(example, operator.firstPatch()), operator.secondPatch());
			JsonObject after = stored(operator, cached);
			assertCovered(operator, example, after, after);
		}
	}

	/**
	 * Remove a status, which some definitions set by default.
	 */
	private void withoutStatus(KubernetesObject object) {
		ObjectProperty status = ((ObjectType) ValueType.of(object.getClass())).property("status");
		if (status != null && this.statusSubresource) {
			status.set(object, null);
		}
	}

	@ParameterizedTest
	@MethodSource("operators")
	<T extends KubernetesObject> void reconciler_isCalledAgainWithWhatItWrote(Operator<T> operator) throws Exception {
		List<JsonObject> examples = create(operator);
		SharedIndexInformer<T> informer = informer(operator);
		List<T> calls = new CopyOnWriteArrayList<>();
		this.outcomes.clear();
		try (Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer)) {
			reconcilers.add(informer, (primary, context) -> {
				calls.add(ObjectCopy.of(primary));
				change(operator, primary);
				return null;
			}, (options) -> options.name("operators"));
			reconcilers.start();
			await().until(() -> calls.size() >= 2 * examples.size());
			assertThat(reconcilers.awaitIdle(LIMIT)).isTrue();
		}
		assertThat(calls).hasSize(2 * examples.size());
		assertThat(this.outcomes).filteredOn(Outcome.UNCHANGED::equals).hasSameSizeAs(examples);
		for (JsonObject example : examples) {
			List<T> own = calls.stream().filter((call) -> name(example).equals(call.getMetadata().getName())).toList();
			assertThat(own).hasSize(2);
			assertThat(Trees.flat(Trees.merged(json(own.get(1)), operator.secondPatch())))
				.isEqualTo(Trees.flat(json(own.get(1))));
		}
	}

	/**
	 * Create the examples of an operator, each with a name of its own, and with a label
	 * for the informer of this test.
	 */
	private List<JsonObject> create(Operator<?> operator) {
		JsonObject definition = OperatorFiles.definition(operator.folder(), operator.resource());
		this.statusSubresource = hasStatus(definition, operator.resource().version());
		awaitExternal().pollDelay(Duration.ZERO).until(() -> isCreated(definition));
		List<JsonObject> examples = OperatorFiles.examples(operator.resource());
		assertThat(examples).isNotEmpty();
		for (int i = 0; i < examples.size(); i++) {
			JsonObject example = examples.get(i);
			JsonObject metadata = example.has("metadata") ? example.getAsJsonObject("metadata") : new JsonObject();
			metadata.remove("generateName");
			metadata.remove("creationTimestamp");
			metadata.addProperty("name", this.run + "-" + i);
			metadata.addProperty("namespace", this.run);
			if (!operator.resource().namespaced()) {
				metadata.remove("namespace");
			}
			JsonObject labels = metadata.has("labels") ? metadata.getAsJsonObject("labels") : new JsonObject();
			labels.addProperty("run", this.run);
			metadata.add("labels", labels);
			example.add("metadata", metadata);
			awaitExternal().pollDelay(Duration.ZERO).until(() -> isCreated(example));
		}
		return examples;
	}

	private boolean isCreated(JsonObject object) throws ObjectWriteException {
		try {
			this.writer.create(new DynamicKubernetesObject(object.deepCopy()));
			return true;
		}
		catch (ObjectWriteException ex) {
			if (ex.getCode() == 409) {
				return true;
			}
			throw ex;
		}
	}

	private <T extends KubernetesObject> SharedIndexInformer<T> informer(Operator<T> operator) throws Exception {
		SharedIndexInformer<T> informer = this.factory.informer(operator.type(),
				(options) -> options.labelSelector("run=" + this.run));
		informer.start();
		assertThat(informer.awaitSynced(LIMIT)).isTrue();
		return informer;
	}

	/**
	 * Return the cached object of an example as soon as it is the one of the server.
	 */
	private <T extends KubernetesObject> T cached(SharedIndexInformer<T> informer, Operator<T> operator,
			JsonObject example) {
		String version = raw(operator, name(example)).getAsJsonObject("metadata").get("resourceVersion").getAsString();
		return await().pollDelay(Duration.ZERO)
			.until(() -> informer.lister()
				.list()
				.stream()
				.filter((object) -> name(example).equals(object.getMetadata().getName()))
				.findFirst()
				.orElseThrow(), (object) -> version.equals(object.getMetadata().getResourceVersion()));
	}

	private static String name(JsonObject example) {
		return example.getAsJsonObject("metadata").get("name").getAsString();
	}

	private JsonObject raw(Operator<?> operator, String name) {
		ResourceType<?> type = operator.resource();
		DynamicKubernetesApi api = new DynamicKubernetesApi(type.group(), type.version(), type.plural(), this.client);
		return (type.namespaced() ? api.get(this.run, name) : api.get(name)).getObject().getRaw();
	}

	/**
	 * Return an object of the server without what each write changes.
	 */
	private JsonObject stored(Operator<?> operator, KubernetesObject object) {
		return comparable(raw(operator, object.getMetadata().getName()));
	}

	private static JsonObject json(KubernetesObject object) {
		return comparable(ValueType.jsonOf(object).getAsJsonObject());
	}

	private static JsonObject comparable(JsonObject tree) {
		List.of("resourceVersion", "generation", "managedFields").forEach(tree.getAsJsonObject("metadata")::remove);
		return tree;
	}

	private static void assertCovered(Operator<?> operator, JsonObject example, JsonObject written, JsonObject stored) {
		assertThat(Trees.flat(written)).containsAllEntriesOf(without(operator.notCovered(), example));
		assertThat(Trees.flat(stored)).containsAllEntriesOf(without(operator.added(), written));
	}

	/**
	 * Return the values of a tree that are not below a path.
	 */
	private static Map<String, String> without(List<String> paths, JsonObject tree) {
		Map<String, String> values = Trees.flat(tree);
		values.keySet()
			.removeIf((value) -> paths.stream()
				.anyMatch((path) -> (value.replaceAll("\\[\\d+]", "") + ".").startsWith(path + ".")));
		return values;
	}

	private <T extends KubernetesObject> void change(Operator<T> operator, T object) throws ObjectWriteException {
		if (operator.secondPatch().has("status") && this.statusSubresource) {
			T copy = ObjectCopy.of(object);
			operator.second().accept(copy);
			this.writer.updateStatus(copy);
		}
		else {
			this.writer.patch(object, operator.second());
		}
	}

	private static boolean hasStatus(JsonObject definition, String version) {
		for (JsonElement element : definition.getAsJsonObject("spec").getAsJsonArray("versions")) {
			JsonObject served = element.getAsJsonObject();
			if (served.get("name").getAsString().equals(version)) {
				return served.has("subresources") && served.getAsJsonObject("subresources").has("status");
			}
		}
		return false;
	}

	private <T extends KubernetesObject> void assertUnchanged(T cached) throws ObjectWriteException {
		this.outcomes.clear();
		this.writer.update(ObjectCopy.of(cached));
		this.writer.updateStatus(ObjectCopy.of(cached));
		this.writer.patch(cached, (copy) -> {
		});
		assertThat(this.outcomes).containsOnly(Outcome.UNCHANGED).hasSize(3);
	}

	private static void assertCopied(KubernetesObject object) {
		KubernetesObject copy = ObjectCopy.of(object);
		assertThat(json(copy)).hasToString(json(object).toString());
		assertThat(ValueType.difference(copy, object)).isNull();
		Set<Object> parts = modifiableParts(object);
		Set<Object> copies = modifiableParts(copy);
		assertThat(copies).hasSameSizeAs(parts);
		copies.retainAll(parts);
		assertThat(copies).isEmpty();
	}

	private static Set<Object> modifiableParts(Object value) {
		Set<Object> parts = Collections.newSetFromMap(new IdentityHashMap<>());
		addParts(value, parts);
		return parts;
	}

	private static void addParts(Object value, Set<Object> parts) {
		if (value instanceof Map<?, ?> map) {
			parts.add(map);
			map.values().forEach((part) -> addParts(part, parts));
		}
		else if (value instanceof Collection<?> collection) {
			parts.add(collection);
			collection.forEach((part) -> addParts(part, parts));
		}
		else if (value instanceof Object[] array) {
			parts.add(array);
			Stream.of(array).forEach((part) -> addParts(part, parts));
		}
		else if (value instanceof JsonObject tree) {
			addParts(tree.asMap(), parts);
		}
		else if (value instanceof JsonArray tree) {
			addParts(tree.asList(), parts);
		}
		else if (value != null && !(value instanceof Enum<?>)
				&& value.getClass().getName().matches("com\\.example\\..*|.*\\.openapi\\.models\\..*")) {
			if (!value.getClass().isRecord()) {
				parts.add(value);
			}
			fields(value.getClass()).forEach((field) -> addParts(get(field, value), parts));
		}
	}

	private static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> current = type; !current.getName().startsWith("java."); current = current.getSuperclass()) {
			Stream.of(current.getDeclaredFields())
				.filter((field) -> !Modifier.isStatic(field.getModifiers()))
				.forEach(fields::add);
		}
		return fields;
	}

	private static Object get(Field field, Object object) {
		try {
			field.setAccessible(true);
			return field.get(object);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

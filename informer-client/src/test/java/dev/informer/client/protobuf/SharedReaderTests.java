/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.model.UndecodableObjectException;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.client.protobuf.ProtobufDecodingTests.field;
import static dev.informer.client.protobuf.ProtobufDecodingTests.join;
import static dev.informer.client.protobuf.ProtobufDecodingTests.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that objects share equal parts.
 */
class SharedReaderTests {

	private static final String POD = """
			{"metadata": {"name": "%s", "namespace": "shop", "uid": "uid-%s", "resourceVersion": "7",
			  "labels": {"app": "web"}, "annotations": {"own": "%s"}},
			 "spec": {"containers": [{"name": "main", "image": "web:1", "env": [{"name": "URL", "value": "http://a"}],
			    "volumeMounts": [{"name": "config", "mountPath": "/config"}, {"name": "%s", "mountPath": "/token"}]}],
			    "volumes": [{"name": "%s", "emptyDir": {}}]},
			 "status": {"phase": "%s"}}""";

	private static final int MAX_BYTES = 1 << 16;

	private final SharedMessages shared = new SharedMessages(MAX_BYTES);

	private final ProtobufObjects<V1Pod> objects = Objects
		.requireNonNull(ProtobufObjects.of(V1Pod.class, "v1", "Pod", false, this.shared));

	@Test
	void equalParts_areSharedFromTheThirdTime() throws Exception {
		V1PodSpec first = spec(decode("a", "token", null));
		V1PodSpec second = spec(decode("b", "token", null));
		V1PodSpec third = spec(decode("c", "token", null));
		assertThat(second).isNotSameAs(first).isEqualTo(first);
		assertThat(third).isSameAs(second);
		assertThat(spec(decode("d", "token", null))).isSameAs(second);
	}

	@Test
	void partsOfAPartThatDiffers_areShared() throws Exception {
		decode("a", "token-a", null);
		V1PodSpec second = spec(decode("b", "token-b", null));
		V1PodSpec third = spec(decode("c", "token-c", null));
		assertThat(third).isNotEqualTo(second);
		V1Container container = third.getContainers().get(0);
		assertThat(container.getEnv()).isSameAs(second.getContainers().get(0).getEnv());
		assertThat(container.getVolumeMounts()).extracting("name").containsExactly("config", "token-c");
		assertThat(container.getVolumeMounts().get(0)).isSameAs(second.getContainers().get(0).getVolumeMounts().get(0));
	}

	@Test
	void nothingIsShared_withoutPermission() throws Exception {
		for (int i = 0; i < 3; i++) {
			decode("a" + i, "token", null);
		}
		byte[] message = message("b", "token", "Running");
		V1Pod unshared = this.objects.decode(new MessageReader(), message, 0, message.length, (state) -> null);
		assertThat(spec(unshared)).isNotSameAs(spec(decode("c", "token", null)));
		assertThat(Objects.requireNonNull(unshared).getMetadata().getLabels())
			.isNotSameAs(decode("d", "token", null).getMetadata().getLabels());
	}

	@Test
	void partsOfTheEarlierState_areUsed() throws Exception {
		V1Pod before = decode("a", "token-a", null);
		byte[] message = message("a", "token-a", "Failed");
		V1Pod after = decode(message, before);
		assertThat(after).isNotEqualTo(before);
		assertThat(spec(after)).isSameAs(spec(before));
		assertThat(after.getMetadata()).isSameAs(before.getMetadata());
		assertThat(after.getStatus().getPhase()).isEqualTo("Failed");
		assertThat(after).isEqualTo(decode(message, null));
	}

	/**
	 * Each sequence of up to three fields as the next state of each other one: fields
	 * disappear, come twice, or between the elements of a list.
	 */
	@Test
	void nextState_isTheSameWithoutTheEarlierState() throws Exception {
		List<byte[]> fields = List.of(field(1, text("Running")), field(1, text("")), field(6, text("10.0.0.1")),
				field(12, field(1, text("10.0.0.1"))), field(12, field(1, text("10.0.0.2"))),
				field(2, field(1, text("Ready"))), field(7, new byte[0]), field(7, new byte[] { 1 << 3, 5 }));
		List<byte[]> sequences = new ArrayList<>();
		for (byte[] first : fields) {
			sequences.add(first);
			for (byte[] second : fields) {
				sequences.add(join(first, second));
				fields.forEach((third) -> sequences.add(join(first, second, third)));
			}
		}
		List<byte[]> messages = sequences.stream()
			.map((status) -> join(field(1, field(1, text("a"))), field(3, status)))
			.toList();
		List<V1Pod> states = new ArrayList<>();
		for (byte[] message : messages) {
			states.add(decodeUnshared(message, null));
		}
		for (V1Pod earlier : states) {
			for (int i = 0; i < states.size(); i++) {
				assertThat(decodeUnshared(messages.get(i), earlier)).isEqualTo(states.get(i));
			}
		}
		for (int i = 0; i < states.size(); i++) {
			assertThat(states.get(i)).isEqualTo(decodeUnshared(messages.get(i), null));
		}
	}

	@Test
	void everyPartThatIsEqual_isThatOfTheEarlierState() throws Exception {
		String json = """
				{"metadata": {"name": "a", "generation": 123456789, "creationTimestamp": "2026-01-02T03:04:05Z",
				  "ownerReferences": [{"apiVersion": "v1", "kind": "Own", "name": "%s", "uid": "u", "controller": true}]},
				 "spec": {"containers": [{"name": "main", "resources": {"limits": {"cpu": "7131m"}},
				    "readinessProbe": {"httpGet": {"port": 31789}}, "livenessProbe": {"httpGet": {"port": "p31789"}}}],
				  "securityContext": {"runAsUser": 123456789, "supplementalGroups": [123456789, 2]}},
				 "status": {"phase": "%s"}}""";
		byte[] message = ProtobufDecodingTests.message("v1", "Pod", json.formatted("own", "Running"));
		V1Pod before = decodeUnshared(message, null);
		V1Pod after = decodeUnshared(ProtobufDecodingTests.message("v1", "Pod", json.formatted("own", "Failed")),
				before);
		assertThat(after.getSpec()).isSameAs(before.getSpec());
		assertThat(after.getMetadata()).isSameAs(before.getMetadata());
		V1Pod other = decodeUnshared(ProtobufDecodingTests.message("v1", "Pod", json.formatted("other", "Running")),
				before);
		assertThat(other.getStatus()).isSameAs(before.getStatus());
		assertThat(other.getMetadata()).isNotEqualTo(before.getMetadata());
	}

	private V1Pod decodeUnshared(byte[] message, @Nullable V1Pod earlier) throws Exception {
		return Objects
			.requireNonNull(this.objects.decode(new MessageReader(), message, 0, message.length, new ObjectLookup<>() {

				@Override
				public @Nullable Found<V1Pod> find(ObjectState state) {
					return null;
				}

				@Override
				public @Nullable V1Pod earlier(ObjectState state) {
					return earlier;
				}

			}));
	}

	@Test
	void bytesOfTheEarlierState_areUsed() throws Exception {
		ProtobufObjects<V1Secret> secrets = Objects
			.requireNonNull(ProtobufObjects.of(V1Secret.class, "v1", "Secret", false, new SharedMessages(1 << 20)));
		String json = "{\"metadata\": {\"name\": \"a\", \"labels\": {\"app\": \"%s\"}}, \"data\": {\"key\": \"dmFsdWU=\"}}";
		V1Secret before = decode(secrets, json.formatted("old"), null);
		V1Secret after = decode(secrets, json.formatted("new"), before);
		assertThat(after.getMetadata()).isNotEqualTo(before.getMetadata());
		assertThat(after.getData()).isSameAs(before.getData());
	}

	private static V1Secret decode(ProtobufObjects<V1Secret> secrets, String json, @Nullable V1Secret earlier)
			throws Exception {
		byte[] message = ProtobufDecodingTests.message("v1", "Secret", json);
		return Objects
			.requireNonNull(secrets.decode(new MessageReader(), message, 0, message.length, new Sharing<>(earlier)));
	}

	@Test
	void earlierStateThatWasModified_isNotTaken() throws Exception {
		V1Pod before = decode("a", "token-a", null);
		before.getMetadata().putLabelsItem("app", "modified");
		spec(before).getContainers().get(0).getEnv().clear();
		spec(before).setContainers(null);
		before.getMetadata().getAnnotations().put("more", "modified");
		assertThat(decode(message("a", "token-a", "Running"), before)).isEqualTo(ProtobufDecodingTests.objects()
			.decode(new MessageReader(), message("a", "token-a", "Running"), 0,
					message("a", "token-a", "Running").length, (state) -> null));
	}

	@Test
	void earlierStateOfAnotherClass_isNoObstacle() throws Exception {
		V1Pod before = new V1Pod() {
		}.spec(new V1PodSpec() {
		});
		assertThat(decode(message("a", "token-a", "Running"), before)).isEqualTo(decode("a", "token-a", null));
	}

	/**
	 * Parts that never repeat make the reader look for few of them only.
	 */
	@Test
	void partsThatRepeatAfterManyThatDoNot_areShared() throws Exception {
		for (int i = 0; i < 5000; i++) {
			decode("a" + i, "token-" + i, null);
		}
		for (int i = 0; i < 100; i++) {
			decode("b" + i, "token", null);
		}
		assertThat(spec(decode("c", "token", null))).isSameAs(spec(decode("d", "token", null)));
	}

	/**
	 * Someone creates pods whose parts are in no other pod, or in one other pod so that
	 * they are cached, while others use the parts that they have used before.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void garbage_takesBoundedMemory_andLeavesThePartsOfOthers(int copies) throws Exception {
		for (int i = 0; i < 3; i++) {
			decode("used" + i, "token", null);
		}
		V1PodSpec used = spec(decode("used", "token", null));
		for (int i = 0; i < 2000; i++) {
			for (int copy = 0; copy < copies; copy++) {
				decode("garbage-" + i + "-" + copy, "garbage-" + i + "-" + "x".repeat(1000), null);
			}
			assertThat(spec(decode("used" + i, "token", null))).as("after %d", i).isSameAs(used);
			assertThat(this.shared.bytes()).isLessThanOrEqualTo(MAX_BYTES);
		}
	}

	/**
	 * The pods of others come after so much garbage that hardly anything is looked up.
	 */
	@Test
	void partsOfOthers_areSharedSoonAfterMuchGarbage() throws Exception {
		for (int i = 0; i < 3; i++) {
			decode("used" + i, "token", null);
		}
		for (int i = 0; i < 5000; i++) {
			decode("garbage-" + i, "garbage-" + i, null);
		}
		Set<V1PodSpec> different = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 1000; i++) {
			different.add(spec(decode("pod-" + i, "token", null)));
		}
		assertThat(different).hasSizeLessThan(20);
	}

	@Test
	void hugePart_isNotCached_butItsParts() throws Exception {
		String huge = "x".repeat(1_000_000);
		V1PodSpec first = spec(decode("a", huge, null));
		for (int i = 0; i < 5; i++) {
			V1PodSpec next = spec(decode("b" + i, huge, null));
			assertThat(next).isEqualTo(first).isNotSameAs(first);
			first = next;
		}
		assertThat(this.shared.bytes()).isLessThan(SharedMessages.MAX_LENGTH);
		V1Container container = spec(decode("c", huge, null)).getContainers().get(0);
		assertThat(container.getEnv()).isSameAs(first.getContainers().get(0).getEnv());
		assertThat(container.getVolumeMounts().get(1))
			.isNotSameAs(first.getContainers().get(0).getVolumeMounts().get(1));
	}

	/**
	 * The bytes behind the tag are those of a part that is shared.
	 */
	@Test
	void partWithTheTagOfANumber_isMalformed() throws Exception {
		for (int i = 0; i < 3; i++) {
			decode("a" + i, "token", null);
		}
		byte[] message = message("b", "token", "Running");
		int container = new String(message, StandardCharsets.ISO_8859_1).indexOf("\n\u0004main");
		int tag = container - 2;
		assertThat(message[tag]).isEqualTo((byte) (2 << 3 | MessageReader.BYTES));
		message[tag] = 2 << 3 | MessageReader.VARINT;
		assertThatExceptionOfType(UndecodableObjectException.class).isThrownBy(() -> decode(message, null));
	}

	@Test
	void firstErrorOfAMalformedObject_isReported() {
		byte[] tooLong = new byte[11];
		Arrays.fill(tooLong, (byte) -1);
		byte[] mounts = join(field(9, field(1, new byte[] { -1 })), new byte[] { 9 << 3 | MessageReader.BYTES },
				tooLong);
		byte[] message = join(field(1, field(1, text("a"))), field(2, field(2, mounts)));
		assertThatExceptionOfType(UndecodableObjectException.class).isThrownBy(() -> decode(message, null))
			.satisfies((ex) -> assertThat(ex.object().reason())
				.isEqualTo("spec.containers.volumeMounts.name: a string is not UTF-8"));
	}

	private static V1PodSpec spec(@Nullable V1Pod pod) {
		return Objects.requireNonNull(Objects.requireNonNull(pod).getSpec());
	}

	private V1Pod decode(String name, String token, @Nullable V1Pod earlier) throws Exception {
		return decode(message(name, token, "Running"), earlier);
	}

	private V1Pod decode(byte[] message, @Nullable V1Pod earlier) throws Exception {
		return Objects.requireNonNull(
				this.objects.decode(new MessageReader(), message, 0, message.length, new Sharing<>(earlier)));
	}

	private static byte[] message(String name, String token, String phase) {
		return ProtobufDecodingTests.message("v1", "Pod", POD.formatted(name, name, name, token, token, phase));
	}

	/**
	 * Permission to share, with the earlier state of every object.
	 */
	record Sharing<T>(@Nullable T object) implements ObjectLookup<T> {

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			return null;
		}

		@Override
		public boolean shares() {
			return true;
		}

		@Override
		public @Nullable T earlier(ObjectState state) {
			return this.object;
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.informer.client.json.Bodies;
import dev.informer.client.json.CollectingSink;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.protobuf.SharedReaderTests.Sharing;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.ModelMapper;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an object is the same from protobuf and from JSON, with data of the
 * Kubernetes project: the files by which the API checks its compatibility, and objects
 * filled by the API's fuzzers. {@code .ci/protobuf/data} makes the folder.
 */
@EnabledIfEnvironmentVariable(named = ProtobufEqualityTests.DATA, matches = ".+")
class ProtobufEqualityTests {

	static final String DATA = "INFORMER_TEST_API_DATA";

	/**
	 * Kinds whose model has another shape than the API: the specification of a
	 * {@code StorageVersion} is untyped. They are read as JSON.
	 */
	private static final Set<String> UNSUPPORTED = Set.of("internal.apiserver.k8s.io/v1alpha1 StorageVersion");

	private final Path data = Path.of(System.getenv(DATA));

	private final SharedMessages shared = new SharedMessages(1 << 20);

	/** The object of each class that was decoded last. */
	private final Map<Class<?>, Object> latest = new HashMap<>();

	@Test
	void filesOfTheApi_areEqualFromProtobufAndJson() throws Exception {
		Set<String> compared = new TreeSet<>();
		for (Path file : files(".pb")) {
			byte[] bytes = Files.readAllBytes(file);
			Envelope envelope = Envelope.read(new MessageReader(), bytes, 0, bytes.length);
			byte[] message = new byte[envelope.length()];
			System.arraycopy(bytes, envelope.offset(), message, 0, message.length);
			Path json = Path.of(file.toString().replaceAll("\\.pb$", ".json"));
			// what an object becomes in a newer version is only given in the format that
			// changes
			if (Files.exists(json)
					&& compare(envelope.apiVersion(), envelope.kind(), Files.readAllBytes(json), message)) {
				compared.add(envelope.apiVersion() + " " + envelope.kind());
			}
		}
		assertThat(compared).hasSizeGreaterThan(80)
			.contains("v1 Pod", "apps/v1 Deployment", "networking.k8s.io/v1 Ingress");
	}

	@Test
	void randomObjects_areEqualFromProtobufAndJson() throws Exception {
		int compared = 0;
		for (Path file : files(".objects")) {
			try (DataInputStream objects = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
				int count = objects.readInt();
				for (int i = 0; i < count; i++) {
					String apiVersion = new String(next(objects), StandardCharsets.UTF_8);
					String kind = new String(next(objects), StandardCharsets.UTF_8);
					compared += compare(apiVersion, kind, next(objects), next(objects)) ? 1 : 0;
				}
			}
		}
		assertThat(compared).isGreaterThan(1000);
	}

	private List<Path> files(String ending) throws IOException {
		try (Stream<Path> files = Files.walk(this.data)) {
			return files.filter((file) -> file.toString().endsWith(ending)).sorted().toList();
		}
	}

	private static byte[] next(DataInputStream in) throws IOException {
		return in.readNBytes(in.readInt());
	}

	/**
	 * Compare an object in both formats.
	 * @return whether there is a model of the kind
	 */
	private boolean compare(String apiVersion, String kind, byte[] json, byte[] message) throws Exception {
		Class<?> type = model(apiVersion, kind);
		if (type == null) {
			return false;
		}
		ProtobufObjects<?> objects = ProtobufObjects.of(type, apiVersion, kind, true, this.shared);
		if (UNSUPPORTED.contains(apiVersion + " " + kind)) {
			assertThat(objects).isNull();
			return false;
		}
		assertThat(objects).as(apiVersion + " " + kind).isNotNull();
		String expected = JSON.serialize(read(type, apiVersion, kind, json));
		Object actual = objects.decode(new MessageReader(), message, 0, message.length, (state) -> null);
		assertThat(JSON.serialize(actual)).as(apiVersion + " " + kind).isEqualTo(expected);
		compareShared(objects, type, message, expected);
		return true;
	}

	/**
	 * Decode an object until its parts are shared, then as the next state of another
	 * object and of itself.
	 */
	@SuppressWarnings("unchecked")
	private <T> void compareShared(ProtobufObjects<T> objects, Class<?> type, byte[] message, String expected)
			throws Exception {
		for (int i = 0; i < 5; i++) {
			T decoded = objects.decode(new MessageReader(), message, 0, message.length,
					new Sharing<>((T) this.latest.get(type)));
			assertThat(JSON.serialize(decoded)).isEqualTo(expected);
			if (i > 2) {
				this.latest.put(type, Objects.requireNonNull(decoded));
			}
		}
	}

	private static @Nullable Class<?> model(String apiVersion, String kind) {
		Class<?> type = ModelMapper.getApiTypeClass(apiVersion, kind);
		boolean usable = type != null && type != DynamicKubernetesObject.class
				&& KubernetesObject.class.isAssignableFrom(type);
		return (usable && MessageTables.get().message(apiVersion, kind) != null) ? type : null;
	}

	private static <T> T read(Class<T> type, String apiVersion, String kind, byte[] json) throws IOException {
		String start = "{\"kind\":\"" + kind + "List\",\"metadata\":{},\"items\":[";
		CollectingSink<T> sink = new CollectingSink<>();
		JsonWireFormat.of(type, apiVersion, kind)
			.withManagedFields()
			.readList(new SequenceInputStream(Bodies.whole(start),
					new SequenceInputStream(Bodies.whole(json), Bodies.whole("]}"))), sink);
		assertThat(sink.objects()).as(apiVersion + " " + kind).hasSize(1);
		return sink.objects().get(0);
	}

}

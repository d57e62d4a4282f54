/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.json.CollectingSink;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ControllerRevision;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Reader of arbitrary bytes as responses in protobuf, which {@code .ci/fuzz} calls. A
 * response may fail by an {@link IOException}, and by nothing else. It has the same
 * objects with shared parts as without; the parts are those of all earlier inputs.
 */
public final class MessageFuzzer {

	private static final SharedMessages SHARED = new SharedMessages(1 << 20);

	private static final List<ProtobufObjects<?>> FORMATS = List.of(objects(V1Pod.class, "v1", "Pod", false),
			objects(V1Pod.class, "v1", "Pod", true), objects(V1ConfigMap.class, "v1", "ConfigMap", false),
			objects(V1Deployment.class, "apps/v1", "Deployment", true),
			objects(V1ControllerRevision.class, "apps/v1", "ControllerRevision", false),
			objects(V1Ingress.class, "networking.k8s.io/v1", "Ingress", false),
			objects(PartialObjectMetadata.class, "meta.k8s.io/v1", "PartialObjectMetadata", false));

	private MessageFuzzer() {
	}

	private static <T extends KubernetesObject> ProtobufObjects<T> objects(Class<T> type, String apiVersion,
			String kind, boolean managedFields) {
		return Objects.requireNonNull(ProtobufObjects.of(type, apiVersion, kind, managedFields, SHARED));
	}

	/**
	 * Read one input. Its first byte selects the kind of response and of its objects.
	 * @param input the input
	 */
	public static void fuzzerTestOneInput(byte[] input) {
		if (input.length == 0) {
			return;
		}
		int selection = input[0] & 0xff;
		ProtobufObjects<?> objects = FORMATS.get((selection >> 1) % FORMATS.size());
		boolean list = (selection & 1) == 0;
		List<String> expected = read(input, objects, list, false);
		List<String> shared = read(input, objects, list, true);
		if (!shared.equals(expected)) {
			throw new IllegalStateException("Objects with shared parts " + shared + " are not " + expected);
		}
	}

	private static <T> List<String> read(byte[] input, ProtobufObjects<T> objects, boolean list, boolean shares) {
		CollectingSink<T> sink = new CollectingSink<>(shares);
		InputStream body = new ByteArrayInputStream(input, 1, input.length - 1);
		String failure = "";
		try {
			if (list) {
				new ProtobufListReader<>(body, objects, sink).read();
			}
			else {
				readWatch(body, objects, sink);
			}
		}
		catch (IOException ex) {
			failure = ex.toString();
		}
		return Stream
			.of(sink.objects().stream().map(JSON::serialize),
					sink.undecodable().stream().map(UndecodableObject::toString), Stream.of(failure))
			.flatMap((results) -> results)
			.toList();
	}

	private static <T> void readWatch(InputStream body, ProtobufObjects<T> objects, CollectingSink<T> sink)
			throws IOException {
		try (ProtobufWatchEventReader<T> events = new ProtobufWatchEventReader<>(body, objects, sink)) {
			@Nullable WatchEvent<T> event = events.next();
			while (event != null) {
				if (event instanceof WatchEvent.Change<T> change) {
					sink.accept(change.object());
				}
				else if (event instanceof WatchEvent.Undecodable<T> undecodable) {
					sink.acceptUndecodable(undecodable.object());
				}
				event = events.next();
			}
		}
	}

}

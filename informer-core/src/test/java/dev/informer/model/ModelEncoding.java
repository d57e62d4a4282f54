/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

import dev.informer.client.ListSink;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WireFormat;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.protobuf.ProtobufWireFormat;
import dev.informer.client.protobuf.SharedMessages;
import dev.informer.test.ProtobufEncoder;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Way of the pods of a {@link ModelRun} through protobuf, on which they share parts if
 * the informer permits it.
 */
final class ModelEncoding implements BiFunction<V1Pod, ObjectLookup<V1Pod>, V1Pod> {

	/** Few, so that parts displace each other. */
	private static final int SHARED_BYTES = 64;

	private final WireFormat<V1Pod> format = ProtobufWireFormat.of(V1Pod.class, "v1", "Pod",
			JsonWireFormat.of(V1Pod.class, "v1", "Pod"), false, new SharedMessages(SHARED_BYTES));

	@Override
	public V1Pod apply(V1Pod pod, ObjectLookup<V1Pod> lookup) {
		byte[] message = Objects.requireNonNull(
				ProtobufEncoder.get().message("v1", "Pod", JsonMapper.shared().readTree(JSON.serialize(pod))));
		List<V1Pod> decoded = new ArrayList<>();
		try {
			this.format.readList(
					new ByteArrayInputStream(
							ProtobufEncoder.envelope("v1", "PodList", ProtobufEncoder.bytes(2, message))),
					new ListSink<>() {

						@Override
						public @Nullable Found<V1Pod> find(ObjectState state) {
							return null;
						}

						@Override
						public boolean shares() {
							return lookup.shares();
						}

						@Override
						public @Nullable V1Pod earlier(ObjectState state) {
							return lookup.earlier(state);
						}

						@Override
						public void accept(V1Pod object) {
							decoded.add(object);
						}

						@Override
						public void acceptUndecodable(UndecodableObject object) {
							throw new IllegalStateException(object.toString());
						}

					});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return decoded.get(0);
	}

}

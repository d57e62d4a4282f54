/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.model.UndecodableObjectException;
import dev.informer.client.protobuf.SharedMessages.Entry;
import dev.informer.test.ProtobufEncoder;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Small cache of numbered parts, and pods that have parts in common.
 */
@NullMarked
public final class RacedParts {

	/** Number of different parts, and of pods. */
	public static final int COUNT = 32;

	private static final String OWNER = "owner";

	private static final int LENGTH = 16;

	private static final int MAX_BYTES = 8 * LENGTH;

	/** More than there are places for a hash. */
	private static final int AT_ONCE = 6;

	private static final String POD = """
			{"metadata": {"name": "pod-%1$d", "namespace": "shop", "labels": {"app": "web", "part": "part-%2$d"}},
			 "spec": {"containers": [{"name": "main", "image": "web:%2$d", "env": [{"name": "URL", "value": "%3$d"}],
			    "resources": {"limits": {"cpu": "50%2$dm"}}}], "volumes": [{"name": "a", "emptyDir": {}}]},
			 "status": {"phase": "Running", "podIP": "10.0.0.%3$d"}}""";

	private static final List<byte[]> messages = IntStream.range(0, COUNT)
		.mapToObj((pod) -> message(POD.formatted(pod, pod % 3, pod % 5)))
		.toList();

	/** With a cache of far fewer bytes than the parts have. */
	private static final ProtobufObjects<V1Pod> objects = Objects
		.requireNonNull(ProtobufObjects.of(V1Pod.class, "v1", "Pod", false, new SharedMessages(1 << 9)));

	private static final List<V1Pod> pods = IntStream.range(0, COUNT).mapToObj((pod) -> decode(pod, false)).toList();

	private final SharedMessages shared = new SharedMessages(MAX_BYTES);

	/**
	 * Add a few parts, which displace each other.
	 * @param first the number of the first one
	 * @param hash the hash of all of them
	 */
	public void add(int first, int hash) {
		for (int part = first; part < first + AT_ONCE; part++) {
			this.shared.add(OWNER, hash, bytes(part), part % COUNT);
		}
	}

	/**
	 * Look up the parts that are added together.
	 * @param first the number of the first one
	 * @param hash the hash of all of them
	 * @return how many are found, or which part is found in place of another one
	 */
	public String find(int first, int hash) {
		int found = 0;
		for (int part = first; part < first + AT_ONCE; part++) {
			Entry entry = this.shared.find(OWNER, hash, bytes(part), 0, LENGTH);
			if (entry != null && !entry.value().equals(part % COUNT)) {
				return entry.value() + " in place of " + part % COUNT;
			}
			found += (entry != null) ? 1 : 0;
		}
		return (found == AT_ONCE) ? "all" : (found > 0) ? "some" : "none";
	}

	private static byte[] bytes(int part) {
		return ByteBuffer.allocate(LENGTH).putInt(LENGTH - Integer.BYTES, part % COUNT).array();
	}

	/**
	 * Return whether the size is possible.
	 */
	public boolean isInBounds() {
		long bytes = this.shared.bytes();
		return bytes >= 0 && bytes <= MAX_BYTES;
	}

	/**
	 * Add a part of the maximum size, which displaces all others, and return whether the
	 * size is that of this part.
	 */
	public boolean isEmptied() {
		this.shared.add(OWNER, 0, new byte[MAX_BYTES], "all");
		return this.shared.bytes() == MAX_BYTES;
	}

	/**
	 * Decode a pod with shared parts, and return whether it is what its bytes are without
	 * sharing.
	 * @param pod the number of the pod
	 */
	public static boolean isDecodedRight(int pod) {
		return decode(pod, true).equals(pods.get(pod));
	}

	private static byte[] message(String json) {
		return Objects.requireNonNull(ProtobufEncoder.get().message("v1", "Pod", JsonMapper.shared().readTree(json)));
	}

	private static V1Pod decode(int pod, boolean shares) {
		byte[] message = messages.get(pod);
		try {
			return Objects
				.requireNonNull(objects.decode(new MessageReader(), message, 0, message.length, new Sharing(shares)));
		}
		catch (UndecodableObjectException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Whether parts are shared.
	 */
	private record Sharing(boolean shares) implements ObjectLookup<V1Pod> {

		@Override
		public @Nullable Found<V1Pod> find(ObjectState state) {
			return null;
		}

	}

}

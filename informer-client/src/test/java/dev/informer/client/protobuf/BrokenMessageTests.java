/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.json.Bodies;
import dev.informer.client.json.CollectingSink;
import dev.informer.test.ProtobufEncoder;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ControllerRevision;
import io.kubernetes.client.openapi.models.V1Pod;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.client.protobuf.ProtobufDecodingTests.field;
import static dev.informer.client.protobuf.ProtobufDecodingTests.frame;
import static dev.informer.client.protobuf.ProtobufDecodingTests.join;
import static dev.informer.client.protobuf.ProtobufDecodingTests.list;
import static dev.informer.client.protobuf.ProtobufDecodingTests.objects;
import static dev.informer.client.protobuf.ProtobufDecodingTests.pod;
import static dev.informer.client.protobuf.ProtobufDecodingTests.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for objects, frames and responses in protobuf that are broken.
 */
class BrokenMessageTests {

	private final CollectingSink<V1Pod> pods = new CollectingSink<>();

	@Test
	void frameWithTheLengthOf2Gb_failsTheWatch_withoutWaitingForIt() {
		byte[] stream = join(ByteBuffer.allocate(Integer.BYTES).putInt(Integer.MAX_VALUE).array(), new byte[100]);
		ProtobufWatchEventReader<V1Pod> watch = new ProtobufWatchEventReader<>(Bodies.whole(stream), objects(),
				(state) -> null);
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next)
			.withMessageContaining("length of a frame");
	}

	@Test
	void objectWithoutEnvelopeInAFrame_isUndecodable_andTheNextEventIsRead() throws IOException {
		byte[] event = join(field(1, text("MODIFIED")), field(2, field(1, pod("a"))));
		byte[] stream = join(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array(), event,
				frame("ADDED", "Pod", pod("b")));
		ProtobufWatchEventReader<V1Pod> watch = new ProtobufWatchEventReader<>(Bodies.whole(stream), objects(),
				(state) -> null);
		assertThat(watch.next()).isInstanceOf(WatchEvent.Undecodable.class);
		assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
		assertThat(watch.next()).isNull();
	}

	@Test
	void itemThatDoesNotFitIntoMemory_isSkippedByItsLength() throws IOException {
		byte[] beginning = pod("huge");
		long length = 1L << 31;
		byte[] next = field(2, pod("b"));
		byte[] start = join(Envelope.PREFIX, field(1, field(2, text("PodList"))), new byte[] { 2 << 3 | 2 },
				varint(1 + varint(length).length + length + next.length), new byte[] { 2 << 3 | 2 }, varint(length),
				beginning);
		InputStream body = new SequenceInputStream(Collections
			.enumeration(List.of(Bodies.whole(start), new Zeros(length - beginning.length), Bodies.whole(next))));
		new ProtobufListReader<>(body, objects(), this.pods).read();
		assertThat(this.pods.undecodable()).singleElement()
			.satisfies((object) -> assertThat(object.state().name()).isEqualTo("huge"));
		assertThat(this.pods.objects()).hasSize(1);
	}

	@Test
	void unboundedNestingOfEmbeddedJson_isUndecodable_andTheNextObjectIsRead() throws IOException {
		CollectingSink<V1ControllerRevision> revisions = revisions(nested(100_000), nested(2000), "{}");
		assertThat(revisions.undecodable()).extracting((object) -> object.state().name())
			.containsExactly("revision-0", "revision-1");
		assertThat(revisions.undecodable()).extracting(UndecodableObject::reason)
			.containsOnly("data: JSON in bytes is invalid");
		assertThat(revisions.objects()).hasSize(1);
	}

	/**
	 * The JSON is short enough to be shared.
	 */
	@Test
	void deepNestingOfEmbeddedJson_isReadAndShared() throws IOException {
		String json = nested(400);
		CollectingSink<V1ControllerRevision> revisions = revisions(json, json, json, json);
		assertThat(revisions.objects()).hasSize(4)
			.allSatisfy((revision) -> assertThat(JSON.serialize(revision.getData())).isEqualTo(json));
		assertThat(revisions.objects().get(3).getData()).isSameAs(revisions.objects().get(2).getData());
	}

	@Test
	void messagesThatAreNestedTooDeep_areMalformed() {
		byte[] message = {};
		for (int i = 0; i <= 100; i++) {
			message = field(1, message);
		}
		MessageReader reader = new MessageReader();
		reader.reset(message, 0, message.length);
		assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> {
			while (reader.hasNext()) {
				reader.tag();
				reader.enter();
			}
		}).withMessageContaining("nested more than 100 deep");
	}

	private static String nested(int depth) {
		return "[".repeat(depth) + "]".repeat(depth);
	}

	private static CollectingSink<V1ControllerRevision> revisions(String... data) throws IOException {
		CollectingSink<V1ControllerRevision> revisions = new CollectingSink<>();
		byte[] items = {};
		for (int i = 0; i < data.length; i++) {
			items = join(items,
					field(2, join(field(1, field(1, text("revision-" + i))), field(2, field(1, text(data[i]))))));
		}
		new ProtobufListReader<>(Bodies.whole(ProtobufEncoder.envelope("apps/v1", "ControllerRevisionList", items)),
				Objects.requireNonNull(ProtobufObjects.of(V1ControllerRevision.class, "apps/v1", "ControllerRevision",
						false, new SharedMessages(1 << 20))),
				revisions)
			.read();
		return revisions;
	}

	/**
	 * Corrupts whole responses. They may fail or lose objects, but only as a corrupted
	 * response may: at once, and by an {@link IOException}.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2 })
	void corruptedResponse_endsOrFails(long seed) {
		Random random = new Random(seed);
		ProtobufObjects<V1Pod> objects = objects();
		byte[] list = list(field(2, pod("a")), field(2, pod("b")));
		byte[] watch = join(frame("ADDED", "Pod", pod("a")), frame("DELETED", "Pod", pod("b")),
				frame("ERROR", "Status", field(4, text("Expired"))));
		for (int round = 0; round < 5000; round++) {
			byte[] corruptedList = corrupted(list, random);
			assertEnds("list, seed " + seed + ", round " + round,
					() -> new ProtobufListReader<>(Bodies.whole(corruptedList), objects, this.pods).read());
			ProtobufWatchEventReader<V1Pod> events = new ProtobufWatchEventReader<>(
					Bodies.whole(corrupted(watch, random)), objects, (state) -> null);
			assertEnds("watch, seed " + seed + ", round " + round, () -> {
				while (events.next() != null) {
					// the next one
				}
			});
		}
	}

	private static byte[] corrupted(byte[] bytes, Random random) {
		byte[] corrupted = Arrays.copyOf(bytes, bytes.length - (random.nextInt(4) / 3) * random.nextInt(bytes.length));
		for (int i = 0; i <= random.nextInt(3); i++) {
			corrupted[random.nextInt(corrupted.length)] = (byte) random.nextInt();
		}
		return corrupted;
	}

	private static void assertEnds(String description, ThrowingCallable reading) {
		Throwable thrown = catchThrowable(reading);
		if (thrown != null) {
			assertThat(thrown).as(description).isInstanceOf(IOException.class);
		}
	}

	private static byte[] varint(long value) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		long rest = value;
		for (; rest > 0x7f; rest >>>= 7) {
			out.write((int) rest & 0x7f | 0x80);
		}
		out.write((int) rest);
		return out.toByteArray();
	}

	/**
	 * Stream of zeros.
	 */
	private static final class Zeros extends InputStream {

		private long rest;

		Zeros(long length) {
			this.rest = length;
		}

		@Override
		public int read() {
			return (this.rest-- > 0) ? 0 : -1;
		}

		@Override
		public int read(byte[] buffer, int offset, int length) {
			if (this.rest <= 0) {
				return -1;
			}
			int count = (int) Math.min(length, this.rest);
			Arrays.fill(buffer, offset, offset + count, (byte) 0);
			this.rest -= count;
			return count;
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import dev.informer.client.ListPage;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.json.Bodies;
import dev.informer.client.json.CollectingSink;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.test.ProtobufEncoder;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of lists and watches in protobuf.
 */
class ProtobufDecodingTests {

	private static final String POD = """
			{"metadata": {"name": "%s", "namespace": "shop", "uid": "uid-%s", "resourceVersion": "7",
			  "creationTimestamp": "2026-01-02T03:04:05Z", "labels": {"app": "web", "tier": "grün"}},
			 "spec": {"containers": [{"name": "main", "image": "web:1", "resources": {"limits": {"cpu": "500m"}},
			    "ports": [{"containerPort": 80}], "livenessProbe": {"httpGet": {"port": "http"}}}],
			    "volumes": [{"name": "data", "emptyDir": {}}]},
			 "status": {"phase": "Running", "podIP": "10.0.0.1"}}""";

	private final CollectingSink<V1Pod> pods = new CollectingSink<>();

	@Test
	void list_hasTheObjectsAndThePositionOfTheJson() throws IOException {
		ListPage page = read(list(field(2, pod("a")), field(2, pod("b"))));
		assertThat(page).isEqualTo(new ListPage("42", "next"));
		CollectingSink<V1Pod> expected = new CollectingSink<>();
		String json = "{\"kind\":\"PodList\",\"metadata\":{},\"items\":[" + POD.formatted("a", "a") + ","
				+ POD.formatted("b", "b") + "]}";
		JsonWireFormat.of(V1Pod.class, "v1", "Pod").readList(Bodies.whole(json), expected);
		assertThat(this.pods.objects()).isEqualTo(expected.objects());
	}

	@Test
	void list_arrivingByteByByte_isRead() throws IOException {
		new ProtobufListReader<>(Bodies.trickling(list(field(2, pod("a")))), objects(), this.pods).read();
		assertThat(this.pods.objects()).hasSize(1);
	}

	@Test
	void listOfAnEmptyPage_isRead() throws IOException {
		assertThat(read(list()).resourceVersion()).isEqualTo("42");
	}

	@Test
	void unknownFieldsOfNewerServers_areSkipped() throws IOException {
		byte[] item = join(pod("a"), field(4000, "later".getBytes(StandardCharsets.UTF_8)),
				new byte[] { (byte) 0xf8, 1, 5 });
		read(list(field(2, item), field(77, new byte[3])));
		assertThat(this.pods.objects()).hasSize(1);
	}

	@Test
	void knownObject_isNotDecoded() throws IOException {
		V1Pod cached = new V1Pod();
		CollectingSink<V1Pod> sink = new CollectingSink<>() {

			@Override
			public @Nullable Found<V1Pod> find(ObjectState state) {
				return state.equals(new ObjectState("shop", "a", "uid-a", "7")) ? new Found<>(cached) : null;
			}

		};
		new ProtobufListReader<>(Bodies.trickling(list(field(2, pod("a")))), objects(), sink).read();
		assertThat(sink.objects()).singleElement().isSameAs(cached);
	}

	@Test
	void objectThatIsBroken_isUndecodable_andTheOthersAreRead() throws IOException {
		byte[] metadata = Arrays.copyOf(pod("broken"), 60);
		byte[] invalidText = join(pod("text"), field(3, field(8, new byte[] { (byte) 0xff })));
		byte[] wrongType = join(pod("type"), new byte[] { 2 << 3, 1 });
		byte[] tooLong = join(pod("long"), new byte[] { 3 << 3 | 2, 100 });
		read(list(field(2, metadata), field(2, invalidText), field(2, wrongType), field(2, tooLong),
				field(2, pod("a"))));
		assertThat(this.pods.objects()).singleElement()
			.satisfies((pod) -> assertThat(Objects.requireNonNull(pod.getMetadata()).getName()).isEqualTo("a"));
		assertThat(this.pods.undecodable()).hasSize(4);
		assertThat(this.pods.undecodable().subList(1, 4)).extracting((object) -> object.state().name())
			.containsExactly("text", "type", "long");
	}

	@Test
	void mutatedObject_leavesTheOthersIntact() throws IOException {
		Random random = new Random(1);
		ProtobufObjects<V1Pod> objects = objects();
		for (int round = 0; round < 5000; round++) {
			byte[] mutated = pod("mutated");
			for (int i = 0; i <= random.nextInt(3); i++) {
				mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
			}
			CollectingSink<V1Pod> sink = new CollectingSink<>();
			new ProtobufListReader<>(Bodies.whole(list(field(2, pod("a")), field(2, mutated), field(2, pod("b")))),
					objects, sink)
				.read();
			assertThat(sink.objects().size() + sink.undecodable().size()).as("round %d", round).isEqualTo(3);
			assertThat(sink.objects()).extracting((pod) -> Objects.requireNonNull(pod.getMetadata()).getName())
				.startsWith("a")
				.endsWith("b");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 20, 60, 200 })
	void truncatedList_fails(int length) {
		byte[] list = Arrays.copyOf(list(field(2, pod("a"))), length);
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(list));
	}

	@Test
	void lengthThatTheBodyDoesNotHave_needsNoMemory() {
		byte[] list = join(Envelope.PREFIX, field(1, field(2, "PodList".getBytes(StandardCharsets.UTF_8))),
				new byte[] { 2 << 3 | 2, -1, -1, -1, -1, 7, 2 << 3 | 2, -16, -1, -1, -1, 7, 1 });
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(list));
	}

	@Test
	void statusInPlaceOfAList_isThrown() {
		byte[] details = join(field(4, join(field(1, text("FieldValueInvalid")), field(2, text("bad")))),
				new byte[] { 5 << 3, 9 });
		byte[] status = join(field(2, text("Failure")), field(3, text("compacted")), field(4, text("Expired")),
				field(5, details), new byte[] { 6 << 3, (byte) 0x9a, 3 });
		byte[] body = ProtobufEncoder.envelope("v1", "Status", status);
		assertThatExceptionOfType(ServerStatusException.class).isThrownBy(() -> read(body)).satisfies((ex) -> {
			assertThat(ex.status().code()).isEqualTo(410);
			assertThat(ex.status().reason()).isEqualTo("Expired");
			assertThat(ex.status().message()).isEqualTo("compacted");
			assertThat(ex.status().causes()).containsExactly("FieldValueInvalid");
			assertThat(ex.status().retryAfter()).hasSeconds(9);
		});
	}

	@Test
	void bodyThatIsNoProtobuf_isRejected() {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> read(text("<html>not the API server</html>")))
			.withMessageContaining("expected a list");
	}

	@Test
	void metadataOfObjects_isRead_andEntireObjectsAreRejected() throws IOException {
		ProtobufObjects<PartialObjectMetadata> metadata = Objects
			.requireNonNull(ProtobufObjects.of(PartialObjectMetadata.class, PartialObjectMetadata.API_VERSION,
					PartialObjectMetadata.KIND, false, new SharedMessages(1 << 20)));
		CollectingSink<PartialObjectMetadata> sink = new CollectingSink<>();
		byte[] list = ProtobufEncoder.envelope("meta.k8s.io/v1", "PartialObjectMetadataList",
				field(2, message("meta.k8s.io/v1", "PartialObjectMetadata", POD.formatted("a", "a"))));
		new ProtobufListReader<>(Bodies.whole(list), metadata, sink).read();
		assertThat(sink.objects()).singleElement()
			.satisfies((object) -> assertThat(object.getMetadata().getLabels()).containsEntry("app", "web"));
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> new ProtobufListReader<>(Bodies.whole(list(field(2, pod("a")))), metadata, sink).read())
			.withMessageContaining("metadata alone");
	}

	@Test
	void kindWithoutMessage_hasNoDecoder() {
		assertThat(ProtobufObjects.of(V1Pod.class, "example.com/v1", "Pod", false, new SharedMessages(1 << 20)))
			.isNull();
	}

	@Test
	void quantitiesTimesAndPorts_areThoseOfTheJson() throws IOException {
		read(list(field(2, pod("a"))));
		V1Pod pod = this.pods.objects().get(0);
		assertThat(pod.getSpec().getContainers().get(0)).satisfies((container) -> {
			assertThat(container.getResources().getLimits()).containsEntry("cpu", new Quantity("500m"));
			assertThat(container.getLivenessProbe().getHttpGet().getPort().getStrValue()).isEqualTo("http");
		});
		assertThat(pod.getSpec().getVolumes().get(0).getEmptyDir()).isNotNull();
		assertThat(pod.getMetadata().getCreationTimestamp()).hasToString("2026-01-02T03:04:05Z");
		assertThat(pod.getMetadata().getManagedFields()).isNullOrEmpty();
	}

	@Test
	void watch_hasTheEventsOfTheJson() throws IOException {
		byte[] bookmark = message("v1", "Pod", """
				{"metadata": {"resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}}""");
		byte[] stream = join(frame("ADDED", "Pod", pod("a")), frame("DELETED", "Pod", pod("a")),
				frame("BOOKMARK", "Pod", bookmark), frame("MODIFIED", "Pod", Arrays.copyOf(pod("a"), 30)),
				frame("MODIFIED", "Service", pod("a")),
				frame("ERROR", "Status", join(field(4, text("Expired")), new byte[] { 6 << 3, (byte) 0x9a, 3 })));
		ProtobufWatchEventReader<V1Pod> watch = new ProtobufWatchEventReader<>(Bodies.trickling(stream), objects(),
				(state) -> null);
		assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Change.class,
				(change) -> assertThat(change.type()).isEqualTo(ChangeType.ADDED));
		assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Change.class,
				(change) -> assertThat(change.type()).isEqualTo(ChangeType.DELETED));
		assertThat(watch.next()).isEqualTo(new WatchEvent.Bookmark<>("9", true));
		assertThat(watch.next()).isInstanceOf(WatchEvent.Undecodable.class);
		assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Undecodable.class,
				(object) -> assertThat(object.object().reason()).isEqualTo("kind: expected Pod, got Service"));
		assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Failure.class,
				(failure) -> assertThat(failure.status().code()).isEqualTo(410));
		assertThat(watch.next()).isNull();
	}

	@Test
	void unwantedObject_isSkipped_orReportedByItsState() throws IOException {
		ObjectState unwanted = new ObjectState("shop", "a", "uid-a", "7");
		CollectingSink<V1Pod> sink = new CollectingSink<>() {

			@Override
			public @Nullable Found<V1Pod> find(ObjectState state) {
				return state.equals(unwanted) ? Found.unwanted() : null;
			}

		};
		byte[] items = join(field(2, pod("a")), field(2, pod("b")), field(2, pod("a")));
		new ProtobufListReader<>(Bodies.trickling(list(items)), objects(), sink).read();
		assertThat(sink.objects()).singleElement().extracting((pod) -> pod.getMetadata().getName()).isEqualTo("b");
		byte[] stream = join(frame("MODIFIED", "Pod", pod("a")), frame("ADDED", "Pod", pod("b")));
		ProtobufWatchEventReader<V1Pod> watch = new ProtobufWatchEventReader<>(Bodies.trickling(stream), objects(),
				sink);
		assertThat(watch.next()).isEqualTo(new WatchEvent.Unwanted<>(ChangeType.MODIFIED, unwanted));
		assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
	}

	@Test
	void truncatedFrame_failsTheWatch() {
		byte[] frame = frame("ADDED", "Pod", pod("a"));
		ProtobufWatchEventReader<V1Pod> watch = new ProtobufWatchEventReader<>(
				Bodies.whole(Arrays.copyOf(frame, frame.length - 1)), objects(), (state) -> null);
		assertThatExceptionOfType(EOFException.class).isThrownBy(watch::next);
		assertThatExceptionOfType(IOException.class).isThrownBy(watch::next).withMessageContaining("already failed");
	}

	private ListPage read(byte[] body) throws IOException {
		return new ProtobufListReader<>(Bodies.whole(body), objects(), this.pods).read();
	}

	static ProtobufObjects<V1Pod> objects() {
		return Objects.requireNonNull(ProtobufObjects.of(V1Pod.class, "v1", "Pod", false, new SharedMessages(1 << 20)));
	}

	static byte[] pod(String name) {
		return message("v1", "Pod", POD.formatted(name, name));
	}

	static byte[] message(String apiVersion, String kind, String json) {
		return Objects
			.requireNonNull(ProtobufEncoder.get().message(apiVersion, kind, JsonMapper.shared().readTree(json)));
	}

	static byte[] list(byte[]... parts) {
		return ProtobufEncoder.envelope("v1", "PodList",
				join(field(1, join(field(2, text("42")), field(3, text("next")))), join(parts)));
	}

	static byte[] frame(String type, String kind, byte[] message) {
		byte[] event = join(field(1, text(type)), field(2, field(1, ProtobufEncoder.envelope("v1", kind, message))));
		return join(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array(), event);
	}

	static byte[] field(int number, byte[] content) {
		return ProtobufEncoder.bytes(number, content);
	}

	static byte[] text(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static byte[] join(byte[]... parts) {
		ByteArrayOutputStream joined = new ByteArrayOutputStream();
		List.of(parts).forEach(joined::writeBytes);
		return joined.toByteArray();
	}

}

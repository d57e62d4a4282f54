/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import com.google.protobuf.ByteString;
import dev.informer.Encoding;
import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.benchmarks.client.ServerControl;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ProtobufKind}.
 */
@Timeout(120)
class ProtobufKindTests {

	private static final int PODS = 120;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final ProtobufKind protobuf = new ProtobufKind(JsonKind.pods(PodMake.WEB));

	private final ChangeLog history = new ChangeLog(PODS, Long.MAX_VALUE);

	private ReplayServer server;

	private ServerControl control;

	@BeforeEach
	void startServer() throws IOException {
		this.server = new ReplayServer();
		this.control = new ServerControl(this.server.address());
	}

	@AfterEach
	void stopServer() throws IOException {
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void list_isReadByTheOfficialMessages(boolean encodedBefore) throws IOException {
		if (encodedBefore) {
			this.protobuf.prepare(this.history, PODS);
		}
		ReplayedPage page = new ReplayedPage(this.history, 4711, 100, PODS - 5);
		byte[] body = bytes((out) -> this.protobuf.writeList(page, out));
		V1.PodList list = V1.PodList.parseFrom(content(body, "PodList"));
		assertThat(list.getMetadata().getResourceVersion()).isEqualTo("4711");
		assertThat(list.getMetadata().getContinue()).isEqualTo(Integer.toString(PODS - 5));
		assertThat(list.getMetadata().getRemainingItemCount()).isEqualTo(5);
		assertThat(list.getItemsList()).extracting((pod) -> pod.getMetadata().getResourceVersion())
			.containsExactlyElementsOf(versions(page.first(), page.end()));
		assertThat(list.getItemsList()).allMatch((pod) -> pod.getMetadata().getManagedFieldsCount() > 0);
	}

	private List<String> versions(int first, int end) {
		return IntStream.range(first, end)
			.mapToObj((index) -> Long.toString(this.history.state(index).resourceVersion()))
			.toList();
	}

	@Test
	void events_areReadByTheOfficialMessages() throws IOException {
		ChangeLog.Event event = this.history.event(PODS + 1);
		byte[] body = bytes((out) -> {
			this.protobuf.writeEvent(event.type(), event.object(), out);
			this.protobuf.writeBookmark(4711, out);
			this.protobuf.writeExpired(out);
		});
		DataInputStream frames = new DataInputStream(new ByteArrayInputStream(body));
		Meta.WatchEvent modified = frame(frames);
		assertThat(modified.getType()).isEqualTo("MODIFIED");
		V1.Pod pod = V1.Pod.parseFrom(content(modified.getObject().getRaw().toByteArray(), "Pod"));
		assertThat(pod.getMetadata().getResourceVersion()).isEqualTo(Long.toString(event.object().resourceVersion()));
		Meta.WatchEvent bookmark = frame(frames);
		assertThat(bookmark.getType()).isEqualTo("BOOKMARK");
		V1.Pod marked = V1.Pod.parseFrom(content(bookmark.getObject().getRaw().toByteArray(), "Pod"));
		assertThat(marked.getMetadata().getResourceVersion()).isEqualTo("4711");
		assertThat(marked.getMetadata().getAnnotationsMap()).containsEntry("k8s.io/initial-events-end", "true");
		Meta.WatchEvent expired = frame(frames);
		assertThat(expired.getType()).isEqualTo("ERROR");
		assertThat(Meta.Status.parseFrom(content(expired.getObject().getRaw().toByteArray(), "Status")).getCode())
			.isEqualTo(410);
		assertThat(frames.available()).isZero();
	}

	private static Meta.WatchEvent frame(DataInputStream frames) throws IOException {
		return Meta.WatchEvent.parseFrom(frames.readNBytes(frames.readInt()));
	}

	private static ByteString content(byte[] envelope, String kind) throws IOException {
		assertThat(Arrays.copyOf(envelope, 4)).containsExactly('k', '8', 's', 0);
		Runtime.Unknown unknown = Runtime.Unknown.parseFrom(Arrays.copyOfRange(envelope, 4, envelope.length));
		assertThat(unknown.getTypeMeta().getKind()).isEqualTo(kind);
		return unknown.getRaw();
	}

	@Test
	void podsInBothEncodings_areEqualAfterListAndUpdates() throws Exception {
		assertEqualInBothEncodings(V1Pod.class, "/api/v1/pods", "pods=" + PODS + "&encoded=50", 2 * PODS + 1);
	}

	@Test
	void servicesInBothEncodings_areEqualAfterListAndUpdates() throws Exception {
		assertEqualInBothEncodings(V1Service.class, "/api/v1/services", "services=" + PODS + "&encoded=0", PODS);
	}

	@Test
	void smallObjectsInBothEncodings_areEqualAfterListAndUpdates() throws Exception {
		assertEqualInBothEncodings(V1ConfigMap.class, "/api/v1/configmaps", "small=" + PODS + "&encoded=10", PODS);
	}

	private <T extends KubernetesObject> void assertEqualInBothEncodings(Class<T> type, String path, String settings,
			int updates) throws Exception {
		this.control.reset(settings);
		try (InformerFactory first = factory(Encoding.AUTO); InformerFactory second = factory(Encoding.JSON)) {
			SharedIndexInformer<T> protobuf = first.informer(type);
			SharedIndexInformer<T> json = second.informer(type);
			first.start();
			second.start();
			assertThat(first.awaitSynced(PATIENCE) && second.awaitSynced(PATIENCE)).isTrue();
			assertThat(serialised(protobuf)).hasSize(PODS).isEqualTo(serialised(json));
			String version = this.control.events(path, updates);
			assertThat(protobuf.awaitAtLeast(version, PATIENCE) && json.awaitAtLeast(version, PATIENCE)).isTrue();
			assertThat(serialised(protobuf)).hasSize(PODS).isEqualTo(serialised(json));
			assertThat(protobuf.encoding()).hasValue("protobuf");
			assertThat(json.encoding()).hasValue("json");
		}
	}

	private InformerFactory factory(Encoding encoding) {
		ApiClient apiClient = new ApiClient();
		apiClient.setBasePath(this.server.address().toString());
		return InformerFactory.create(() -> apiClient, (factory) -> factory.defaults(
				new InformerOptions.Builder(InformerOptions.DEFAULT).managedFields(true).encoding(encoding).build()));
	}

	private static Map<String, String> serialised(SharedIndexInformer<? extends KubernetesObject> informer) {
		Map<String, String> objects = new TreeMap<>();
		informer.lister()
			.list()
			.forEach((object) -> objects.put(object.getMetadata().getNamespace() + "/" + object.getMetadata().getName(),
					new JSON().serialize(object)));
		return objects;
	}

	private static byte[] bytes(Writer writer) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		BodyOutput out = new BodyOutput(bytes);
		writer.write(out);
		out.flush();
		return bytes.toByteArray();
	}

	private interface Writer {

		void write(BodyOutput out) throws IOException;

	}

}

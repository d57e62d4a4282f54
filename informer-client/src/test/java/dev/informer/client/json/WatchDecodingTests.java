/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup.Found;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WatchDecodingTests {

	private static final String POD = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"web\",\"resourceVersion\":\"9\"},"
			+ "\"spec\":{\"containers\":[{\"name\":\"c\"}]}}";

	private final JsonWireFormat<V1Pod> format = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	private WatchEventReader<V1Pod> watch(String body) throws IOException {
		return this.format.readWatch(Bodies.whole(body));
	}

	private static String event(String type, String object) {
		return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
	}

	@ParameterizedTest
	@EnumSource
	void change_isDecoded(ChangeType type) throws IOException {
		try (WatchEventReader<V1Pod> watch = watch(event(type.name(), POD))) {
			assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Change.class, (change) -> {
				assertThat(change.type()).isEqualTo(type);
				assertThat(((V1Pod) change.object()).getMetadata())
					.isEqualTo(new V1ObjectMeta().name("web").resourceVersion("9"));
			});
			assertThat(watch.next()).isNull();
			assertThat(watch.next()).isNull();
		}
	}

	@Test
	void unwantedObject_isReportedByItsState() throws IOException {
		String events = event("MODIFIED", POD.replace("\"web\"", "\"other\"")) + event("DELETED", POD) + "{\"object\":"
				+ POD + ",\"type\":\"ADDED\"}";
		try (WatchEventReader<V1Pod> watch = this.format.readWatch(Bodies.trickling(events),
				(state) -> "web".equals(state.name()) ? Found.unwanted() : null)) {
			assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
			ObjectState state = new ObjectState(null, "web", null, "9");
			assertThat(watch.next()).isEqualTo(new WatchEvent.Unwanted<>(ChangeType.DELETED, state));
			assertThat(watch.next()).isEqualTo(new WatchEvent.Unwanted<>(ChangeType.ADDED, state));
			assertThat(watch.next()).isNull();
		}
	}

	@Test
	void objectBeforeType_isDecoded() throws IOException {
		String events = "{\"object\":" + POD + ",\"other\":[{}],\"type\":\"ADDED\"}" + event("DELETED", POD)
				+ "{\"object\":{\"metadata\":{\"resourceVersion\":\"10\"}},\"type\":\"BOOKMARK\"}";
		try (WatchEventReader<V1Pod> watch = watch(events)) {
			WatchEvent<V1Pod> added = watch.next();
			WatchEvent<V1Pod> deleted = watch.next();
			assertThat(added).isInstanceOfSatisfying(WatchEvent.Change.class, (change) -> {
				assertThat(change.type()).isEqualTo(ChangeType.ADDED);
				assertThat(((V1Pod) change.object()).getSpec().getContainers()).hasSize(1);
			});
			assertThat(deleted).isInstanceOf(WatchEvent.Change.class);
			assertThat(watch.next()).isEqualTo(new WatchEvent.Bookmark<V1Pod>("10", false));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"k8s.io/initial-events-end":"true"} | true
			{"x":"true","k8s.io/initial-events-end":"false"} | false
			{"k8s.io/initial-events-end":true} | false
			{} | false
			null | false
			""")
	void bookmark_isNotDecodedIntoModel(String annotations, boolean end) throws IOException {
		String object = "{\"kind\":\"Pod\",\"metadata\":{\"annotations\":" + annotations
				+ ",\"creationTimestamp\":null,\"resourceVersion\":\"77\",\"labels\":[]},\"spec\":{\"containers\":null},\"status\":[]}";
		try (WatchEventReader<V1Pod> watch = watch(event("BOOKMARK", object))) {
			assertThat(watch.next()).isEqualTo(new WatchEvent.Bookmark<V1Pod>("77", end));
			assertThat(watch.next()).isNull();
		}
	}

	@Test
	void errorEvent_isFailure() throws IOException {
		String status = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
				+ "\"message\":\"Too large resource version: 5, current: 4\",\"reason\":\"Timeout\",\"details\":{\"kind\":\"pods\","
				+ "\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"Too large\"},{\"message\":\"x\"},7],"
				+ "\"retryAfterSeconds\":1},\"code\":504}";
		try (WatchEventReader<V1Pod> watch = watch(event("ERROR", status) + event("ADDED", POD))) {
			assertThat(watch.next()).isEqualTo(new WatchEvent.Failure<V1Pod>(
					new ServerStatus(504, "Timeout", "Too large resource version: 5, current: 4",
							List.of("ResourceVersionTooLarge", "x"), Duration.ofSeconds(1))));
			assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
		}
	}

	@Test
	void objectOfOtherKind_isReportedWithoutName() throws IOException {
		String foreign = "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"5\"}}";
		try (WatchEventReader<V1Pod> watch = watch(event("DELETED", foreign) + event("ADDED", POD))) {
			assertThat(watch.next()).isEqualTo(new WatchEvent.Undecodable<V1Pod>(ChangeType.DELETED,
					new UndecodableObject(new ObjectState(null, null, "u", "5"), "kind: expected Pod, got ConfigMap")));
			assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
		}
	}

	@Test
	void event_isReturnedAtItsClosingBrace() throws IOException {
		String event = event("ADDED", POD).strip();
		int middle = event.length() / 2;
		String bookmark = event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"10\"}}").strip();
		InputStream body = Bodies.arriving(event, "\n" + event.substring(0, middle), event.substring(middle),
				event + event + "\n", "  \n\n  ", bookmark);
		try (WatchEventReader<V1Pod> watch = this.format.readWatch(body)) {
			for (int i = 0; i < 4; i++) {
				assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
			}
			assertThat(watch.next()).isInstanceOf(WatchEvent.Bookmark.class);
		}
	}

	@Test
	@Timeout(30)
	void eventInPipe_isReturnedWhilePipeIsOpen() throws IOException {
		byte[] event = event("ADDED", POD).strip().getBytes(StandardCharsets.UTF_8);
		try (PipedOutputStream out = new PipedOutputStream();
				WatchEventReader<V1Pod> watch = this.format.readWatch(new PipedInputStream(out, 1 << 16))) {
			for (int i = 0; i < 5; i++) {
				out.write(event);
				out.flush();
				assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
			}
		}
	}

	@Test
	void stream_isOpenedWithoutReading() throws IOException {
		try (WatchEventReader<V1Pod> watch = this.format.readWatch(Bodies.arriving())) {
			assertThat(watch).isNotNull();
		}
	}

	@Test
	void singleByteReads_areDecoded() throws IOException {
		try (WatchEventReader<V1Pod> watch = this.format
			.readWatch(Bodies.trickling(event("ADDED", POD.replace("web", "grün-東京-🚀")).repeat(2)))) {
			for (int i = 0; i < 2; i++) {
				assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Change.class,
						(change) -> assertThat(((V1Pod) change.object()).getMetadata().getName())
							.isEqualTo("grün-東京-🚀"));
			}
			assertThat(watch.next()).isNull();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"type":"RENAMED","object":{}} | expected a watch event, got one of type "RENAMED"
			{"object":{},"type":"RENAMED"} | expected a watch event, got one of type "RENAMED"
			{"type":"ADDED"} | expected a watch event, got an object without type and object
			{"object":{}} | expected a watch event, got an object without type and object
			{} | expected a watch event, got an object without type and object
			<html></html> | expected a watch event, got "<html></html>"
			[{"data":"hunter2"}] | expected a watch event, got a JSON array
			7 | expected a watch event, got "7"
			{"type":"ERROR","object":"no"} | expected an ERROR event with a Status, got one without
			{"type":"BOOKMARK","object":{}} | expected a BOOKMARK event with a resource version, got one without
			{"type":"BOOKMARK","object":7} | expected a BOOKMARK event with a resource version, got one without
			""")
	void bodyOtherThanEvent_isMalformed(String body, String message) throws IOException {
		try (WatchEventReader<V1Pod> watch = watch(body)) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next).withMessage(message);
			assertThatExceptionOfType(IOException.class).isThrownBy(watch::next);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"hunter2\"]}}",
			"{\"object\":{\"x\":hunter2]}", "{\"type\":hunter2}", "{\"type\":\"ADDED\",\"object\":hunter2}",
			"{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":hunter2}}",
			"{\"type\":\"ERROR\",\"object\":{\"metadata\":hunter2}}" })
	void invalidJson_isMalformedWithoutQuote(String event) throws IOException {
		try (WatchEventReader<V1Pod> watch = watch(event("ADDED", POD) + event)) {
			assertThat(watch.next()).isNotNull();
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next)
				.withMessageStartingWith("invalid JSON ")
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("hunter2"))
				.satisfies((ex) -> assertThat(ex).hasNoCause());
		}
	}

	@Test
	void truncatedEvent_throwsEndOfFile() throws IOException {
		String event = event("ADDED", POD.replace("\"9\"", "\"9\",\"generation\":12,\"x\":true")).strip();
		for (int length = 1; length < event.length(); length++) {
			String beginning = event.substring(0, length);
			try (WatchEventReader<V1Pod> watch = watch(event + "\n" + beginning)) {
				assertThat(watch.next()).isNotNull();
				assertThatExceptionOfType(EOFException.class).as(beginning).isThrownBy(watch::next);
			}
		}
	}

	@Test
	void emptyStream_endsCleanly() throws IOException {
		try (WatchEventReader<V1Pod> watch = watch("")) {
			assertThat(watch.next()).isNull();
		}
	}

	@Test
	void failingStream_throwsItsException() throws IOException {
		IOException failure = new IOException("reset");
		try (WatchEventReader<V1Pod> watch = this.format
			.readWatch(Bodies.breaking(event("ADDED", POD) + "{\"type\"", failure))) {
			assertThat(watch.next()).isNotNull();
			assertThatExceptionOfType(IOException.class).isThrownBy(watch::next).isSameAs(failure);
		}
	}

	@Test
	void closedStream_throws() throws IOException {
		WatchEventReader<V1Pod> watch = watch(event("ADDED", POD).repeat(2));
		assertThat(watch.next()).isNotNull();
		watch.close();
		assertThatExceptionOfType(IOException.class).isThrownBy(watch::next).withMessage("the stream was closed");
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for objects that do not fit their model, which must not affect other objects.
 */
class UndecodableObjectTests {

	private static final String META = "\"metadata\":{\"annotations\":{\"name\":\"wrong\"},\"creationTimestamp\":\"2024-05-01T10:00:00Z\","
			+ "\"name\":\"bad\",\"namespace\":\"shop\",\"ownerReferences\":[{\"name\":\"wrong\",\"uid\":\"wrong\"}],"
			+ "\"resourceVersion\":\"12\",\"uid\":\"u-1\"}";

	private static final String GOOD = "{\"metadata\":{\"name\":\"good\",\"namespace\":\"shop\"}}";

	private final JsonWireFormat<V1Pod> format = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					"spec":7 | spec: expected an object
					"spec":[{"metadata":{"name":"wrong"}}] | spec: expected an object
					"spec":{"containers":{}} | spec.containers: expected an array
					"spec":{"containers":[{},"hunter2"]} | spec.containers[1]: expected an object
					"spec":{"containers":[{},{"ports":[{"containerPort":"hunter2"}]}]} | spec.containers[1].ports[0].containerPort: expected an integer of 32 bits
					"spec":{"containers":[{"ports":[{"containerPort":99999999999}]}]} | spec.containers[0].ports[0].containerPort: expected an integer of 32 bits
					"spec":{"containers":[{"ports":[{"containerPort":1.5}]}]} | spec.containers[0].ports[0].containerPort: expected an integer of 32 bits
					"spec":{"containers":[{"ports":[{"containerPort":1e999999999}]}]} | spec.containers[0].ports[0].containerPort: expected an integer of 32 bits
					"spec":{"activeDeadlineSeconds":[1]} | spec.activeDeadlineSeconds: expected an integer of 64 bits
					"spec":{"activeDeadlineSeconds":99999999999999999999} | spec.activeDeadlineSeconds: expected an integer of 64 bits
					"spec":{"activeDeadlineSeconds":1e99999999999} | spec.activeDeadlineSeconds: expected an integer of 64 bits
					"spec":{"overhead":{"cpu":1e99999999999}} | spec.overhead.cpu: expected a quantity
					"spec":{"hostNetwork":"hunter2"} | spec.hostNetwork: expected true or false
					"spec":{"hostNetwork":{}} | spec.hostNetwork: expected true or false
					"spec":{"nodeName":{"name":"wrong"}} | spec.nodeName: expected a string
					"spec":{"nodeSelector":{"a":[]}} | spec.nodeSelector.a: expected a string
					"spec":{"nodeSelector":"hunter2"} | spec.nodeSelector: expected an object
					"spec":{"overhead":{"cpu":"hunter2"}} | spec.overhead.cpu: expected a quantity
					"spec":{"overhead":{"cpu":[1]}} | spec.overhead.cpu: expected a quantity
					"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":1.5}}}]} | spec.containers[0].livenessProbe.httpGet.port: expected an integer of 32 bits or a string
					"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":99999999999}}}]} | spec.containers[0].livenessProbe.httpGet.port: expected an integer of 32 bits
					"status":{"startTime":"hunter2"} | status.startTime: expected a timestamp
					"status":{"startTime":"2024-02-30T10:00:00Z"} | status.startTime: expected a timestamp
					"status":{"startTime":"2024-13-01T10:00:00Z"} | status.startTime: expected a timestamp
					"status":{"startTime":{}} | status.startTime: expected a timestamp
					""")
	void mismatch_isReportedAtAnyPosition(String mismatch, String reason) throws IOException {
		UndecodableObject expected = new UndecodableObject(new ObjectState("shop", "bad", "u-1", "12"), reason);
		verify("{" + mismatch + "," + META + "}", expected);
		verify("{" + META + "," + mismatch + "}", expected);
		verify("{\"x\":{" + META.replace("bad", "wrong") + "}," + mismatch + ",\"y\":[{" + META.replace("bad", "wrong")
				+ "}]," + META + "}", expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			"creationTimestamp":"hunter2" | creationTimestamp: expected a timestamp
			"labels":{"a":{"name":"wrong"}} | labels.a: expected a string
			"ownerReferences":[{"name":"wrong","controller":[]}] | ownerReferences[0].controller: expected true or false
			"generation":{"name":"wrong"} | generation: expected an integer of 64 bits
			""")
	void mismatchInMetadata_isReportedAtAnyPosition(String mismatch, String reason) throws IOException {
		String identity = "\"name\":\"bad\",\"namespace\":\"shop\",\"resourceVersion\":\"12\",\"uid\":\"u-1\"";
		UndecodableObject expected = new UndecodableObject(new ObjectState("shop", "bad", "u-1", "12"),
				"metadata." + reason);
		verify("{\"metadata\":{" + mismatch + "," + identity + "},\"spec\":{}}", expected);
		verify("{\"spec\":{},\"metadata\":{" + identity + "," + mismatch + "}}", expected);
		verify("{\"metadata\":{\"name\":\"bad\",\"uid\":\"u-1\"," + mismatch
				+ ",\"namespace\":\"shop\",\"resourceVersion\":\"12\"}}", expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"metadata":[]} | metadata: expected an object
			{"metadata":{"name":["bad"]}} | metadata.name: expected a string
			{"metadata":{"name":""}} | metadata.name: expected a name
			{"metadata":{}} | metadata.name: expected a name
			{"metadata":null} | metadata.name: expected a name
			{} | metadata.name: expected a name
			null | expected an object
			7 | expected an object
			"hunter2" | expected an object
			[{"metadata":{"name":"wrong"}}] | expected an object
			""")
	void objectWithoutName_isReportedWithoutName(String object, String reason) throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		this.format.readList(Bodies.whole(Bodies.list("Pod", object, GOOD)), sink);
		assertThat(sink.undecodable()).singleElement()
			.satisfies((undecodable) -> assertThat(undecodable.state().name()).isNullOrEmpty())
			.satisfies((undecodable) -> assertThat(undecodable.reason()).isEqualTo(reason));
		assertThat(sink.objects()).hasSize(1);
	}

	@Test
	void badBase64_isReported() throws IOException {
		JsonWireFormat<V1Secret> secrets = JsonWireFormat.of(V1Secret.class, "v1", "Secret");
		CollectingSink<V1Secret> sink = new CollectingSink<>();
		secrets.readList(Bodies.whole(Bodies.list("Secret",
				"{\"data\":{\"a\":\"YQ==\",\"b\":\"hunter2!\"}," + META + "}", "{\"data\":{\"a\":7}," + META + "}",
				"{\"data\":{\"a\":\"YQ\",\"b\":\"_-8=\",\"c\":\"Y\\nQ==\"}," + META + "}")), sink);
		assertThat(sink.undecodable()).extracting(UndecodableObject::reason)
			.containsExactly("data.b: expected base64", "data.a: expected base64");
		assertThat(sink.objects()).singleElement()
			.satisfies((secret) -> assertThat(secret.getData()).containsEntry("a", new byte[] { 'a' })
				.containsEntry("b", new byte[] { -1, -17 })
				.containsEntry("c", new byte[] { 'a' }));
	}

	@Test
	void deepNesting_isReported() throws IOException {
		JsonWireFormat<Untyped> untyped = JsonWireFormat.of(Untyped.class, "v1", "Untyped");
		CollectingSink<Untyped> sink = new CollectingSink<>();
		String tooDeep = "[".repeat(9000) + "]".repeat(9000);
		String deepEnough = "[".repeat(400) + "]".repeat(400);
		untyped.readList(
				Bodies.whole(Bodies.list("Untyped", "{\"value\":" + tooDeep + "," + META + "}",
						"{\"value\":" + deepEnough + "," + META + "}", "{\"unknown\":" + tooDeep + "," + META + "}")),
				sink);
		assertThat(sink.undecodable()).singleElement()
			.satisfies((object) -> assertThat(object.state().name()).isEqualTo("bad"))
			.satisfies((object) -> assertThat(object.reason()).endsWith("expected no more than 500 levels of nesting"));
		assertThat(sink.objects()).hasSize(2);
	}

	private void verify(String object, UndecodableObject expected) throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		this.format.readList(Bodies.trickling(Bodies.list("Pod", GOOD, object, GOOD, object)), sink);
		assertThat(sink.objects()).hasSize(2);
		assertThat(sink.undecodable()).containsExactly(expected, expected);
		String events = "{\"type\":\"DELETED\",\"object\":" + object + "}{\"object\":" + object
				+ ",\"type\":\"ADDED\"}{\"type\":\"ADDED\",\"object\":" + GOOD + "}";
		try (WatchEventReader<V1Pod> watch = this.format.readWatch(Bodies.whole(events))) {
			assertThat(watch.next()).isEqualTo(new WatchEvent.Undecodable<V1Pod>(ChangeType.DELETED, expected));
			assertThat(watch.next()).isEqualTo(new WatchEvent.Undecodable<V1Pod>(ChangeType.ADDED, expected));
			assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
			assertThat(watch.next()).isNull();
		}
	}

	static class Untyped {

		V1ObjectMeta metadata = new V1ObjectMeta();

		Object value = "";

	}

}

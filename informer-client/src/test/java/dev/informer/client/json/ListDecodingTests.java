/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ListDecodingTests {

	private static final String ITEM = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"},\"data\":{\"k\":\"v\"}}";

	private final JsonWireFormat<V1ConfigMap> format = JsonWireFormat.of(V1ConfigMap.class, "v1", "ConfigMap");

	private final CollectingSink<V1ConfigMap> sink = new CollectingSink<>();

	private ListPage read(String body) throws IOException {
		return this.format.readList(Bodies.whole(body), this.sink);
	}

	@Test
	void page_hasVersionAndContinueToken() throws IOException {
		ListPage page = read(
				"{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"remainingItemCount\":9,\"continue\":\"tok\","
						+ "\"resourceVersion\":\"42\",\"x\":{}},\"items\":[" + ITEM + "," + ITEM + "]}\n");
		assertThat(page).isEqualTo(new ListPage("42", "tok"));
		assertThat(this.sink.objects()).hasSize(2);
	}

	@Test
	void propertiesInSortedOrder_areRead() throws IOException {
		ListPage page = read("{\"apiVersion\":\"v1\",\"items\":[" + ITEM
				+ "],\"kind\":\"ConfigMapList\",\"metadata\":{\"continue\":\"\",\"resourceVersion\":\"42\"}}");
		assertThat(page).isEqualTo(new ListPage("42", null));
		assertThat(this.sink.objects()).hasSize(1);
	}

	@Test
	void nullItems_areEmpty() throws IOException {
		ListPage page = read("{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"42\"},\"items\":null}");
		assertThat(page).isEqualTo(new ListPage("42", null));
		assertThat(this.sink.objects()).isEmpty();
	}

	@Test
	void listWithoutMetadata_hasEmptyVersion() throws IOException {
		assertThat(read("{\"kind\":\"ConfigMapList\",\"items\":[],\"metadata\":null}"))
			.isEqualTo(new ListPage("", null));
	}

	@Test
	void missingVersionAndKindOfItem_areFilledIn() throws IOException {
		read(Bodies.list("ConfigMap", ITEM,
				"{\"apiVersion\":\"v2\",\"kind\":\"Other\",\"metadata\":{\"name\":\"b\"}}"));
		assertThat(this.sink.objects()).extracting(V1ConfigMap::getApiVersion).containsExactly("v1", "v2");
		assertThat(this.sink.objects()).extracting(V1ConfigMap::getKind).containsExactly("ConfigMap", "Other");
	}

	@Test
	void unknownFields_areSkipped() throws IOException {
		read(Bodies.list("ConfigMap", "{\"\":1,\"new\":{\"metadata\":{\"name\":[[{}]]}},\"" + "long".repeat(5000)
				+ "\":[1,2],\"meta\\u0064ata\":{\"na\\u006de\":\"a\",\"name2\":\"b\",\"nam\":\"c\"}}"));
		assertThat(this.sink.objects()).singleElement()
			.satisfies((map) -> assertThat(map.getMetadata().getName()).isEqualTo("a"));
	}

	@Test
	void managedFields_areSkippedByDefault() throws IOException {
		String item = "{\"metadata\":{\"managedFields\":[{\"manager\":\"kubectl\",\"time\":\"2024-05-01T10:00:00Z\","
				+ "\"fieldsV1\":{\"f:data\":{}}}],\"name\":\"a\"}}";
		read(Bodies.list("ConfigMap", item));
		this.format.withManagedFields().readList(Bodies.whole(Bodies.list("ConfigMap", item)), this.sink);
		assertThat(this.sink.objects().get(0).getMetadata().getManagedFields()).isEmpty();
		assertThat(this.sink.objects().get(1).getMetadata().getManagedFields()).singleElement()
			.satisfies((entry) -> assertThat(entry.getManager()).isEqualTo("kubectl"));
	}

	@Test
	void item_isAcceptedBeforeNextArrives() throws IOException {
		List<String> order = new ArrayList<>();
		String start = "{\"kind\":\"ConfigMapList\",\"items\":[" + ITEM;
		InputStream body = new InputStream() {

			private int parts;

			@Override
			public int read() {
				throw new UnsupportedOperationException();
			}

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				order.add("read");
				return switch (this.parts++) {
					case 0 -> Bodies.whole(start).read(buffer, offset, length);
					case 1 -> Bodies.whole("," + ITEM + "]}").read(buffer, offset, length);
					default -> -1;
				};
			}

		};
		this.format.readList(body, new CollectingSink<>() {

			@Override
			public void accept(V1ConfigMap object) {
				order.add("item");
			}

		});
		assertThat(order).containsExactly("read", "item", "read", "item");
	}

	@Test
	void body_isNotClosed() throws IOException {
		List<String> closed = new ArrayList<>();
		InputStream body = new FilterInputStream(Bodies.whole(Bodies.list("ConfigMap", ITEM))) {

			@Override
			public void close() {
				closed.add("closed");
			}

		};
		this.format.readList(body, this.sink);
		assertThat(closed).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"Status\",%s}", "{%s,\"kind\":\"Status\"}" })
	void status_isThrown(String body) {
		String properties = "\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"too old\","
				+ "\"reason\":\"Expired\",\"code\":410";
		assertThatExceptionOfType(ServerStatusException.class).isThrownBy(() -> read(body.formatted(properties)))
			.satisfies((ex) -> assertThat(ex.status())
				.isEqualTo(new ServerStatus(410, "Expired", "too old", List.of(), null)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			`` | expected a list, got an empty body
			` \n ` | expected a list, got an empty body
			`<html><b>Sign in</b>` | expected a list, got "<html><b>Sign in</b>"
			`upstream error` | expected a list, got "upstream error"
			no | expected a list, got "no"
			12 | expected a list, got "12"
			[{"data":"hunter2"}] | expected a list, got a JSON array
			{} | expected a list, got an object without kind
			{"items":[]} | expected a list, got an object without kind
			{"kind":"ConfigMapList"} | expected a list, got one without items
			{"kind":"ConfigMapList","items":{}} | expected a list, got one whose items are not an array
			{"kind":"ConfigMap","items":[{}]} | expected a list, got a ConfigMap
			{"items":[],"kind":"Table"} | expected a list, got a Table
			""")
	void bodyOtherThanList_isMalformed(String body, String message) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> read(body)).withMessage(message);
		assertThat(this.sink.undecodable()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			`k8s\0\n\013v1 hunter2` | protobuf
			`"hunter2"` | a JSON string
			`hunter2"}]}` | content of an unknown type
			`\uFEFF[{"data":"hunter2"}]` | content of an unknown type
			`apiVersion: v1\ndata: hunter2` | content of an unknown type
			`\0\0\1 hunter2` | content of an unknown type
			`\uFFFD\uFFFDddatahunter2` | content of an unknown type
			""")
	void bodyThatMayHaveObjects_isNotQuoted(String body, String type) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> read(body))
			.withMessage("expected a list, got " + type);
	}

	@Test
	void textInsteadOfList_isTruncatedAndCleaned() {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> read("<p>\u0007\r\n\t" + "x".repeat(5000)))
			.satisfies((ex) -> assertThat(ex.getMessage()).startsWith("expected a list, got \"<p> xxx")
				.hasSizeLessThan(140));
	}

	@Test
	void truncatedList_throwsEndOfFile() {
		String body = Bodies.list("ConfigMap", ITEM,
				"{\"data\":{\"n\":\"gr\u00fcn\\n\"},\"immutable\":true,\"metadata\":{\"name\":\"b\"}}");
		for (int length = 1; length < body.length(); length++) {
			String beginning = body.substring(0, length);
			assertThatExceptionOfType(EOFException.class).as(beginning).isThrownBy(() -> read(beginning));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"data\":{\"password\":\"hunter2\"]}", "{\"data\":{\"password\":hunter2]}",
			"{\"data\":{\"password\":[hunter2}}}", "{\"data\":{\"password\":hunter2}",
			"{\"data\":{\"password\":hunter2\"}}" })
	void jsonWithoutMatchingBrackets_isMalformedWithoutQuote(String item) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> read(Bodies.list("ConfigMap", ITEM, item, ITEM)))
			.withMessageStartingWith("invalid JSON ")
			.withMessageContaining("items[1].data")
			.satisfies((ex) -> assertThat(ex).hasNoCause())
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("hunter2"));
		assertThat(this.sink.objects()).hasSize(1);
	}

	@Test
	void failingBody_throwsItsException() {
		IOException failure = new IOException("reset");
		String body = Bodies.list("ConfigMap", ITEM, ITEM);
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.format.readList(Bodies.breaking(body.substring(0, 150), failure), this.sink))
			.isSameAs(failure);
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.format.readList(Bodies.breaking("", failure), this.sink))
			.isSameAs(failure);
	}

	@Test
	void exceptionOfSink_isPropagated() {
		ListSink<V1ConfigMap> failing = new ListSink<>() {

			@Override
			public void accept(V1ConfigMap object) {
				throw new IllegalStateException("full");
			}

			@Override
			public void acceptUndecodable(UndecodableObject object) {
				throw new AssertionError();
			}

		};
		assertThatIllegalStateException()
			.isThrownBy(() -> this.format.readList(Bodies.whole(Bodies.list("ConfigMap", ITEM)), failing))
			.withMessage("full");
	}

}

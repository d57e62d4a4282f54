/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.google.gson.JsonParser;
import com.google.gson.annotations.SerializedName;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the decoding and writing of users' classes that are written for Jackson.
 */
class JacksonAnnotationTests {

	private static Broker read(String spec) throws IOException {
		String json = "{\"metadata\":{\"name\":\"a\"},\"spec\":" + spec.replace('\'', '"') + "}";
		return JsonWireFormat.of(Broker.class, "example.com/v1", "Broker")
			.readObject(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
	}

	private static void assertWritten(Broker broker, String spec) {
		assertThat(ValueType.jsonOf(broker).getAsJsonObject().get("spec"))
			.isEqualTo(JsonParser.parseString(spec.replace('\'', '"')));
	}

	@Test
	void annotations_areHonoured() throws IOException {
		String json = "{'secret-name': 's', 'via-getter': 'g', 'plan': 'gold', 'level': 'high', 'port': 80, "
				+ "'size': '3Gi', 'mode': 'auto', 'text': 'field', 'count': 1}";
		Broker broker = read(json);
		Spec spec = broker.spec;
		assertThat(spec.secretName).isEqualTo("s");
		assertThat(spec.viaGetter()).isEqualTo("g");
		assertThat(spec.plan).isEqualTo(Plan.GOLD);
		assertThat(spec.level).isEqualTo(Level.HIGH);
		assertThat(spec.port).isEqualTo(Port.HTTP);
		assertThat(spec.size.gigabytes).isEqualTo(3);
		assertThat(spec.mode).isEqualTo(Mode.AUTOMATIC);
		assertThat(spec.text.value).isEqualTo("field");
		assertWritten(broker, json);
		Broker copy = ValueType.copyOf(broker);
		assertThat(copy.spec.size).isNotSameAs(spec.size);
		assertThat(ValueType.equal(copy, broker)).isTrue();
		copy.spec.size.gigabytes = 4;
		assertThat(ValueType.difference(broker, copy)).isEqualTo("spec.size");
	}

	@Test
	void alias_isReadButNotWritten() throws IOException {
		Broker broker = read("{'secretRef': 's'}");
		assertThat(broker.spec.secretName).isEqualTo("s");
		assertWritten(broker, "{'secret-name': 's', 'count': 1}");
	}

	@Test
	void ignoredProperties_areNeitherReadNorWritten() throws IOException {
		Broker broker = read("{'internal': 'x', 'hidden': 'x', 'legacy': 'x'}");
		assertThat(broker.spec.internal).isEqualTo("default");
		assertThat(broker.spec.hidden).isNull();
		assertThat(broker.spec.legacy).isNull();
		assertWritten(broker, "{'count': 1}");
	}

	@Test
	void emptyCollection_isOmittedWhereJacksonOmitsIt() throws IOException {
		Broker broker = read("{'names': [], 'kept': []}");
		assertThat(broker.spec.names).isEmpty();
		assertWritten(broker, "{'kept': [], 'count': 1}");
	}

	@Test
	void nullThatIsSkipped_leavesTheDefault() throws IOException {
		assertThat(read("{'count': null}").spec.count).isEqualTo(1);
	}

	@Test
	void unknownConstant_isNull() throws IOException {
		Spec spec = read("{'plan': 'lead', 'level': 'low', 'port': 1, 'mode': 'x', 'plans': ['lead', 'gold'], "
				+ "'byPlan': {'lead': 1, 'gold': 2}}").spec;
		assertThat(spec.plans).containsExactly(Plan.GOLD);
		assertThat(spec.byPlan).isEqualTo(Map.of(Plan.GOLD, 2));
		assertThat(spec.plan).isNull();
		assertThat(spec.level).isNull();
		assertThat(spec.port).isNull();
		assertThat(spec.mode).isNull();
	}

	@Test
	void namesOfRecordComponents_areHonoured() throws IOException {
		Broker broker = read("{'trigger': {'reference': 'i', 'metadata': {'a': 'b'}}}");
		assertThat(broker.spec.trigger).isEqualTo(new Trigger("i", Map.of("a", "b")));
		assertWritten(broker, "{'trigger': {'reference': 'i', 'metadata': {'a': 'b'}}, 'count': 1}");
	}

	@Test
	void ignoredField_mayHaveAnyType() throws IOException {
		assertThat(read("{'value': {'name': 'a', 'since': 'x'}}").spec.value.name).isEqualTo("a");
	}

	@Test
	void annotationOfASupertype_isOverridden() throws IOException {
		String json = "{'metadata': {'name': 'a'}, 'legacy': 'x', 'names': []}".replace('\'', '"');
		Generated object = JsonWireFormat.of(Generated.class, "v1", "Any")
			.readObject(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
		assertThat(object.legacy).isEqualTo("x");
		assertThat(ValueType.jsonOf(object).getAsJsonObject().has("names")).isTrue();
		assertRefused(NotOverridden.class, "Resource", "@JsonDeserialize");
	}

	@Test
	void annotationThatIsNotSupported_isNamed() {
		assertRefused(WithFormat.class, "WithFormat.date", "@JsonFormat");
		assertRefused(WithUnwrapped.class, "WithUnwrapped.metadata2", "@JsonUnwrapped");
		assertRefused(WithAnySetter.class, "WithAnySetter", "@JsonAnySetter");
		assertRefused(WithTypeInfo.class, "WithTypeInfo", "@JsonTypeInfo");
		assertRefused(WithAccess.class, "WithAccess.secret", "@JsonProperty with access = WRITE_ONLY");
		assertRefused(WithVirtualProperty.class, "getSum", "there is no field \"sum\"");
		assertRefused(WithTwoNames.class, "WithTwoNames.name", "[a, b]");
		assertRefused(WithCreatorOnly.class, "CreatorOnly", "no @JsonValue");
		assertRefused(WithValueOnly.class, "ValueOnly", "no @JsonCreator");
		assertRefused(WithOtherParameter.class, "OtherParameter", "a parameter that is no property");
	}

	private static void assertRefused(Class<?> type, String... words) {
		assertThatIllegalArgumentException().isThrownBy(() -> JsonWireFormat.of(type, "v1", "Any"))
			.satisfies((ex) -> assertThat(ex.getMessage()).startsWith("Cannot decode ").contains(words).endsWith("."));
	}

	static class Broker {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@SuppressWarnings("NullAway.Init")
		Spec spec;

	}

	@JsonPropertyOrder({ "plan", "level" })
	@JsonIgnoreProperties(value = "legacy", ignoreUnknown = true)
	@JsonInclude(JsonInclude.Include.NON_NULL)
	@SuppressWarnings("NullAway.Init")
	static class Spec {

		@JsonProperty("secret-name")
		@JsonAlias("secretRef")
		String secretName;

		private String viaGetter;

		Plan plan;

		Level level;

		Port port;

		Size size;

		Mode mode;

		Text text;

		Trigger trigger;

		Value value;

		EnumSet<Plan> plans;

		EnumMap<Plan, Integer> byPlan;

		@JsonIgnore
		String internal = "default";

		String hidden;

		String legacy;

		@JsonInclude(JsonInclude.Include.NON_EMPTY)
		@Nullable List<String> names;

		@Nullable List<String> kept;

		@JsonSetter(nulls = Nulls.SKIP)
		Integer count = 1;

		@JsonProperty("via-getter")
		String getViaGetter() {
			return this.viaGetter;
		}

		String viaGetter() {
			return this.viaGetter;
		}

		@JsonIgnore
		String getHidden() {
			return this.hidden;
		}

		@JsonIgnore
		boolean isReady() {
			return true;
		}

	}

	record Trigger(@JsonProperty("reference") String issuerRef,
			@JsonProperty("metadata") Map<String, String> settings) {
	}

	/** Without a default constructor. */
	static final class Value {

		final String name;

		@JsonIgnore
		final @Nullable Instant since;

		Value(String name, Instant since) {
			this.name = name;
			this.since = since;
		}

	}

	enum Plan {

		@JsonProperty("gold")
		GOLD

	}

	enum Level {

		HIGH("high");

		private final String text;

		Level(String text) {
			this.text = text;
		}

		@JsonValue
		String text() {
			return this.text;
		}

	}

	enum Port {

		HTTP(80);

		@JsonValue
		final int number;

		Port(int number) {
			this.number = number;
		}

	}

	enum Mode {

		@JsonProperty("auto")
		AUTOMATIC;

		@JsonCreator
		static @Nullable Mode of(String text) {
			if (!text.startsWith("auto")) {
				throw new IllegalArgumentException();
			}
			return AUTOMATIC;
		}

	}

	static final class Size {

		int gigabytes;

		@JsonCreator
		Size(String text) {
			this.gigabytes = Integer.parseInt(text.replace("Gi", ""));
		}

		@JsonValue
		String text() {
			return this.gigabytes + "Gi";
		}

	}

	static final class Text {

		@JsonValue
		final String value;

		private Text(String value) {
			this.value = value;
		}

		@JsonCreator
		static Text of(String value) {
			return new Text(value);
		}

	}

	/** As the one of fabric8, which generated classes override. */
	@JsonDeserialize(using = ValueDeserializer.class)
	@JsonInclude(JsonInclude.Include.NON_EMPTY)
	@JsonIgnoreProperties("legacy")
	interface Resource {

	}

	@JsonDeserialize(using = ValueDeserializer.None.class)
	@JsonInclude(JsonInclude.Include.NON_NULL)
	@JsonIgnoreProperties(ignoreUnknown = true)
	static class Generated implements Resource {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@Nullable String legacy;

		@Nullable List<String> names;

	}

	static class NotOverridden extends Broker implements Resource {

	}

	static class WithFormat extends Broker {

		@JsonFormat(shape = JsonFormat.Shape.STRING)
		int date;

	}

	static class WithUnwrapped extends Broker {

		@JsonUnwrapped
		@Nullable Spec metadata2;

	}

	static class WithAnySetter extends Broker {

		@JsonIgnore
		Map<String, Object> additional = Map.of();

		@JsonAnySetter
		void set(String name, Object value) {
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	static class WithTypeInfo extends Broker {

	}

	static class WithAccess extends Broker {

		@JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
		@Nullable String secret;

	}

	static class WithVirtualProperty extends Broker {

		@JsonProperty("total")
		int getSum() {
			return 1;
		}

	}

	static class WithTwoNames extends Broker {

		@SerializedName("a")
		@JsonProperty("b")
		@Nullable String name;

	}

	static class WithCreatorOnly extends Broker {

		@Nullable CreatorOnly value;

	}

	static class CreatorOnly {

		final List<String> values = new ArrayList<>();

		@JsonCreator
		CreatorOnly(String value) {
			this.values.add(value);
		}

	}

	static class WithValueOnly extends Broker {

		@Nullable ValueOnly value;

	}

	static class ValueOnly {

		@JsonValue
		String text() {
			return "a";
		}

	}

	static class WithOtherParameter extends Broker {

		@Nullable OtherParameter value;

	}

	static class OtherParameter {

		final String name;

		@JsonCreator
		OtherParameter(@JsonProperty("title") String name) {
			this.name = name;
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonParser;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.json.EmbeddedJson;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ValueType}: copies, JSON, differences, and what is refused.
 */
@SuppressWarnings("NullAway")
class ValueTypeTests {

	private static JsonElement json(String text) {
		return JsonParser.parseString(text.replace('\'', '"'));
	}

	@Test
	void collections_areCopiedIntoTheClassOfTheField() {
		Values original = new Values();
		Values copy = ValueType.copyOf(original);
		assertThat(copy.set).isInstanceOf(LinkedHashSet.class).isNotSameAs(original.set).containsExactly("b", "a");
		assertThat(copy.sorted).isInstanceOf(TreeSet.class).isNotSameAs(original.sorted);
		assertThat(copy.settings).isInstanceOf(TreeMap.class)
			.isNotSameAs(original.settings)
			.isEqualTo(original.settings);
		assertThat(copy.own).isInstanceOf(Names.class).isNotSameAs(original.own).containsExactly("n");
		assertThat(copy.levels).isInstanceOf(EnumSet.class).isNotSameAs(original.levels).containsExactly(Level.HIGH);
		assertThat(copy.array).isNotSameAs(original.array).isEqualTo(original.array);
		assertThat(copy.array[0]).isNotSameAs(original.array[0]);
		assertThat(copy.pair.names()).isNotSameAs(original.pair.names()).containsExactly("x");
		assertThat(ValueType.equal(copy, original)).isTrue();
		assertThat(ValueType.jsonOf(copy)).isEqualTo(ValueType.jsonOf(original));
	}

	@Test
	void sortedCollections_keepTheirOrder() {
		Values original = new Values();
		original.sorted = new TreeSet<>(Collections.reverseOrder());
		original.sorted.addAll(List.of("a", "b"));
		original.settings = new TreeMap<>(Collections.reverseOrder());
		original.settings.putAll(Map.of("a", 1, "b", 2));
		assertThat(ValueType.copyOf(original).sorted).containsExactly("b", "a");
		assertThat(ValueType.copyOf(original).settings.keySet()).containsExactly("b", "a");
	}

	@Test
	void difference_namesTheFirstPart() {
		Values copy = ValueType.copyOf(new Values());
		copy.pair.names().add("y");
		assertThat(ValueType.difference(new Values(), copy)).isEqualTo("pair.names");
		copy = ValueType.copyOf(new Values());
		copy.array[1][0] = 7;
		assertThat(ValueType.difference(new Values(), copy)).isEqualTo("array[1][0]");
		copy = ValueType.copyOf(new Values());
		copy.settings.put("b", 9);
		assertThat(ValueType.difference(new Values(), copy)).isEqualTo("settings.b");
	}

	@Test
	void officialModelsInRecordsAndArrays_haveNoEmptyCollections() {
		V1PodTemplateSpec template = new V1PodTemplateSpec()
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("main")));
		assertThat(ValueType.jsonOf(new Templates(template, new V1PodTemplateSpec[] { template }, List.of())))
			.isEqualTo(json("{'one': {'spec': {'containers': [{'name': 'main'}]}}, "
					+ "'many': [{'spec': {'containers': [{'name': 'main'}]}}], 'set': []}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "9007199254740993", "9223372036854775807", "9223372036854775808",
			"123456789012345678901234567890", "1.0", "0.5", "-2.25", "0.000001", "1.5e-7", "1e+21",
			"1.7976931348623157e+308", "123456789.125", "0.1", "2e-323" })
	void numberOfOpenSchema_isWrittenAsItWasRead(String number) throws IOException {
		Object decoded = EmbeddedJson.TREE.decode(("{\"a\":[" + number + "]}").getBytes(StandardCharsets.UTF_8));
		assertThat(ValueType.jsonOf(decoded)).hasToString("{\"a\":[" + number + "]}");
		assertThat(ValueType.jsonOf(ValueType.copyOf(decoded))).hasToString("{\"a\":[" + number + "]}");
		Object value = ((List<?>) ((Map<?, ?>) decoded).get("a")).get(0);
		boolean integer = number.matches("-?[0-9]+");
		boolean small = integer && new BigInteger(number).bitLength() < Long.SIZE;
		Class<?> expected = integer ? BigInteger.class : Double.class;
		assertThat(value).isInstanceOf(small ? Long.class : expected);
	}

	@Test
	void nullInOpenSchema_isWritten() {
		Object decoded = EmbeddedJson.TREE.decode("{\"a\":null,\"b\":[{\"c\":null}]}".getBytes(StandardCharsets.UTF_8));
		assertThat(ValueType.jsonOf(ValueType.copyOf(decoded))).hasToString("{\"a\":null,\"b\":[{\"c\":null}]}");
	}

	@Test
	void objectsOfTheUserInOpenSchema_areDescribedByTheirClass() {
		Map<String, Object> open = new HashMap<>();
		open.put("pair", new Pair(new ArrayList<>(List.of("x"))));
		open.put("set", new LinkedHashSet<>(List.of(1)));
		open.put("array", new int[] { 1 });
		open.put("level", Level.HIGH);
		open.put("body", Body.LARGE);
		assertThat(ValueType.jsonOf(open))
			.isEqualTo(json("{'pair': {'names': ['x']}, 'set': [1], 'array': [1], 'level': 'high', 'body': 'LARGE'}"));
		Map<String, Object> copy = ValueType.copyOf(open);
		((Pair) copy.get("pair")).names().add("y");
		((int[]) copy.get("array"))[0] = 2;
		assertThat(((Pair) open.get("pair")).names()).containsExactly("x");
		assertThat(ValueType.difference(open, copy)).isIn("pair.names", "array[0]");
	}

	@Test
	void subclassThatCodeOfTheUserSets_isDescribedByItsOwnClass() {
		Holder<Base> holder = new Holder<>();
		Derived derived = new Derived();
		derived.names.add("x");
		holder.value = derived;
		Holder<Base> copy = ValueType.copyOf(holder);
		assertThat(copy.value).isInstanceOf(Derived.class).isNotSameAs(derived);
		assertThat(ValueType.jsonOf(holder)).isEqualTo(json("{'value': {'names': ['x'], 'size': 0}}"));
		holder.value = new Base() {
			{
				this.size = 3;
			}
		};
		assertThat(ValueType.copyOf(holder).value.size).isEqualTo(3);
	}

	@Test
	void adapterOfTheUser_isCalledOncePerDirectionForACopy_andNotForEqualValues() {
		Adapted original = new Adapted();
		CountingAdapter.calls.clear();
		Adapted copy = ValueType.copyOf(original);
		assertThat(CountingAdapter.calls).containsExactly("write", "read");
		assertThat(copy.size).isNotSameAs(original.size);
		assertThat(ValueType.equal(copy, original)).isTrue();
		assertThat(CountingAdapter.calls).containsExactly("write", "read", "write", "write");
		assertThat(ValueType.equal(original, original)).isTrue();
		copy.size.append("0");
		assertThat(ValueType.difference(original, copy)).isEqualTo("size");
		assertThat(CountingAdapter.calls).hasSize(6);
	}

	@Test
	void valueThatAnAdapterWritesAsNull_isLeftOut() {
		Choices choices = new Choices();
		choices.byName.put("a", new Choice("1"));
		choices.byName.put("b", new Choice(null));
		assertThat(ValueType.jsonOf(choices)).isEqualTo(json("{'byName': {'a': '1'}, 'tree': null}"));
		choices.choice = new Choice("2");
		assertThat(ValueType.jsonOf(choices)).isEqualTo(json("{'choice': '2', 'byName': {'a': '1'}, 'tree': null}"));
	}

	@ParameterizedTest
	@CsvSource({ "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000000Z",
			"0000-01-01T00:30:00+01:00, 0000-01-01T00:30:00.000000+01:00",
			"2024-05-01T00:00:00.5+02:00, 2024-04-30T22:00:00.500000Z",
			"2024-05-01T00:00:00.123456789Z, 2024-05-01T00:00:00.123456Z",
			"9999-12-31T23:59:59-01:00, 9999-12-31T23:59:59.000000-01:00" })
	void time_isWrittenWithItsValue(String read, String written) {
		assertThat(ValueType.jsonOf(OffsetDateTime.parse(read)).getAsString()).isEqualTo(written);
	}

	@Test
	void adapterThatWritesText_isSupported() {
		Textual original = new Textual();
		assertThat(ValueType.jsonOf(original)).isEqualTo(json("{'size': {'a': 1}}"));
		assertThat(ValueType.equal(original, new Textual())).isTrue();
	}

	@Test
	void valueThatCannotBeWritten_isNamed() {
		Node node = new Node();
		node.next = new Node();
		node.next.next = node;
		invalid(() -> ValueType.jsonOf(node), "next.next.next", "contains itself");
		invalid(() -> ValueType.copyOf(node), "next.next.next", "contains itself");
		Node number = new Node();
		number.any = Map.of("a", Double.NaN);
		invalid(() -> ValueType.jsonOf(number), "of any:", "no number NaN");
		for (Number large : List.of(new BigDecimal("1e400"), new BigDecimal("-1e400"), BigInteger.TEN.pow(400))) {
			number.any = Map.of("a", large);
			invalid(() -> ValueType.jsonOf(number), "of any:", "no number as large as it");
		}
		number.any = OffsetDateTime.MAX;
		invalid(() -> ValueType.jsonOf(number), "of any:", "UTC has no time");
		Node key = new Node();
		key.any = Map.of(List.of(1), "a");
		invalid(() -> ValueType.jsonOf(key), "of any:", "Use keys of type String");
		Node failing = new Node();
		failing.next = new Node();
		failing.next.any = new Checked("a");
		Checked.failing = true;
		try {
			invalid(() -> ValueType.copyOf(failing), "of next.any:", "the constructor of " + Checked.class.getName());
		}
		finally {
			Checked.failing = false;
		}
	}

	private static void invalid(Runnable action, String... words) {
		assertThatIllegalArgumentException().isThrownBy(action::run)
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(1000).contains(words));
	}

	@Test
	void typeThatCannotBeDecoded_isRefusedWithFieldAndRemedy() {
		refused("any", "java.lang.Runnable is an interface", new Object() {
			@Nullable Runnable any;

		});
		refused("number", "ArrayBlockingQueue cannot be created", new Object() {
			java.util.concurrent.@Nullable ArrayBlockingQueue<String> number;

		});
		refused("shape", "is abstract", new Object() {
			@Nullable Shape shape;

		});
		refused("value", "its type T is not resolved", new Object() {
			@SuppressWarnings("rawtypes")
			@Nullable Holder holder;

		});
		refused("keyed", "Use a Map with keys of type String", new Object() {
			@Nullable Map<Base, String> keyed;

		});
		refused("sorted", "has no order", new Object() {
			@Nullable SortedSet<Base> sorted;

		});
		refused("value", "ever longer arguments", new Object() {
			@Nullable Growing<String> growing;

		});
		refused("optional", "Gson has no adapter", new Object() {
			java.util.@Nullable Optional<String> optional;

		});
		refused("shape", "constructor of " + Throwing.class.getName() + " threw", new Object() {
			@Nullable Throwing shape;

		});
		refused("list", "is an interface", new Object() {
			@Nullable Iterable<String> list;

		});
	}

	/**
	 * Assert that the type of the only field of an object is refused.
	 */
	private static void refused(String field, String reason, Object owner) {
		Type type = Stream.of(owner.getClass().getDeclaredFields())
			.filter((declared) -> !declared.isSynthetic())
			.findFirst()
			.orElseThrow()
			.getGenericType();
		assertThatIllegalArgumentException().isThrownBy(() -> ValueTypes.declared(type, "com.example.Type." + field))
			.withMessageStartingWith("Cannot decode ")
			.withMessageContaining(field)
			.withMessageContaining(reason)
			.withMessageMatching("(?s).*[.:] [A-Z].*\\.");
	}

	@Test
	void classWithElementsThatGsonRefuses_isCreated() {
		Times times = new Times();
		times.entries.put("a", new LinkedHashSet<>(Set.of(OffsetDateTime.MIN)));
		assertThat(ValueType.copyOf(times).entries).isInstanceOf(Entries.class).isEqualTo(times.entries);
	}

	@Test
	void descriptionOfAModel_isBuiltOnce() {
		assertThat(ValueType.of(V1Pod.class)).isSameAs(ValueType.of(V1Pod.class));
		ObjectProperty spec = ((ObjectType) ValueType.of(V1Pod.class)).property("spec");
		assertThat(spec).isNotNull();
		assertThat(spec.type()).isSameAs(ValueType.of(V1PodSpec.class));
	}

	@Test
	void nullAndEmptyCollections_remain() {
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta()).spec(new V1PodSpec().volumes(List.of()));
		pod.getSpec().setContainers(null);
		V1Pod copy = ValueType.copyOf(pod);
		assertThat(copy.getSpec().getContainers()).isNull();
		assertThat(copy.getSpec().getVolumes()).isNotNull().isEmpty();
	}

	static final class Values {

		Set<String> set = new LinkedHashSet<>(Arrays.asList("b", "a"));

		SortedSet<String> sorted = new TreeSet<>(List.of("a", "b"));

		SortedMap<String, Integer> settings = new TreeMap<>(Map.of("a", 1, "b", 2));

		Names own = named();

		private static Names named() {
			Names names = new Names();
			names.add("n");
			return names;
		}

		EnumSet<Level> levels = EnumSet.of(Level.HIGH);

		int[][] array = { { 1 }, { 2 } };

		Pair pair = new Pair(new ArrayList<>(List.of("x")));

		Map<Level, Collection<Level>> byLevel = new LinkedHashMap<>(Map.of(Level.HIGH, List.of(Level.HIGH)));

	}

	static final class Names extends ArrayList<String> {

		private static final long serialVersionUID = 1L;

	}

	enum Level {

		@SerializedName("high")
		HIGH

	}

	enum Body {

		LARGE {
			@Override
			int size() {
				return 2;
			}
		};

		abstract int size();

	}

	record Pair(List<String> names) {
	}

	record Templates(V1PodTemplateSpec one, V1PodTemplateSpec[] many, List<String> set) {
	}

	static class Base {

		int size;

	}

	static class Derived extends Base {

		List<String> names = new ArrayList<>();

	}

	static class Holder<T> {

		@Nullable T value;

	}

	static class Growing<T> {

		@Nullable Growing<List<T>> value;

	}

	static class Node {

		@Nullable Node next;

		@Nullable Object any;

	}

	record Checked(String name) {

		static boolean failing;

		Checked {
			if (failing) {
				throw new IllegalStateException();
			}
		}

	}

	abstract static class Shape {

	}

	static class Throwing {

		Throwing() {
			throw new UnsupportedOperationException();
		}

	}

	static final class Adapted {

		@JsonAdapter(CountingAdapter.class)
		StringBuilder size = new StringBuilder("1");

	}

	static final class CountingAdapter extends TypeAdapter<StringBuilder> {

		static final List<String> calls = new ArrayList<>();

		@Override
		public StringBuilder read(JsonReader in) throws IOException {
			calls.add("read");
			return new StringBuilder(in.nextString());
		}

		@Override
		public void write(JsonWriter out, StringBuilder value) throws IOException {
			calls.add("write");
			out.value(value.toString());
		}

	}

	static final class Times {

		Entries entries = new Entries();

	}

	static final class Entries extends ConcurrentHashMap<String, Set<? extends OffsetDateTime>> {

		private static final long serialVersionUID = 1L;

	}

	static final class Choices {

		Choice choice = new Choice(null);

		Map<String, Choice> byName = new LinkedHashMap<>();

		JsonElement tree = JsonNull.INSTANCE;

	}

	@JsonAdapter(ChoiceAdapter.class)
	record Choice(@Nullable String name) {
	}

	static final class ChoiceAdapter extends TypeAdapter<Choice> {

		@Override
		public Choice read(JsonReader in) throws IOException {
			return new Choice(in.nextString());
		}

		@Override
		public void write(JsonWriter out, Choice value) throws IOException {
			out.value(value.name());
		}

	}

	static final class Textual {

		@JsonAdapter(TextAdapter.class)
		Object size = "a";

	}

	static final class TextAdapter extends TypeAdapter<Object> {

		@Override
		public Object read(JsonReader in) throws IOException {
			in.skipValue();
			return "a";
		}

		@Override
		public void write(JsonWriter out, Object value) throws IOException {
			out.jsonValue("{\"a\":1}");
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.type.ClassShape.Member;
import dev.informer.client.type.JsonSampling.Place;
import dev.informer.client.type.TypeShape.Trait;

/**
 * Generator of the source code of a class of custom resources, and of the classes,
 * records and enums that it uses, from a seed.
 */
final class TypeGenerator {

	static final String API_VERSION = "example.com/v1";

	private static final int DEPTH = 3;

	private static final List<String> REFUSED = List.of("java.time.Instant", "java.util.Optional<String>",
			"java.util.List<java.time.Duration>", "java.util.Map<java.util.List<String>, String>", "Runnable",
			"java.util.concurrent.ArrayBlockingQueue<String>", "java.util.concurrent.BlockingQueue<String>",
			"java.util.Map<String, Comparable<String>>", "java.util.TreeSet<io.kubernetes.client.custom.Quantity>",
			"Iterable<String>", "Thread");

	private final Random random;

	private final String name;

	private final StringBuilder source = new StringBuilder();

	/** Types of which each class may contain itself. */
	private final List<ClassShape> enclosing = new ArrayList<>();

	private int types;

	private int fields;

	private boolean refusable;

	private TypeGenerator(String name, long seed) {
		this.name = name;
		this.random = new Random(seed);
	}

	static GeneratedType generate(String name, long seed) {
		return new TypeGenerator(name, seed).root();
	}

	// --- Root -------------------------------------------------------------------------

	private GeneratedType root() {
		TypeShape spec = model(DEPTH);
		TypeShape status = chance(0.5) ? model(DEPTH - 1) : type(DEPTH - 1);
		boolean typed = chance(0.5);
		ClassShape shape = new ClassShape(this.name);
		shape.add(constant("apiVersion", API_VERSION))
			.add(constant("kind", this.name))
			.add(Member.of("metadata", OfficialShapes.UNNAMED_METADATA));
		String base = nextName("Base");
		boolean generic = chance(0.5);
		StringBuilder body = new StringBuilder();
		body.append("String apiVersion;\nString kind;\nio.kubernetes.client.openapi.models.V1ObjectMeta metadata")
			.append(chance(0.5) ? " = new io.kubernetes.client.openapi.models.V1ObjectMeta()" : "")
			.append(";\n");
		if (typed) {
			body.append("public String getApiVersion() { return apiVersion; }\n")
				.append("public String getKind() { return kind; }\n")
				.append("public io.kubernetes.client.openapi.models.V1ObjectMeta getMetadata() { return metadata; }\n");
		}
		if (generic) {
			body.append("S spec;\nT status;\njava.util.List<? extends S> history;\nT[] states;\n");
			shape.add(Member.of("history", list(spec))).add(Member.of("states", CollectionShape.arrayOf(status)));
		}
		shape.add(Member.of("spec", spec)).add(Member.of("status", status));
		String declared = (generic ? "abstract class " + base + "<S, T>" : "abstract class " + base)
				+ (typed ? " implements io.kubernetes.client.common.KubernetesObject" : "") + " {\n" + body + "}\n";
		StringBuilder own = new StringBuilder();
		if (!generic) {
			own.append(spec.source()).append(" spec;\n").append(status.source()).append(" status;\n");
		}
		if (chance(0.3)) {
			field(shape, own, type(DEPTH), Style.PLAIN);
		}
		if (chance(0.3)) {
			own.append("private ").append(this.name).append("() { }\n");
		}
		if (chance(0.04)) {
			own.append(REFUSED.get(this.random.nextInt(REFUSED.size()))).append(" refused;\n");
			this.refusable = true;
		}
		this.source.append(declared)
			.append("public class ")
			.append(this.name)
			.append(" extends ")
			.append(base)
			.append(generic ? "<" + spec.source() + ", " + status.source() + ">" : "")
			.append(" {\n")
			.append(own)
			.append("}\n");
		return new GeneratedType(this.name, this.source.toString(), shape, this.refusable);
	}

	/**
	 * Return a field that is filled in.
	 */
	private static Member constant(String name, String text) {
		JsonPrimitive json = new JsonPrimitive(text);
		return new Member(List.of(name), new Constant(text), json, json, false, false);
	}

	private static CollectionShape list(TypeShape elements) {
		return CollectionShape.of(CollectionShape.KINDS.get(0), elements, elements.source());
	}

	// --- Types ------------------------------------------------------------------------

	private boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	private <T> T any(List<T> choices) {
		return choices.get(this.random.nextInt(choices.size()));
	}

	private String nextName(String kind) {
		return this.name + kind + this.types++;
	}

	/**
	 * Return a reference type.
	 */
	private TypeShape type(int depth) {
		if (depth <= 0 || chance(0.35)) {
			return leaf();
		}
		return switch (this.random.nextInt(12)) {
			case 0, 1, 2 -> collection(depth);
			case 3, 4 -> map(depth);
			case 5 -> CollectionShape.arrayOf(component(depth - 1));
			case 6 -> OfficialShapes.ALL.get(this.random.nextInt(OfficialShapes.ALL.size()));
			default -> model(depth);
		};
	}

	private TypeShape leaf() {
		return chance(0.15) ? enumeration() : chance(0.6) ? any(ScalarShape.FREQUENT) : any(ScalarShape.ALL);
	}

	/**
	 * Return a type of arrays' components, which may be primitive.
	 */
	private TypeShape component(int depth) {
		TypeShape unboxed = any(ScalarShape.ALL).unboxed();
		if (unboxed != null && chance(0.6)) {
			// the array of bytes is base64
			return unboxed.declared().equals("byte") ? ScalarShape.BYTES : unboxed;
		}
		return chance(0.3) ? CollectionShape.arrayOf(component(depth)) : type(depth);
	}

	private TypeShape collection(int depth) {
		CollectionShape.Kind kind = any(CollectionShape.KINDS);
		TypeShape elements = fitting(depth - 1, kind::fits);
		if (chance(0.4) && kind.name().equals("ArrayList")) {
			return collectionOfUser(kind, elements);
		}
		return CollectionShape.of(kind, elements, argument(elements));
	}

	private TypeShape collectionOfUser(CollectionShape.Kind kind, TypeShape elements) {
		String name = nextName("Items");
		boolean generic = chance(0.5);
		this.source.append("class %s%s extends java.util.ArrayList<%s> { }\n".formatted(name, generic ? "<E>" : "",
				generic ? "E" : elements.source()));
		return new CollectionShape(generic ? name + "<" + elements.source() + ">" : name, kind, elements);
	}

	private String argument(TypeShape type) {
		return chance(0.15) ? "? extends " + type.source() : type.source();
	}

	private TypeShape map(int depth) {
		if (chance(0.05)) {
			return MapShape.properties();
		}
		MapShape.Kind kind = any(MapShape.KINDS);
		TypeShape keys = (kind.enums() || chance(0.1)) ? enumeration()
				: chance(0.6) ? ScalarShape.STRING : fitting(0, (type) -> type.is(Trait.KEY) && kind.fits(type));
		TypeShape values = type(depth - 1);
		if (chance(0.3) && kind.name().endsWith("HashMap")) {
			String name = nextName("Entries");
			this.source.append("class %s extends java.util.%s<%s, %s> { }\n".formatted(name, kind.name(), keys.source(),
					values.source()));
			return new MapShape(name, kind, keys, values);
		}
		return MapShape.of(kind, keys, values, argument(values));
	}

	/**
	 * Return a type of which something is required.
	 */
	private TypeShape fitting(int depth, Predicate<TypeShape> required) {
		for (int i = 0; i < 5; i++) {
			StringBuilder before = new StringBuilder(this.source);
			TypeShape type = type(depth);
			if (required.test(type)) {
				return type;
			}
			this.source.setLength(0);
			this.source.append(before);
		}
		List<ScalarShape> scalars = ScalarShape.ALL.stream().filter(required).toList();
		return scalars.isEmpty() ? enumeration() : any(scalars);
	}

	private TypeShape enumeration() {
		String name = nextName("Enum");
		int size = 2 + this.random.nextInt(3);
		List<List<JsonPrimitive>> constants = new ArrayList<>();
		StringBuilder body = new StringBuilder();
		boolean bodies = chance(0.3);
		for (int i = 0; i < size; i++) {
			String constant = "CONSTANT_" + i;
			List<JsonPrimitive> names = new ArrayList<>(List.of(new JsonPrimitive(constant)));
			switch (this.random.nextInt(5)) {
				case 0 -> {
					body.append("@com.google.gson.annotations.SerializedName(\"c-%d\") ".formatted(i));
					names.set(0, new JsonPrimitive("c-" + i));
				}
				case 1 -> {
					body.append(
							"@com.google.gson.annotations.SerializedName(value = \"c-%d\", alternate = \"other-%1$d\") "
								.formatted(i));
					names.set(0, new JsonPrimitive("c-" + i));
					names.add(new JsonPrimitive("other-" + i));
				}
				case 2 -> {
					body.append("@com.fasterxml.jackson.annotation.JsonProperty(\"c-%d\") ".formatted(i));
					names.set(0, new JsonPrimitive("c-" + i));
				}
				default -> {
				}
			}
			constants.add(names);
			body.append(constant).append(bodies ? " { int code() { return %d; } }".formatted(i) : "").append(",\n");
		}
		body.append(";\nint code() { return ordinal(); }\n");
		return chance(0.2) ? convertedEnum(name, size) : declare("enum " + name, body,
				new EnumShape(name, constants, Trait.HASHED, Trait.COMPARABLE, Trait.KEY, Trait.ENUM));
	}

	/**
	 * Return an enum with a {@code @JsonValue}, and with or without a creator.
	 */
	private TypeShape convertedEnum(String name, int size) {
		boolean number = chance(0.5);
		String type = number ? "int" : "String";
		StringBuilder body = new StringBuilder();
		List<List<JsonPrimitive>> constants = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			body.append("C%d(%s),\n".formatted(i, number ? i : "\"v" + i + "\""));
			constants.add(List.of(number ? new JsonPrimitive(i) : new JsonPrimitive("v" + i)));
		}
		body.append(";\nprivate final %s code;\n%s(%1$s code) { this.code = code; }\n".formatted(type, name))
			.append("@com.fasterxml.jackson.annotation.JsonValue %s code() { return this.code; }\n".formatted(type));
		boolean creator = chance(0.5);
		if (creator) {
			body.append("""
					@com.fasterxml.jackson.annotation.JsonCreator static %s of(%s code) {
					for (%1$s c : values()) { if (java.util.Objects.equals(c.code, code)) { return c; } }
					throw new IllegalArgumentException(); }
					""".formatted(name, type));
		}
		TypeShape shape = new EnumShape(name, constants, Trait.HASHED, Trait.COMPARABLE, Trait.KEY);
		return declare("enum " + name, body, (number || creator) ? new NeverUnknown(shape) : shape);
	}

	private <S extends TypeShape> S declare(String head, CharSequence body, S shape) {
		this.source.append(head).append(" {\n").append(body).append("}\n");
		return shape;
	}

	// --- Classes ----------------------------------------------------------------------

	private TypeShape model(int depth) {
		if (!this.enclosing.isEmpty() && chance(0.06)) {
			ClassShape self = any(this.enclosing);
			return chance(0.5) ? list(self) : self;
		}
		return switch (this.random.nextInt(11)) {
			case 0, 1 -> plainClass(depth, chance(0.3) ? Style.PRIVATE : Style.PLAIN);
			case 2, 3 -> plainClass(depth, Style.FINAL);
			case 4, 5 -> recordClass(depth, chance(0.4));
			case 6 -> genericClass(depth);
			case 7 -> derivedClass(depth);
			case 8 -> converted(depth);
			case 9 -> adaptedClass();
			default -> plainClass(depth, Style.PLAIN);
		};
	}

	private ClassShape plainClass(int depth, Style style) {
		String name = nextName(style.name());
		return fields(name, "class " + name, new ClassShape(name), depth, style);
	}

	private ClassShape fields(String name, String head, ClassShape shape, int depth, Style style) {
		this.enclosing.add(shape);
		StringBuilder body = new StringBuilder();
		List<String> parameters = new ArrayList<>();
		int count = 1 + this.random.nextInt(5);
		boolean creator = chance(0.3);
		for (int i = 0; i < count; i++) {
			TypeShape type = fieldType(depth - 1);
			String field = field(shape, body, type, style);
			if (style == Style.FINAL) {
				String property = creator
						? "@com.fasterxml.jackson.annotation.JsonProperty(\"%s\") ".formatted(shape.nameOf(field)) : "";
				parameters.add(property + type.declared() + " " + field);
			}
		}
		if (style == Style.FINAL) {
			body.append(creator ? "@com.fasterxml.jackson.annotation.JsonCreator " : "")
				.append(name)
				.append("(")
				.append(String.join(", ", parameters))
				.append(") {\n")
				.append(parameters.stream()
					.map((parameter) -> parameter.substring(parameter.lastIndexOf(' ') + 1))
					.map((field) -> "this." + field + " = " + field + ";\n")
					.collect(Collectors.joining()))
				.append("}\n");
		}
		else if (style == Style.PRIVATE) {
			body.append("private ").append(name).append("() { }\n");
		}
		this.enclosing.remove(shape);
		return declare(head, body, shape);
	}

	private TypeShape fieldType(int depth) {
		TypeShape type = type(depth);
		if (type instanceof ScalarShape scalar && chance(0.5)) {
			TypeShape unboxed = scalar.unboxed();
			return (unboxed != null) ? unboxed : type;
		}
		return type;
	}

	/**
	 * Add a field with its names and default, and return its name.
	 */
	private String field(ClassShape shape, StringBuilder body, TypeShape type, Style style) {
		String field = "f" + this.fields++;
		List<String> names = new ArrayList<>(List.of(field));
		body.append(annotations(field, names, body));
		boolean skipsNull = type == ScalarShape.STRING && style != Style.FINAL && chance(0.3);
		if (skipsNull) {
			body.append(
					"@com.fasterxml.jackson.annotation.JsonSetter(nulls = com.fasterxml.jackson.annotation.Nulls.SKIP) ");
		}
		boolean omitsEmpty = (is("List", type.source()) || is("Map", type.source())) && chance(0.1);
		if (omitsEmpty) {
			body.append(
					"@com.fasterxml.jackson.annotation.JsonInclude(com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY) ");
		}
		String modifier = (style == Style.FINAL) ? "private final "
				: any(List.of("", "private ", "public ", "protected "));
		body.append(modifier).append(type.declared()).append(" ").append(field);
		Member member = omitsEmpty ? Member.emptyByDefault(names, type) : Member.of(names, type);
		if (style != Style.FINAL) {
			String source = type.source();
			if (is("List", source) && chance(0.4)) {
				body.append(" = new java.util.ArrayList<>()");
				member = Member.emptyByDefault(names, type);
			}
			else if (is("Map", source) && chance(0.4)) {
				body.append(" = ").append(any(List.of("new java.util.HashMap<>()", "java.util.Map.of()")));
				member = Member.emptyByDefault(names, type);
			}
			else if (is("Set", source) && chance(0.4)) {
				body.append(" = new java.util.LinkedHashSet<>()");
				member = Member.emptyByDefault(names, type);
			}
			else if (type == ScalarShape.STRING && chance(0.3)) {
				JsonPrimitive text = new JsonPrimitive("default");
				body.append(" = \"default\"");
				member = new Member(names, type, text, skipsNull ? text : null, false, false);
			}
			else if (type.declared().equals("int") && chance(0.3)) {
				body.append(" = 42");
				member = new Member(names, type, new JsonPrimitive(42), new JsonPrimitive(42), false, false);
			}
		}
		body.append(";\n");
		shape.add(member);
		if (chance(0.1)) {
			ignoredField(shape, body);
		}
		if (chance(0.06)) {
			adaptedField(shape, body, style);
		}
		return field;
	}

	private static boolean is(String collection, String source) {
		return source.startsWith("java.util." + collection + "<") && source.endsWith(">");
	}

	private String annotations(String field, List<String> names, StringBuilder body) {
		String other = field + "-x";
		return switch (this.random.nextInt(12)) {
			case 0 -> {
				names.set(0, other);
				yield "@com.google.gson.annotations.SerializedName(\"%s\") ".formatted(other);
			}
			case 1 -> {
				names.set(0, other);
				names.addAll(List.of(field + "a1", field + "a2"));
				yield "@com.google.gson.annotations.SerializedName(value = \"%s\", alternate = { \"%sa1\", \"%2$sa2\" }) "
					.formatted(other, field);
			}
			case 2 -> {
				names.set(0, other);
				yield "@com.fasterxml.jackson.annotation.JsonProperty(\"%s\") ".formatted(other);
			}
			case 3 -> {
				names.add(field + "a1");
				yield "@com.fasterxml.jackson.annotation.JsonAlias(\"%sa1\") ".formatted(field);
			}
			case 4 -> {
				names.set(0, other);
				String suffix = field.substring(0, 1).toUpperCase() + field.substring(1);
				body.append(
						"@com.fasterxml.jackson.annotation.JsonProperty(\"%s\") Object get%s() { return this.%s; }\n"
							.formatted(other, suffix, field));
				yield "";
			}
			default -> "";
		};
	}

	private void ignoredField(ClassShape shape, StringBuilder body) {
		String field = "f" + this.fields++;
		String modifier = any(List.of("static ", "transient ", "@com.fasterxml.jackson.annotation.JsonIgnore "));
		body.append(modifier)
			.append("java.util.List<String> ")
			.append(field)
			.append(" = new java.util.ArrayList<>();\n");
		shape.add(Member.ignored(field, list(ScalarShape.STRING)));
	}

	/**
	 * Add a field with an adapter of the user.
	 */
	private void adaptedField(ClassShape shape, StringBuilder body, Style style) {
		String field = "f" + this.fields++;
		String adapter = nextName("Adapter");
		String modifier = (style == Style.FINAL) ? "private " : "";
		if (chance(0.5)) {
			body.append("@com.google.gson.annotations.JsonAdapter(%s.class) %sString %s;\n".formatted(adapter, modifier,
					field));
			adapter(adapter, "String", "out.value(value)", "in.nextString().toUpperCase()");
			shape.add(Member.of(field, new Mapped("String", ScalarShape.STRING, String::toUpperCase)));
		}
		else {
			body.append("@com.google.gson.annotations.JsonAdapter(%s.class) %sjava.util.List<String> %s;\n"
				.formatted(adapter, modifier, field));
			adapter(adapter, "java.util.List<String>", "out.value(String.join(\",\", value))",
					"new java.util.ArrayList<>(java.util.Arrays.asList(in.nextString().split(\",\", -1)))");
			shape.add(Member.of(field, new Mapped("java.util.List<String>", ScalarShape.STRING, (text) -> text)));
		}
	}

	private void adapter(String name, String type, String write, String read) {
		this.source.append("""
				class %s extends com.google.gson.TypeAdapter<%s> {
				public void write(com.google.gson.stream.JsonWriter out, %2$s value) throws java.io.IOException { %s; }
				public %2$s read(com.google.gson.stream.JsonReader in) throws java.io.IOException { return %s; }
				}
				""".formatted(name, type, write, read));
	}

	/**
	 * Return a mutable class with an adapter of the user.
	 */
	private TypeShape adaptedClass() {
		String name = nextName("Adapted");
		String adapter = nextName("Adapter");
		if (chance(0.5)) {
			adapter(adapter, name, "out.value(value.text)", "new %s(in.nextString())".formatted(name));
		}
		else {
			this.source
				.append("""
						class %s implements com.google.gson.JsonSerializer<%s>, com.google.gson.JsonDeserializer<%2$s> {
						public com.google.gson.JsonElement serialize(%2$s value, java.lang.reflect.Type type, com.google.gson.JsonSerializationContext context) {
						return new com.google.gson.JsonPrimitive(value.text); }
						public %2$s deserialize(com.google.gson.JsonElement json, java.lang.reflect.Type type, com.google.gson.JsonDeserializationContext context) {
						return new %2$s(json.getAsString()); }
						}
						"""
					.formatted(adapter, name));
		}
		String constructor = chance(0.5) ? name + "() { }\n" : "";
		return declare("@com.google.gson.annotations.JsonAdapter(%s.class) class %s".formatted(adapter, name),
				"String text;\n%s%s(String text) { this.text = text; }\n".formatted(constructor, name),
				new Mapped(name, ScalarShape.STRING, (text) -> text));
	}

	private ClassShape derivedClass(int depth) {
		String base = nextName("Parent");
		String derived = nextName("Child");
		ClassShape shape = new ClassShape(derived);
		fields(base, (chance(0.5) ? "abstract " : "") + "class " + base, shape, depth - 1, Style.PLAIN);
		return fields(derived, "class " + derived + " extends " + base, shape, depth - 1, Style.PLAIN);
	}

	/**
	 * Return a record.
	 * @param copies whether its constructor replaces lists by immutable copies
	 */
	private ClassShape recordClass(int depth, boolean copies) {
		String name = nextName("Record");
		List<TypeShape> types = new ArrayList<>();
		boolean hashed = chance(0.3);
		ClassShape shape = hashed ? new ClassShape(name, Trait.HASHED) : new ClassShape(name);
		if (!hashed) {
			this.enclosing.add(shape);
		}
		for (int i = this.random.nextInt(5); i >= 0; i--) {
			types.add(hashed ? fitting(0, (type) -> type.is(Trait.HASHED)) : fieldType(depth - 1));
		}
		this.enclosing.remove(shape);
		List<String> components = new ArrayList<>();
		StringBuilder statements = new StringBuilder();
		for (TypeShape type : types) {
			component(shape, components, statements, type, copies);
		}
		String body = statements.isEmpty() ? "" : name + " {\n" + statements + "}\n";
		return declare("record " + name + "(" + String.join(", ", components) + ")", body, shape);
	}

	private void component(ClassShape shape, List<String> components, StringBuilder statements, TypeShape type,
			boolean copies) {
		String field = "f" + this.fields++;
		List<String> names = new ArrayList<>(List.of(field));
		String annotation = "";
		switch (this.random.nextInt(6)) {
			case 0 -> {
				names.set(0, field + "-x");
				annotation = "@com.google.gson.annotations.SerializedName(\"%s-x\") ".formatted(field);
			}
			case 1 -> {
				names.set(0, field + "-x");
				annotation = "@com.fasterxml.jackson.annotation.JsonProperty(\"%s-x\") ".formatted(field);
			}
			default -> {
			}
		}
		components.add(annotation + type.declared() + " " + field);
		String source = type.source();
		if (!copies || source.contains("? extends")) {
			shape.add(Member.of(names, type));
		}
		else if (is("List", source)) {
			boolean immutable = chance(0.5);
			String copy = immutable ? "java.util.List.copyOf(%s)"
					: any(List.of("java.util.Collections.unmodifiableList(new java.util.ArrayList<>(%s))",
							"new java.util.ArrayList<>(%s)"));
			statements
				.append("%s = (%1$s != null) ? %s : java.util.List.of();\n".formatted(field, copy.formatted(field)));
			shape.add(Member.neverNull(names, immutable ? ((CollectionShape) type).copied(false) : type,
					new JsonArray()));
		}
		else if (is("Set", source) && ((CollectionShape) type).isOfScalars()) {
			statements
				.append("%s = (%1$s != null) ? java.util.Set.copyOf(%1$s) : java.util.Set.of();\n".formatted(field));
			shape.add(Member.neverNull(names, ((CollectionShape) type).copied(true), new JsonArray()));
		}
		else if (is("Map", source)) {
			boolean immutable = chance(0.5);
			String copy = immutable ? "java.util.Map.copyOf(%s)"
					: "java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(%s))";
			statements
				.append("%s = (%1$s != null) ? %s : java.util.Map.of();\n".formatted(field, copy.formatted(field)));
			shape.add(Member.neverNull(names, immutable ? ((MapShape) type).copied() : type, new JsonObject()));
		}
		else {
			shape.add(Member.of(names, type));
		}
	}

	/**
	 * Return an instance of a generic class, of which there may be another one.
	 */
	private TypeShape genericClass(int depth) {
		String name = nextName("Generic");
		boolean bounded = chance(0.4);
		boolean record = chance(0.3);
		String bound = bounded ? any(List.of(" extends Number", " extends Comparable<B>")) : "";
		List<Function<TypeShape, Function<TypeShape, TypeShape>>> template = List.of((a) -> (b) -> a, (a) -> (b) -> b,
				(a) -> (b) -> list(a), (a) -> (b) -> CollectionShape.arrayOf(a),
				(a) -> (b) -> MapShape.of(MapShape.KINDS.get(0), ScalarShape.STRING, a, a.source()),
				(a) -> (b) -> list(CollectionShape.arrayOf(b)), (a) -> (b) -> CollectionShape.arrayOf(list(a)));
		List<Integer> chosen = IntStream.range(0, template.size()).filter((any) -> chance(0.5)).boxed().toList();
		List<String> names = chosen.stream().map((any) -> "f" + this.fields++).toList();
		StringBuilder body = new StringBuilder();
		List<String> components = new ArrayList<>();
		for (int i = 0; i < names.size(); i++) {
			TypeShape declared = template.get(chosen.get(i))
				.apply(new Renamed(ScalarShape.OBJECT, "A"))
				.apply(new Renamed(ScalarShape.OBJECT, "B"));
			components.add(declared.source() + " " + names.get(i));
		}
		if (!record) {
			components.forEach((component) -> body.append(component).append(";\n"));
		}
		this.source.append("%s %s<A, B%s>%s {\n%s}\n".formatted(record ? "record" : "class", name, bound,
				record ? "(" + String.join(", ", components) + ")" : "", body));
		List<ClassShape> instances = Stream.of(1, 2).map((any) -> {
			TypeShape a = type(depth - 1);
			Predicate<TypeShape> required = bound.isEmpty() ? (type) -> true
					: (type) -> bound.contains("Number") ? type.is(Trait.NUMBER) : type.is(Trait.COMPARABLE)
							&& !type.source().contains("LocalDate") && !type.source().contains("sql.");
			TypeShape b = fitting(depth - 1, required);
			ClassShape shape = new ClassShape(name + "<" + a.source() + ", " + b.source() + ">");
			for (int i = 0; i < names.size(); i++) {
				shape.add(Member.of(names.get(i), template.get(chosen.get(i)).apply(a).apply(b)));
			}
			return shape;
		}).toList();
		if (chance(0.5)) {
			return instances.get(0);
		}
		String pair = nextName("Pair");
		ClassShape shape = new ClassShape(pair);
		return declare("class " + pair, instances.get(0).source() + " one;\n" + instances.get(1).source() + " other;\n",
				shape.add(Member.of("one", instances.get(0))).add(Member.of("other", instances.get(1))));
	}

	/**
	 * Return a class that Jackson writes as one value of another type.
	 */
	private TypeShape converted(int depth) {
		String name = nextName("Converted");
		TypeShape value = type(depth - 1);
		String type = value.source();
		StringBuilder body = new StringBuilder();
		String creator = "@com.fasterxml.jackson.annotation.JsonCreator ";
		String annotation = "@com.fasterxml.jackson.annotation.JsonValue ";
		boolean onField = chance(0.3);
		body.append("%sprivate final %s value;\n".formatted(onField ? annotation : "", type));
		boolean constructor = chance(0.5);
		body.append("%s%s(%s value) { this.value = value; }\n".formatted(constructor ? creator : "", name, type));
		if (!constructor) {
			body.append("%sstatic %s of(%s value) { return new %2$s(value); }\n".formatted(creator, name, type));
		}
		if (!onField) {
			body.append("%s%s value() { return this.value; }\n".formatted(annotation, type));
		}
		return declare("class " + name, body, new Renamed(value, name));
	}

	/**
	 * How the objects of a class are created.
	 */
	private enum Style {

		PLAIN, PRIVATE, FINAL

	}

	/**
	 * Type with the values of another one, of which it has no traits.
	 */
	private static final class Renamed extends TypeShape {

		private final TypeShape type;

		Renamed(TypeShape type, String source) {
			super(source);
			this.type = type;
		}

		@Override
		JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
			return this.type.sample(sampling, place, nullable && !this.type.isPrimitive());
		}

		@Override
		boolean isLeaf() {
			return this.type.isLeaf();
		}

	}

	/**
	 * Type whose text is another one after it was decoded.
	 */
	private static final class Mapped extends TypeShape {

		private final TypeShape texts;

		private final Function<String, String> decoded;

		Mapped(String source, TypeShape texts, Function<String, String> decoded) {
			super(source);
			this.texts = texts;
			this.decoded = decoded;
		}

		@Override
		JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
			// an empty list of texts is another one than a list with an empty text
			JsonElement input = new JsonPrimitive(
					"t" + this.texts.sample(sampling, place, false).expected().getAsString());
			return new JsonSample(input, new JsonPrimitive(this.decoded.apply(input.getAsString())));
		}

		@Override
		boolean isLeaf() {
			return true;
		}

	}

	/**
	 * Enum of which an unknown value is invalid.
	 */
	private static final class NeverUnknown extends TypeShape {

		private final TypeShape type;

		NeverUnknown(TypeShape type) {
			super(type.source(), Trait.HASHED, Trait.COMPARABLE, Trait.KEY);
			this.type = type;
		}

		@Override
		JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
			return this.type.sample(sampling, place, false);
		}

		@Override
		boolean isLeaf() {
			return true;
		}

	}

	/**
	 * Text that is always the same.
	 */
	private static final class Constant extends TypeShape {

		private final String text;

		Constant(String text) {
			super("String");
			this.text = text;
		}

		@Override
		JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
			return JsonSample.of(new JsonPrimitive(this.text));
		}

	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import com.google.gson.ExclusionStrategy;
import com.google.gson.FieldAttributes;
import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonSerializer;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;
import dev.informer.client.type.ConvertedType.Conversion;
import dev.informer.client.type.ObjectType.Creator;
import dev.informer.client.type.ObjectType.Unconstructed;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Builder of the descriptions of a class and of all types in it. The only place that
 * knows the annotations of Gson and Jackson, records, Kotlin, and what cannot be decoded.
 * Types without a description of their own are those of a Gson adapter.
 */
final class ValueTypes {

	/** Reached only by generic classes that contain ever longer types. */
	private static final int MAX_NAME = 1_000;

	private static final ClassValue<ValueType> TYPES = new ClassValue<>() {
		@Override
		protected ValueType computeValue(Class<?> type) {
			return isOfficialModel(type) ? officialModel(type) : new ValueTypes(false).typeOf(type, type.getName());
		}
	};

	private static final JsonObject EMPTY = new JsonObject();

	private static final Object[] NO_ARGUMENTS = {};

	/** Classes with adapters of Gson whose values are immutable. */
	private static final Set<Class<?>> IMMUTABLE = Set.of(Character.class, char.class, LocalDate.class, URI.class,
			URL.class, UUID.class, Currency.class, Locale.class);

	private final Map<Type, ValueType> types = new HashMap<>();

	private final boolean declared;

	/**
	 * Create a builder.
	 * @param declared whether the types are those that a class declares, so that each
	 * type parameter has an argument; those of a value have none
	 */
	private ValueTypes(boolean declared) {
		this.declared = declared;
	}

	static ValueType of(Class<?> type) {
		return TYPES.get(type);
	}

	/**
	 * Return the description of a declared type.
	 * @param owner the class or field with the type, for messages
	 */
	static ValueType declared(Type type, String owner) {
		return new ValueTypes(true).typeOf(type, owner);
	}

	/**
	 * Return the description of a type.
	 * @param owner the class or field with the type, for messages
	 */
	private ValueType typeOf(Type type, String owner) {
		ValueType known = this.types.get(type);
		if (known == null) {
			if (type.getTypeName().length() > MAX_NAME) {
				throw refused(owner, "its generic class contains itself with ever longer arguments",
						"Use the same arguments inside of the class");
			}
			known = build(type, TypeToken.get(type).getRawType(), owner);
			this.types.put(type, known);
		}
		return known;
	}

	private ValueType build(Type type, Class<?> raw, String owner) {
		if (type instanceof TypeVariable<?> variable) {
			if (!this.declared) {
				return TreeType.INSTANCE;
			}
			throw refused(owner, "its type " + variable + " is not resolved", "Declare a class that extends "
					+ variable.getGenericDeclaration() + " with a type in place of " + variable);
		}
		if (raw == Object.class) {
			return TreeType.INSTANCE;
		}
		if (ScalarType.isScalar(raw)) {
			return new ScalarType(raw);
		}
		if (raw == DynamicKubernetesObject.class) {
			return untypedObject();
		}
		if (raw == List.class || raw == Collection.class) {
			return new CollectionType(raw, elements(type, owner), null);
		}
		if (raw == Map.class) {
			return map(type, raw, owner);
		}
		if (isOfficialModel(raw)) {
			return TYPES.get(raw);
		}
		if (isModel(raw)) {
			AnnotatedClass annotated = new AnnotatedClass(raw);
			return (annotated.value() != null || annotated.creator() != null) ? converted(raw, annotated, owner)
					: model(type, raw, annotated, owner);
		}
		TypeAdapter<?> adapter = adapterOf(type, raw);
		if (AnnotatedClass.hasAdapter(raw) || (adapter != null && !isOfGson(adapter))) {
			return adapted(type, raw, adapter, owner);
		}
		if (raw.isEnum()) {
			return enumType(raw, owner);
		}
		if (raw.isArray()) {
			return new ArrayType(raw, typeOf(componentOf(type, raw), owner));
		}
		if (Collection.class.isAssignableFrom(raw)) {
			return collection(type, raw, owner);
		}
		if (Map.class.isAssignableFrom(raw)) {
			return map(type, raw, owner);
		}
		if (raw.isRecord() || isReflective(adapter)) {
			return classWithoutDefaultConstructor(type, raw, owner);
		}
		return adapted(type, raw, adapter, owner);
	}

	private static IllegalArgumentException refused(String owner, String reason, String remedy) {
		return new IllegalArgumentException("Cannot decode " + owner + ": " + reason + ". " + remedy + ".");
	}

	/**
	 * Return Gson, which an informer of official models does not load if the server
	 * answers in protobuf.
	 */
	private static Gson gson() {
		return JSON.getGson();
	}

	/**
	 * Return Gson's adapter of a type; {@code null} if it has none. A generic type may
	 * have an argument that Gson cannot decode.
	 */
	private @Nullable TypeAdapter<?> adapterOf(Type type, Class<?> raw) {
		try {
			return gson().getAdapter(TypeToken.get(type));
		}
		catch (RuntimeException ex) {
			try {
				return gson().getAdapter(raw);
			}
			catch (RuntimeException of) {
				return null;
			}
		}
	}

	private static boolean isOfGson(TypeAdapter<?> adapter) {
		return adapter.getClass().getName().startsWith("com.google.gson.");
	}

	/**
	 * Return whether Gson fills the fields of an object.
	 */
	private static boolean isReflective(@Nullable TypeAdapter<?> adapter) {
		return adapter == null || adapter.getClass()
			.getName()
			.startsWith("com.google.gson.internal.bind.ReflectiveTypeAdapterFactory");
	}

	private ValueType untypedObject() {
		ValueType trees = typeOf(JsonObject.class, DynamicKubernetesObject.class.getName());
		return new ConvertedType(DynamicKubernetesObject.class, trees,
				(object) -> ((DynamicKubernetesObject) object).getRaw(),
				(tree) -> new DynamicKubernetesObject((JsonObject) tree), false);
	}

	private ValueType adapted(Type type, Class<?> raw, @Nullable TypeAdapter<?> adapter, String owner) {
		// Gson's adapter of excluded classes reads and writes nothing, that of classes
		// throws
		if (adapter == null || raw == Class.class
				|| adapter.getClass().getName().startsWith("com.google.gson.internal.Excluder")) {
			throw refused(owner, "Gson has no adapter of " + type.getTypeName(),
					"Change the type of the field, add a @JsonAdapter, or make it transient");
		}
		boolean immutable = IMMUTABLE.contains(raw) || InetAddress.class.isAssignableFrom(raw) || Number.class == raw;
		return new AdaptedType(raw, adapter, immutable, type.getTypeName());
	}

	/**
	 * Return the type of a field with an adapter.
	 */
	private ValueType adapted(Field field, Type type, JsonAdapter annotation) {
		String owner = AnnotatedClass.nameOf(field);
		try {
			Constructor<?> constructor = annotation.value().getDeclaredConstructor();
			constructor.setAccessible(true);
			Object instance = constructor.newInstance();
			TypeAdapter<?> adapter = null;
			if (instance instanceof TypeAdapter<?> typed) {
				adapter = annotation.nullSafe() ? typed.nullSafe() : typed;
			}
			else if (instance instanceof TypeAdapterFactory factory) {
				adapter = factory.create(gson(), TypeToken.get(type));
			}
			else if (instance instanceof JsonDeserializer<?> || instance instanceof JsonSerializer<?>) {
				Gson extended = gson().newBuilder().registerTypeAdapter(type, instance).create();
				adapter = extended.getAdapter(TypeToken.get(type));
			}
			if (adapter == null) {
				throw refused(owner, "its @JsonAdapter has no adapter of " + type.getTypeName(),
						"Let the annotation name a TypeAdapter, a factory that supports this type, or a deserializer");
			}
			return new AdaptedType(TypeToken.get(type).getRawType(), adapter, false, type.getTypeName());
		}
		catch (ReflectiveOperationException | InaccessibleObjectException ex) {
			throw new IllegalArgumentException(
					"Cannot decode " + owner + ": its adapter " + annotation.value().getName()
							+ " cannot be created. Give it a constructor without arguments that does not throw.",
					ex);
		}
	}

	// --- Enums and classes that are written as one value ------------------------------

	private ValueType enumType(Class<?> raw, String owner) {
		AnnotatedClass annotated = new AnnotatedClass(raw);
		if (annotated.value() != null || annotated.creator() != null) {
			return converted(raw, annotated, owner);
		}
		Map<Object, Object> constants = new HashMap<>();
		Map<Object, Object> names = new HashMap<>();
		Object[] all = raw.getEnumConstants();
		for (Object constant : all) {
			Set<String> read = AnnotatedClass.namesOf((Enum<?>) constant);
			names.put(constant, read.iterator().next());
			read.forEach((name) -> constants.put(name, constant));
		}
		for (Object constant : all) {
			// Gson reads this text as well
			constants.putIfAbsent(constant.toString(), constant);
		}
		return new ConvertedType(raw, typeOf(String.class, owner), names::get, constants::get, true);
	}

	private ValueType converted(Class<?> raw, AnnotatedClass annotated, String owner) {
		AccessibleObject value = annotated.value();
		Executable creator = annotated.creator();
		if (value == null && raw.isEnum() && creator != null) {
			return new ConvertedType(raw, typeOf(creator.getGenericParameterTypes()[0], owner),
					(constant) -> AnnotatedClass.namesOf((Enum<?>) constant).iterator().next(), conversion(creator),
					true);
		}
		if (value == null) {
			throw refused(owner, raw.getName() + " has a @JsonCreator of one value, but no @JsonValue",
					"Annotate the method that returns the value");
		}
		makeAccessible(value, owner);
		Type written = (value instanceof Method method) ? method.getGenericReturnType()
				: ((Field) value).getGenericType();
		Conversion to = (object) -> (value instanceof Method method) ? method.invoke(object)
				: ((Field) value).get(object);
		ValueType type = typeOf(written, owner);
		if (creator == null && raw.isEnum()) {
			return new ConvertedType(raw, type, to, inverse(raw, to, owner)::get, true);
		}
		if (creator == null || TypeToken.get(creator.getGenericParameterTypes()[0]).getRawType() != type.raw()) {
			throw refused(owner, raw.getName() + " has a @JsonValue, but no @JsonCreator with a parameter of this type",
					"Annotate a constructor or a static method that creates an object from the value");
		}
		return new ConvertedType(raw, type, to, conversion(creator), raw.isEnum());
	}

	private static Map<Object, Object> inverse(Class<?> raw, Conversion to, String owner) {
		Map<Object, Object> constants = new HashMap<>();
		for (Object constant : raw.getEnumConstants()) {
			try {
				Object value = to.convert(constant);
				if (value != null) {
					constants.put(value, constant);
				}
			}
			catch (ReflectiveOperationException ex) {
				throw refused(owner, "the @JsonValue of " + raw.getName() + "." + constant + " cannot be read",
						"Let it return a value");
			}
		}
		return constants;
	}

	private static Conversion conversion(Executable creator) {
		makeAccessible(creator, creator.toString());
		return (value) -> (creator instanceof Method method) ? method.invoke(null, value)
				: ((Constructor<?>) creator).newInstance(value);
	}

	// --- Collections and maps ----------------------------------------------------------

	private static Type componentOf(Type type, Class<?> raw) {
		return (type instanceof GenericArrayType array) ? array.getGenericComponentType() : raw.getComponentType();
	}

	private ValueType collection(Type type, Class<?> raw, String owner) {
		ValueType elements = elements(type, owner);
		return new CollectionType(raw, elements,
				this.<Collection<@Nullable Object>>factory(raw, elements.raw(), owner));
	}

	private ValueType elements(Type type, String owner) {
		return typeOf(new TypeResolution(type).argument(Collection.class, 0), owner);
	}

	private ValueType map(Type type, Class<?> raw, String owner) {
		TypeResolution resolution = new TypeResolution(type);
		boolean properties = raw == Properties.class;
		Type keys = properties ? String.class : resolution.argument(Map.class, 0);
		ValueType keyType = typeOf((keys == Object.class) ? String.class : keys, owner);
		if (!keyType.isName()) {
			throw refused(owner, "a name in JSON is a text, which " + keys.getTypeName() + " is not",
					"Use a Map with keys of type String");
		}
		ValueType values = typeOf(properties ? String.class : resolution.argument(Map.class, 1), owner);
		if (raw == Map.class) {
			return new MapType(raw, keyType, values, (keyType.raw() == String.class) ? null : LinkedHashMap::new);
		}
		return new MapType(raw, keyType, values,
				this.<Map<@Nullable Object, @Nullable Object>>factory(raw, keyType.raw(), owner));
	}

	/**
	 * Return the factory of collections or maps that a field requires: those that Gson
	 * would create.
	 * @param elements the class of the elements or keys
	 */
	@SuppressWarnings("unchecked")
	private <C> Supplier<C> factory(Class<?> raw, Class<?> elements, String owner) {
		Creator creator = creator(raw, elements);
		Object sample;
		try {
			sample = creator.create();
		}
		catch (Throwable ex) {
			throw notCreatable(raw, owner);
		}
		if (!raw.isInstance(sample)) {
			throw notCreatable(raw, owner);
		}
		boolean sorted = sample instanceof SortedSet<?> || sample instanceof SortedMap<?, ?>
				|| sample instanceof PriorityQueue<?>;
		if (sorted && elements != Object.class && !elements.isPrimitive()
				&& !Comparable.class.isAssignableFrom(elements)) {
			throw refused(owner, elements.getName() + " has no order", "Implement Comparable, or use a List or Map");
		}
		return () -> {
			try {
				return (C) creator.create();
			}
			catch (ReflectiveOperationException ex) {
				throw InvalidValueException.thrown("the constructor of " + raw.getName(), ex);
			}
		};
	}

	private static IllegalArgumentException notCreatable(Class<?> raw, String owner) {
		return refused(owner, raw.getName() + " cannot be created",
				"Use List, Set, Map or a class with a constructor without arguments");
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private Creator creator(Class<?> raw, Class<?> elements) {
		if (raw == EnumSet.class) {
			return () -> EnumSet.noneOf((Class) elements);
		}
		if (raw == EnumMap.class) {
			return () -> new EnumMap((Class) elements);
		}
		if (raw == Set.class) {
			return LinkedHashSet::new;
		}
		if (raw == SortedSet.class || raw == NavigableSet.class) {
			return TreeSet::new;
		}
		if (raw == SortedMap.class || raw == NavigableMap.class) {
			return TreeMap::new;
		}
		if (Queue.class.isAssignableFrom(raw) && raw.isInterface()) {
			return ArrayDeque::new;
		}
		TypeAdapter<?> adapter = allocator(raw);
		JsonElement empty = Map.class.isAssignableFrom(raw) ? EMPTY : new JsonArray();
		return () -> adapter.fromJsonTree(empty);
	}

	// --- Classes and records -----------------------------------------------------------

	private static boolean isOfficialModel(Class<?> raw) {
		return ObjectType.isOfficial(raw) && isModel(raw);
	}

	private static ValueType officialModel(Class<?> raw) {
		Constructor<?> constructor = Objects.requireNonNull(constructorOf(raw));
		Supplier<Object> generated = GeneratedAccess.suits(raw) ? GeneratedAccess.constructor(constructor) : null;
		Creator creator = (generated != null) ? generated::get : () -> constructor.newInstance(NO_ARGUMENTS);
		return new ObjectType(raw, creator, () -> {
			AnnotatedClass annotated = new AnnotatedClass(raw);
			TypeResolution types = new TypeResolution(raw);
			return properties(annotated, (field) -> () -> new ValueTypes(true).typeOf(field, types));
		});
	}

	private ValueType model(Type type, Class<?> raw, AnnotatedClass annotated, String owner) {
		Constructor<?> constructor = Objects.requireNonNull(constructorOf(raw));
		Object sample = sample(constructor, owner);
		return register(type, annotated,
				(source) -> new ObjectType(raw, () -> constructor.newInstance(NO_ARGUMENTS), source), sample);
	}

	/**
	 * Require that a constructor does not throw, and return what it created.
	 */
	private static Object sample(Constructor<?> constructor, String owner) {
		try {
			return constructor.newInstance();
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			Throwable cause = (ex instanceof InvocationTargetException wrapper) ? wrapper.getTargetException() : ex;
			throw new IllegalArgumentException("Cannot decode " + owner + ": the constructor of "
					+ constructor.getDeclaringClass().getName() + " threw " + cause.getClass().getName()
					+ ". Let it create an object of which nothing is set.", ex);
		}
	}

	private ValueType classWithoutDefaultConstructor(Type type, Class<?> raw, String owner) {
		if (raw.isInterface() || Modifier.isAbstract(raw.getModifiers())) {
			throw refused(owner,
					raw.getName() + " is " + (raw.isInterface() ? "an interface" : "abstract")
							+ ", so that no object can be created",
					"Use a class, Object for any value, or a Gson adapter (@JsonAdapter)");
		}
		if (isKotlin(raw)) {
			throw refused(owner, "the Kotlin class " + raw.getTypeName()
					+ " has no constructor without arguments, so that its default values and non-null types would be "
					+ "ignored", "Give each parameter of its constructor a default value");
		}
		AnnotatedClass annotated = new AnnotatedClass(raw);
		if (annotated.value() != null || annotated.creator() != null) {
			return converted(raw, annotated, owner);
		}
		if (raw.isRecord()) {
			Constructor<?> constructor = canonicalConstructor(raw, owner);
			return register(type, annotated, (source) -> new RecordType(raw, constructor, source), null);
		}
		if (raw.getName().startsWith("java.") || raw.getName().startsWith("javax.")) {
			return adapted(type, raw, null, owner);
		}
		TypeAdapter<?> adapter = allocator(raw);
		Unconstructed creator = () -> adapter.fromJsonTree(EMPTY);
		return register(type, annotated, (source) -> new ObjectType(raw, creator, source), adapter.fromJsonTree(EMPTY));
	}

	/**
	 * Return an adapter of Gson that creates empty objects, if needed without a
	 * constructor. It has no fields, and no adapters of elements, which Gson may refuse.
	 */
	private static TypeAdapter<?> allocator(Class<?> type) {
		return gson().newBuilder().setExclusionStrategies(new ExclusionStrategy() {

			@Override
			public boolean shouldSkipField(FieldAttributes field) {
				return true;
			}

			@Override
			public boolean shouldSkipClass(Class<?> any) {
				return any != type;
			}

		}).create().getAdapter(type);
	}

	private static boolean isKotlin(Class<?> type) {
		return Arrays.stream(type.getAnnotations())
			.anyMatch((annotation) -> annotation.annotationType().getName().equals("kotlin.Metadata"));
	}

	private static Constructor<?> canonicalConstructor(Class<?> raw, String owner) {
		Class<?>[] parameters = Arrays.stream(raw.getRecordComponents())
			.map(RecordComponent::getType)
			.toArray(Class<?>[]::new);
		try {
			Constructor<?> constructor = raw.getDeclaredConstructor(parameters);
			makeAccessible(constructor, owner);
			return constructor;
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException("Each record has a canonical constructor", ex);
		}
	}

	/**
	 * Register the description of a class before those of its properties, which may have
	 * the same class.
	 * @param sample an object of the class, whose final fields can be set; {@code null}
	 * for a record
	 */
	private ValueType register(Type type, AnnotatedClass annotated,
			Function<Supplier<List<ObjectProperty>>, ObjectType> factory, @Nullable Object sample) {
		List<ObjectProperty> properties = new ArrayList<>();
		ObjectType described = factory.apply(() -> properties);
		this.types.put(type, described);
		TypeResolution resolution = new TypeResolution(type);
		properties.addAll(properties(annotated, (field) -> {
			if (sample != null && Modifier.isFinal(field.getModifiers())) {
				requireSettable(field, sample);
			}
			ValueType value = typeOf(field, resolution);
			return () -> value;
		}));
		annotated.requireParametersOf(described.properties().keySet());
		return described;
	}

	/**
	 * Require that a final field can be set.
	 * @see <a href="https://openjdk.org/jeps/500">JEP 500</a>
	 */
	private static void requireSettable(Field field, Object sample) {
		try {
			field.set(sample, field.get(sample));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalArgumentException("Cannot decode " + AnnotatedClass.nameOf(field)
					+ ": it is final, which the JVM enforces. Remove the modifier final.", ex);
		}
	}

	private ValueType typeOf(Field field, TypeResolution resolution) {
		Type type;
		try {
			type = resolution.resolve(field.getGenericType());
		}
		catch (IllegalArgumentException ex) {
			throw refused(AnnotatedClass.nameOf(field),
					"its type " + field.getGenericType() + " has an argument out of bounds",
					"Declare it with other type arguments");
		}
		JsonAdapter adapter = field.getAnnotation(JsonAdapter.class);
		return (adapter != null) ? adapted(field, type, adapter) : typeOf(type, AnnotatedClass.nameOf(field));
	}

	private static List<ObjectProperty> properties(AnnotatedClass annotated,
			Function<Field, Supplier<ValueType>> types) {
		Map<String, Field> fields = new LinkedHashMap<>();
		List<ObjectProperty> properties = new ArrayList<>();
		for (Field field : annotated.fields()) {
			PropertyNames names = annotated.names(field);
			if (names == null) {
				continue;
			}
			makeAccessible(field, AnnotatedClass.nameOf(field));
			for (String name : names.all()) {
				if (fields.put(name, field) != null) {
					throw refused(AnnotatedClass.nameOf(field),
							"another field of the class has the JSON name \"" + name + "\" too", "Rename one of them");
				}
			}
			properties.add(new ObjectProperty(field, names, types.apply(field)));
		}
		return properties;
	}

	private static void makeAccessible(AccessibleObject member, String owner) {
		try {
			member.setAccessible(true);
		}
		catch (InaccessibleObjectException ex) {
			Class<?> declaring = ((Member) member).getDeclaringClass();
			throw new IllegalArgumentException("Cannot decode " + owner + ": it is inaccessible. Open the package "
					+ declaring.getPackageName() + " in its module.", ex);
		}
	}

	/**
	 * Return whether a class has a constructor without arguments, and its fields are set.
	 */
	private static boolean isModel(Class<?> type) {
		return constructorOf(type) != null;
	}

	private static @Nullable Constructor<?> constructorOf(Class<?> type) {
		boolean plain = !type.isInterface() && !type.isArray() && !type.isPrimitive() && !type.isRecord()
				&& !type.isEnum() && !Modifier.isAbstract(type.getModifiers()) && !AnnotatedClass.hasAdapter(type)
				&& type != V1Status.class && !Collection.class.isAssignableFrom(type)
				&& !Map.class.isAssignableFrom(type) && !type.getName().startsWith("java.")
				&& !type.getName().startsWith("com.google.gson.");
		if (!plain) {
			return null;
		}
		try {
			Constructor<?> constructor = type.getDeclaredConstructor();
			constructor.setAccessible(true);
			return constructor;
		}
		catch (NoSuchMethodException | InaccessibleObjectException ex) {
			return null;
		}
	}

}

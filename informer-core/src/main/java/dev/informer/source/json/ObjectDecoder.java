package dev.informer.source.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The table of one class: what to do with each of its properties. Properties that are not
 * in the table are skipped.
 */
final class ObjectDecoder implements ValueDecoder {

	private final Constructor<?> constructor;

	private final ExpectedName start = new ExpectedName("", null);

	private final ExpectedName unknown = new ExpectedName("", null);

	private Map<String, ExpectedName> names = Map.of();

	private ObjectProperty[] emptyLists = {};

	private ObjectProperty[] emptyMaps = {};

	ObjectDecoder(Constructor<?> constructor) {
		this.constructor = constructor;
	}

	/**
	 * Fills the table. Apart from the constructor, since classes refer to themselves.
	 */
	void names(Collection<ExpectedName> names) {
		this.names = new HashMap<>();
		names.forEach((name) -> this.names.put(name.name().getValue(), name));
		names.stream().findFirst().ifPresent(this.start::successor);
		this.emptyLists = initially(ArrayList.class);
		this.emptyMaps = initially(HashMap.class);
	}

	/**
	 * The properties that are empty collections of this class in a new object.
	 */
	private ObjectProperty[] initially(Class<?> collection) {
		Object sample;
		try {
			sample = this.constructor.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			return new ObjectProperty[0];
		}
		return this.names.values()
			.stream()
			.map(ExpectedName::property)
			.filter((property) -> property != null && property.isCollection()
					&& isEmpty(property.get(sample), collection))
			.toArray(ObjectProperty[]::new);
	}

	private static boolean isEmpty(@Nullable Object value, Class<?> type) {
		return value != null && value.getClass() == type && (value.equals(List.of()) || value.equals(Map.of()));
	}

	Class<?> type() {
		return this.constructor.getDeclaringClass();
	}

	@Nullable ObjectProperty property(String name) {
		ExpectedName known = this.names.get(name);
		return (known != null) ? known.property() : null;
	}

	@Override
	public Object decode(TokenReader reader) {
		Object target = create(reader);
		fill(reader, target);
		return target;
	}

	Object create(TokenReader reader) {
		try {
			Object created = this.constructor.newInstance();
			for (ObjectProperty property : this.emptyLists) {
				property.set(created, new CompactList<>());
			}
			for (ObjectProperty property : this.emptyMaps) {
				property.set(created, new CompactMap<>());
			}
			return created;
		}
		catch (InvocationTargetException ex) {
			throw reader.mismatch("an object, but the constructor of " + type().getName() + " throws "
					+ ex.getTargetException().getClass().getName());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Cannot create a " + type().getName(), ex);
		}
	}

	/**
	 * Sets the properties of an object from the JSON object whose first token is the
	 * current one.
	 */
	void fill(TokenReader reader, Object target) {
		if (!reader.parser().isExpectedStartObjectToken()) {
			throw reader.mismatch("an object");
		}
		reader.enter();
		try {
			ExpectedName name = this.start;
			while ((name = next(reader.parser(), name)) != null) {
				ObjectProperty property = name.property();
				if (property != null) {
					property.read(reader, target);
				}
				else {
					reader.parser().skipChildren();
				}
			}
		}
		catch (UndecodableValueException ex) {
			ex.leaves(this, target);
			throw ex;
		}
		reader.leave();
	}

	/**
	 * Goes to the value of the next property.
	 * @return its name; {@code null} at the end of the object
	 */
	private @Nullable ExpectedName next(JsonParser parser, ExpectedName previous) {
		ExpectedName next = previous.successor();
		if (!parser.nextName(next.name())) {
			if (parser.currentToken() == JsonToken.END_OBJECT) {
				return null;
			}
			next = this.names.getOrDefault(parser.currentName(), this.unknown);
			if (next != this.unknown) {
				previous.successor(next);
			}
		}
		parser.nextToken();
		return next;
	}

}

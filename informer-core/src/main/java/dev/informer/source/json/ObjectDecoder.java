package dev.informer.source.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.Named;

/**
 * The table of one class: what to do with each of its properties. Properties that are not
 * in the table are skipped.
 */
final class ObjectDecoder implements ValueDecoder {

	private final Constructor<?> constructor;

	private Map<String, ObjectProperty> byName = Map.of();

	private ObjectProperty[] byIndex = new ObjectProperty[0];

	private PropertyNameMatcher matcher = JsonInput.FACTORY.constructNameMatcher(List.of(), false);

	ObjectDecoder(Constructor<?> constructor) {
		this.constructor = constructor;
	}

	/**
	 * Fills the table. Apart from the constructor, since classes refer to themselves.
	 */
	void properties(Map<String, ObjectProperty> properties) {
		this.byName = new LinkedHashMap<>(properties);
		this.byIndex = this.byName.values().toArray(ObjectProperty[]::new);
		List<Named> names = new ArrayList<>(this.byName.size());
		this.byName.keySet().forEach((name) -> names.add(Named.fromString(name)));
		this.matcher = JsonInput.FACTORY.constructNameMatcher(names, false);
	}

	Class<?> type() {
		return this.constructor.getDeclaringClass();
	}

	@Nullable ObjectProperty property(String name) {
		return this.byName.get(name);
	}

	@Override
	public Object decode(TokenReader reader) {
		Object target = create(reader);
		fill(reader, target);
		return target;
	}

	Object create(TokenReader reader) {
		try {
			return this.constructor.newInstance();
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
		JsonParser parser = reader.parser();
		if (!parser.isExpectedStartObjectToken()) {
			throw reader.mismatch("an object");
		}
		reader.enter();
		try {
			int index;
			while ((index = parser.nextNameMatch(this.matcher)) != PropertyNameMatcher.MATCH_END_OBJECT) {
				parser.nextToken();
				if (index >= 0) {
					this.byIndex[index].read(reader, target);
				}
				else if (index == PropertyNameMatcher.MATCH_UNKNOWN_NAME) {
					parser.skipChildren();
				}
				else {
					throw new IllegalStateException("Neither a property nor the end of an object");
				}
			}
		}
		catch (UndecodableValueException ex) {
			ex.leaves(this, target);
			throw ex;
		}
		reader.leave();
	}

}

package dev.informer.source.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decodes objects whose names are data. The last one of a repeated name counts.
 */
final class MapDecoder implements ValueDecoder {

	private static final int FEW = 16;

	private final ValueDecoder[] values;

	/**
	 * Creates a decoder.
	 * @param values decodes the values
	 */
	MapDecoder(ValueDecoder values) {
		this.values = new ValueDecoder[] { values };
	}

	/**
	 * Creates a decoder that has several decoders of values, because what they remember
	 * is apt to differ from name to name.
	 * @param groups into how many groups the names are divided, a power of two
	 * @param values makes what decodes the values of a group
	 */
	MapDecoder(int groups, Supplier<ValueDecoder> values) {
		this.values = new ValueDecoder[groups];
		for (int i = 0; i < groups; i++) {
			this.values[i] = values.get();
		}
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (!parser.isExpectedStartObjectToken()) {
			throw reader.mismatch("an object");
		}
		reader.enter();
		ElementStack stack = reader.stack();
		int start = stack.size();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			String name = parser.currentName();
			parser.nextToken();
			stack.push(name);
			stack.push(this.values[name.hashCode() & (this.values.length - 1)].decodeNullable(reader));
		}
		reader.leave();
		return map(stack.popDownTo(start));
	}

	private static Object map(@Nullable Object[] table) {
		if (table.length <= 2 * FEW && !hasRepeatedName(table)) {
			return new CompactMap<>(table);
		}
		Map<Object, @Nullable Object> map = new LinkedHashMap<>(table.length * 2 / 3 + 1);
		for (int i = 0; i < table.length; i += 2) {
			map.put(String.valueOf(table[i]), table[i + 1]);
		}
		return map;
	}

	private static boolean hasRepeatedName(@Nullable Object[] table) {
		for (int i = 2; i < table.length; i += 2) {
			for (int j = 0; j < i; j += 2) {
				if (table[i].equals(table[j])) {
					return true;
				}
			}
		}
		return false;
	}

}

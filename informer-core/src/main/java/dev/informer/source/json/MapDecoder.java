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
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			String name = parser.currentName();
			parser.nextToken();
			map.put(name, this.values[name.hashCode() & (this.values.length - 1)].decodeNullable(reader));
		}
		reader.leave();
		return map;
	}

}

package dev.informer.source.json;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * Decodes objects whose names are data. The last one of a repeated name counts.
 */
final class MapDecoder implements ValueDecoder {

	private final ValueDecoder values;

	MapDecoder(ValueDecoder values) {
		this.values = values;
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (!parser.isExpectedStartObjectToken()) {
			throw reader.mismatch("an object");
		}
		reader.enter();
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			map.put(name, this.values.decodeNullable(reader));
		}
		reader.leave();
		return map;
	}

}

package dev.informer.source.json;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decodes arrays.
 */
final class ListDecoder implements ValueDecoder {

	private final ValueDecoder elements;

	ListDecoder(ValueDecoder elements) {
		this.elements = elements;
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (!parser.isExpectedStartArrayToken()) {
			throw reader.mismatch("an array");
		}
		reader.enter();
		List<@Nullable Object> list = new ArrayList<>(4);
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			list.add(this.elements.decodeNullable(reader));
		}
		reader.leave();
		return list;
	}

}

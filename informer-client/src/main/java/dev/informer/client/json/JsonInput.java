/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * Factory of parsers with limits beyond those of the API server, so that any object it
 * accepted can be read: strings and names of 100 million characters, 10,000 levels of
 * nesting, and numbers and documents of any size. Objects beyond the limits are skipped.
 */
final class JsonInput {

	/** The API server rejects more than 10,000 levels; a list adds a few. */
	private static final int MAX_NESTING = 10_100;

	static final JsonFactory FACTORY = JsonFactory.builder()
		.disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
		.disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
		.disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_NESTING)
			.maxNameLength(StreamReadConstraints.DEFAULT_MAX_STRING_LEN)
			.maxNumberLength(Integer.MAX_VALUE)
			.build())
		// the generator rejects a lone surrogate unless it escapes it
		.enable(JsonWriteFeature.ESCAPE_NON_ASCII)
		.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_NESTING).build())
		.build();

	/**
	 * Factory for managed fields, many of whose names are in one object alone: each new
	 * name would copy the table of all names for a short document.
	 */
	private static final JsonFactory UNSHARED_NAMES = FACTORY.rebuild()
		.disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
		// names that are not shared are read from characters, whose charset has to be
		// known
		.enable(TokenStreamFactory.Feature.CHARSET_DETECTION)
		.build();

	private JsonInput() {
	}

	/**
	 * Create a parser of a body without reading from it.
	 */
	static JsonParser parser(ResponseInputStream body) {
		return FACTORY.createParser(ObjectReadContext.empty(), (InputStream) body);
	}

	/**
	 * Open a {@linkplain #copy(JsonParser) copy} at its first token.
	 */
	static TokenReader open(byte[] copy) {
		return open(copy, FACTORY);
	}

	/**
	 * Open a copy of managed fields at its first token.
	 */
	static TokenReader openManagedFields(byte[] copy) {
		return open(copy, UNSHARED_NAMES);
	}

	private static TokenReader open(byte[] copy, JsonFactory factory) {
		ResponseInputStream body = new ResponseInputStream(new ByteArrayInputStream(copy));
		TokenReader reader = new TokenReader(body, factory.createParser(ObjectReadContext.empty(), (InputStream) body));
		reader.parser().nextToken();
		return reader;
	}

	/**
	 * Copy the current value as compact JSON in UTF-8. Its last token is the current one
	 * afterwards.
	 * @throws JacksonException if it cannot be read
	 */
	static byte[] copy(JsonParser parser) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
			int open = copyToken(parser, generator);
			while (open > 0) {
				parser.nextToken();
				open += copyToken(parser, generator);
			}
		}
		return bytes.toByteArray();
	}

	/**
	 * Copy a token, and return how many objects and arrays it opens.
	 */
	private static int copyToken(JsonParser parser, JsonGenerator generator) {
		JsonToken token = parser.currentToken();
		if (token.isNumeric()) {
			// all digits as they are: parsing a long number takes quadratic time
			generator.writeNumber(parser.getString());
		}
		else {
			generator.copyCurrentEvent(parser);
		}
		return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
	}

}

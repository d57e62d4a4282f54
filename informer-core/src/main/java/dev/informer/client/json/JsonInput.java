/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Makes parsers that are as patient as the API server is: what it has let in must not
 * blind a reader to everything behind it. Strings may have 20 million characters, values
 * may be nested as deep as the API server takes them, and a document may be of any size.
 */
final class JsonInput {

	/** The API server refuses JSON that is nested deeper than 10,000 levels. */
	private static final int DEEPEST = 10_100;

	static final JsonFactory FACTORY = JsonFactory.builder()
		.recyclerPool(new ReadBuffers())
		.disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
		.disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
		.disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(DEEPEST)
			.maxNameLength(StreamReadConstraints.DEFAULT_MAX_STRING_LEN)
			.build())
		.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
		.build();

	private JsonInput() {
	}

	/**
	 * Reads a body, nothing of which is read before the first token is asked for.
	 */
	static TokenReader open(ResponseBody body) throws IOException {
		return new TokenReader(FACTORY.createParser(ObjectReadContext.empty(), (InputStream) body), body);
	}

	/**
	 * Reads what {@link #copy(JsonParser)} has kept.
	 */
	static TokenReader open(byte[] copy) {
		JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), copy);
		parser.nextToken();
		return new TokenReader(parser, new ResponseBody(InputStream.nullInputStream()));
	}

	/**
	 * Keeps the current value as JSON in UTF-8. Its last token is the current one
	 * afterwards.
	 * @throws JacksonException when it cannot be read
	 */
	static byte[] copy(JsonParser parser) {
		JsonCopy copy = new JsonCopy();
		copy.take(parser);
		return copy.toByteArray();
	}

}

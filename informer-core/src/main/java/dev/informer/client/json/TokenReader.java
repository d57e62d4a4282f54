/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * The tokens of one response, and whatever is kept while it is being read. Used by one
 * thread.
 * <p>
 * {@link ValueDecoder}s use the parser itself and let its unchecked exceptions pass. What
 * reads the envelope around the objects uses the methods here that throw
 * {@link IOException}s.
 */
final class TokenReader implements AutoCloseable {

	/** How deep the values of an object may be nested, since decoding them recurses. */
	static final int DEEPEST_VALUE = 500;

	private final JsonParser parser;

	private final ResponseBody body;

	private final ElementStack stack = new ElementStack();

	private int objectDepth;

	private int valueDepth;

	TokenReader(JsonParser parser, ResponseBody body) {
		this.parser = parser;
		this.body = body;
	}

	JsonParser parser() {
		return this.parser;
	}

	/**
	 * What has been read of the collections that are open.
	 */
	ElementStack stack() {
		return this.stack;
	}

	boolean isNull() {
		return this.parser.hasToken(JsonToken.VALUE_NULL);
	}

	/**
	 * The current string.
	 */
	String string() {
		return this.parser.getString();
	}

	/**
	 * Notes that the current token is the first one of an object to be decoded.
	 */
	void beginObject() {
		this.objectDepth = depth() - (this.parser.currentToken().isStructStart() ? 1 : 0);
		this.valueDepth = 0;
		this.stack.clear();
	}

	/**
	 * How many objects and arrays are open.
	 */
	private int depth() {
		return this.parser.streamReadContext().getNestingDepth();
	}

	/**
	 * Skips what is left of the object that is being decoded. Its last token is the
	 * current one afterwards.
	 */
	void skipRest() {
		while (depth() > this.objectDepth) {
			this.parser.nextToken();
			this.parser.skipChildren();
		}
	}

	/**
	 * Skip the rest of the object being decoded, like {@link #skipRest()}, but read the
	 * rest of its identity from the metadata.
	 * @param read the part of the identity that has been read
	 * @return the identity
	 */
	ObjectState skipRest(ObjectState read) {
		ObjectState state = read;
		while (depth() > this.objectDepth) {
			if (this.parser.nextToken() == JsonToken.PROPERTY_NAME && isInMetadata()) {
				String property = this.parser.currentName();
				if (this.parser.nextToken() == JsonToken.VALUE_STRING) {
					state = state.with(property, this.parser.getString());
				}
			}
		}
		return state;
	}

	private boolean isInMetadata() {
		if (depth() != this.objectDepth + 2) {
			return false;
		}
		TokenStreamContext parent = this.parser.streamReadContext().getParent();
		return parent.inObject() && "metadata".equals(parent.currentName());
	}

	/**
	 * Enter the JSON object whose first token is the current one.
	 * @throws UndecodableValueException if the value is not an object
	 */
	void enterObject() {
		if (!isObject()) {
			throw mismatch("an object");
		}
		enter();
	}

	void enter() {
		if (++this.valueDepth > DEEPEST_VALUE) {
			throw mismatch("no more than " + DEEPEST_VALUE + " levels of nesting");
		}
	}

	void leave() {
		this.valueDepth--;
	}

	/**
	 * Says that the current value does not fit the model.
	 * @param expected what would have, with its article
	 */
	UndecodableValueException mismatch(String expected) {
		return new UndecodableValueException(path(this.objectDepth), expected);
	}

	private List<String> path(int outer) {
		List<String> path = new ArrayList<>();
		TokenStreamContext context = this.parser.streamReadContext();
		while (context != null && context.getNestingDepth() > outer) {
			if (context.inArray() && context.hasCurrentIndex()) {
				path.add("[" + context.getCurrentIndex() + "]");
			}
			else if (context.inObject() && context.currentName() != null) {
				boolean first = context.getNestingDepth() == outer + 1;
				path.add((first ? "" : ".") + BodyText.printable(context.currentName()));
			}
			context = context.getParent();
		}
		Collections.reverse(path);
		return path;
	}

	@Nullable JsonToken nextToken() throws IOException {
		try {
			return this.parser.nextToken();
		}
		catch (JacksonException ex) {
			throw translate(ex);
		}
	}

	/**
	 * Goes to the value of the next property.
	 * @return the property's name, or {@code null} at the end of the object
	 */
	@Nullable String nextProperty() throws IOException {
		try {
			String name = this.parser.nextName();
			if (name != null) {
				this.parser.nextToken();
			}
			return name;
		}
		catch (JacksonException ex) {
			throw translate(ex);
		}
	}

	/**
	 * Goes to the next element of an array.
	 * @return whether there is one
	 */
	boolean nextElement() throws IOException {
		return nextToken() != JsonToken.END_ARRAY;
	}

	/**
	 * Skips what is left of the current value.
	 */
	void skip() throws IOException {
		try {
			this.parser.skipChildren();
		}
		catch (JacksonException ex) {
			throw translate(ex);
		}
	}

	/**
	 * The current value if it is a string; skips any other.
	 */
	@Nullable String stringOrSkip() throws IOException {
		if (!this.parser.hasToken(JsonToken.VALUE_STRING)) {
			skip();
			return null;
		}
		try {
			return this.parser.getString();
		}
		catch (JacksonException ex) {
			throw translate(ex);
		}
	}

	/**
	 * The current value if it is an integer of 32 bits; skips any other.
	 */
	int intOrSkip() throws IOException {
		if (!this.parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			skip();
			return 0;
		}
		return this.parser.getValueAsInt(0);
	}

	boolean isObject() {
		return this.parser.hasToken(JsonToken.START_OBJECT);
	}

	boolean isArray() {
		return this.parser.hasToken(JsonToken.START_ARRAY);
	}

	ResponseBody body() {
		return this.body;
	}

	/**
	 * Says in the terms of this package what the parser met. Its own words are left out:
	 * they quote what was read.
	 */
	IOException translate(JacksonException failure) {
		if (failure instanceof JacksonIOException && failure.getCause() instanceof IOException ex) {
			return ex;
		}
		String place = "after " + this.body.size() + " bytes, in " + place();
		if (failure instanceof StreamConstraintsException) {
			return new MalformedResponseException(
					"JSON beyond the parser's limits " + place + ": " + failure.getOriginalMessage());
		}
		if (failure instanceof UnexpectedEndOfInputException || endsAt(failure)) {
			return new EOFException("the response ends " + place);
		}
		return new MalformedResponseException("broken JSON " + place);
	}

	private boolean endsAt(JacksonException failure) {
		return this.body.isAtEnd() && this.parser.currentLocation().getByteOffset() >= this.body.size();
	}

	private String place() {
		List<String> path = path(0);
		return path.isEmpty() ? "the outermost value" : String.join("", path);
	}

	/**
	 * Gives the parser's buffers back. The body stays open.
	 */
	@Override
	public void close() {
		this.parser.close();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.model.ElementStack;
import dev.informer.client.model.UndecodableObjectException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * Reader of the tokens of one response, with the state of the object being decoded. Used
 * by one thread.
 * <p>
 * {@link ValueDecoder}s use the parser directly and do not catch its unchecked
 * exceptions. Readers of the envelope around the objects use the methods of this class
 * that throw {@link IOException}s.
 */
final class TokenReader implements AutoCloseable {

	private static final String PLACEHOLDER = "\"\"";

	/** Maximum nesting of the values of an object, whose decoding is recursive. */
	static final int MAX_VALUE_DEPTH = 500;

	private static final TreeDecoder TREES = new TreeDecoder(TokenReader::string);

	private final ResponseInputStream body;

	private JsonParser parser;

	/** Number of bytes before the first one of the parser. */
	private long parserOffset;

	private final ElementStack stack = new ElementStack();

	private int objectDepth;

	/** Number of bytes before the object that is being decoded. */
	private long objectStart;

	/**
	 * Create a reader without reading from the body.
	 */
	TokenReader(ResponseInputStream body) {
		this(body, JsonInput.parser(body));
	}

	TokenReader(ResponseInputStream body, JsonParser parser) {
		this.body = body;
		this.parser = parser;
	}

	JsonParser parser() {
		return this.parser;
	}

	/**
	 * Return the elements of the collections that are being read.
	 */
	ElementStack stack() {
		return this.stack;
	}

	boolean isNull() {
		return this.parser.hasToken(JsonToken.VALUE_NULL);
	}

	String string() {
		return this.parser.getString();
	}

	/**
	 * Decode the object whose first token is the current one. Its last token is the
	 * current one afterwards, also if it cannot be decoded.
	 * @return the decoded or the found object; {@code null} if it is not wanted
	 * @throws UndecodableObjectException if it cannot be decoded for any reason other
	 * than the heap
	 * @throws IOException if its end cannot be reached
	 */
	<T> @Nullable T decode(RootDecoder<T> decoder, ObjectLookup<T> lookup)
			throws IOException, UndecodableObjectException {
		boolean structure = this.parser.currentToken().isStructStart();
		this.objectDepth = depth() - (structure ? 1 : 0);
		this.stack.clear();
		if (structure) {
			this.objectStart = this.parserOffset + this.parser.currentTokenLocation().getByteOffset();
			this.body.mark(this.objectStart);
		}
		try {
			return decoder.decode(this, lookup);
		}
		catch (RuntimeException | StackOverflowError | LinkageError ex) {
			throw recover(ex);
		}
		finally {
			this.body.unmark();
		}
	}

	/**
	 * Return the number of bytes of the object that was decoded, whose last token is the
	 * current one.
	 */
	long objectSize() {
		return this.parserOffset + this.parser.currentLocation().getByteOffset() - this.objectStart;
	}

	/**
	 * Skip the object being decoded after a failure, and return the exception that
	 * reports it.
	 * @throws IOException if the failure is one of the response
	 */
	private UndecodableObjectException recover(Throwable failure) throws IOException {
		String expected = "a value that can be decoded, but decoding threw " + failure.getClass().getName();
		boolean corrupted = false;
		if (failure instanceof JacksonException ex) {
			if (ex instanceof JacksonIOException || isEndOfInput(ex) || !this.body.isMarked()) {
				throw translate(ex);
			}
			corrupted = !(ex instanceof StreamConstraintsException);
			expected = corrupted ? "valid JSON" : "JSON within the parser's limits";
		}
		String reason = String.valueOf(mismatch(expected).getMessage());
		try {
			ObjectState state = skipByBrackets();
			return new UndecodableObjectException(
					corrupted ? new UndecodableObject(state, reason, true) : new UndecodableObject(state, reason));
		}
		catch (MalformedResponseException ex) {
			throw new MalformedResponseException("invalid JSON " + position());
		}
	}

	/**
	 * Skip the object being decoded without parsing it, and continue with another parser
	 * behind it. The parser cannot continue by itself, because it fails within a token.
	 */
	private ObjectState skipByBrackets() throws IOException {
		TokenStreamContext context = this.parser.streamReadContext();
		while (context.getNestingDepth() > this.objectDepth) {
			context = context.getParent();
		}
		ObjectState state = this.body
			.skipMarked((TokenPath.opening(context) + PLACEHOLDER).getBytes(StandardCharsets.UTF_8));
		this.parser.close();
		this.parserOffset = this.body.size();
		this.parser = JsonInput.parser(this.body);
		while (this.parser.nextToken() != JsonToken.VALUE_STRING) {
			// advance to the placeholder, which is in the place of the object
		}
		return state;
	}

	/**
	 * Return the number of open objects and arrays.
	 */
	private int depth() {
		return this.parser.streamReadContext().getNestingDepth();
	}

	/**
	 * Skip the rest of the object being decoded. Its last token is the current one
	 * afterwards.
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
	 * Require that the current value is an object that is not nested too deep.
	 * @throws UndecodableValueException if the value is not an object
	 */
	void requireObject() {
		if (!isObject()) {
			throw mismatch("an object");
		}
		limitDepth();
	}

	/**
	 * Limit the depth of the current object or array in the object being decoded.
	 */
	void limitDepth() {
		if (depth() - this.objectDepth > MAX_VALUE_DEPTH) {
			throw mismatch("no more than " + MAX_VALUE_DEPTH + " levels of nesting");
		}
	}

	/**
	 * Create the exception for a current value that does not fit the model.
	 * @param expected the expected value, with its article
	 */
	UndecodableValueException mismatch(String expected) {
		return new UndecodableValueException(TokenPath.of(this.parser.streamReadContext(), this.objectDepth), expected);
	}

	@Nullable JsonToken nextToken() throws IOException {
		return read(this.parser::nextToken);
	}

	/**
	 * Advance to the value of the next property, and return its name; {@code null} at the
	 * end of the object.
	 */
	@Nullable String nextProperty() throws IOException {
		return read(() -> {
			String name = this.parser.nextName();
			if (name != null) {
				this.parser.nextToken();
			}
			return name;
		});
	}

	/**
	 * Advance to the next element of an array, and return whether there is one.
	 */
	boolean nextElement() throws IOException {
		return nextToken() != JsonToken.END_ARRAY;
	}

	/**
	 * Skip the rest of the current value.
	 */
	void skip() throws IOException {
		read(this.parser::skipChildren);
	}

	/**
	 * Return the current value if it is a string or an integer; skip any other.
	 */
	@Nullable String stringOrSkip() throws IOException {
		if (this.parser.hasToken(JsonToken.VALUE_STRING) || this.parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			return read(this.parser::getString);
		}
		skip();
		return null;
	}

	/**
	 * Read the current value of the envelope as maps, lists, strings and booleans.
	 * Numbers are strings, so that any fits.
	 */
	@Nullable Object tree() throws IOException {
		this.objectDepth = depth();
		this.stack.clear();
		try {
			return read(() -> TREES.decodeNullable(this));
		}
		catch (UndecodableValueException ex) {
			throw new MalformedResponseException("an unexpected value " + position());
		}
	}

	boolean isObject() {
		return this.parser.hasToken(JsonToken.START_OBJECT);
	}

	boolean isArray() {
		return this.parser.hasToken(JsonToken.START_ARRAY);
	}

	ResponseInputStream body() {
		return this.body;
	}

	private <R extends @Nullable Object> R read(Supplier<R> action) throws IOException {
		try {
			return action.get();
		}
		catch (JacksonException ex) {
			throw translate(ex);
		}
	}

	/**
	 * Translate a failure of the parser. Its message is dropped because it quotes the
	 * content of the response.
	 */
	private IOException translate(JacksonException failure) {
		if (failure instanceof JacksonIOException && failure.getCause() instanceof IOException ex) {
			return ex;
		}
		if (isEndOfInput(failure)) {
			return new EOFException("the response ends " + position());
		}
		boolean valid = failure instanceof StreamConstraintsException;
		return new MalformedResponseException(
				(valid ? "JSON beyond the parser's limits " : "invalid JSON ") + position());
	}

	private boolean isEndOfInput(JacksonException failure) {
		// an incomplete character at the end of a name is reported as end of input, too
		return this.body.isAtEnd() && (failure instanceof UnexpectedEndOfInputException
				|| this.parserOffset + this.parser.currentLocation().getByteOffset() >= this.body.size());
	}

	private String position() {
		String path = TokenPath.of(this.parser.streamReadContext(), 0);
		return "after " + this.body.size() + " bytes, in " + (path.isEmpty() ? "the outermost value" : path);
	}

	/**
	 * Return the parser's buffers to their pool. The body stays open.
	 */
	@Override
	public void close() {
		this.parser.close();
	}

}

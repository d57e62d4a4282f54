package dev.informer.source.json;

import tools.jackson.core.JacksonException;

/**
 * Decodes scalars into values that all objects share.
 */
final class SharedDecoder implements ValueDecoder {

	private final SharedValues<?> values;

	private final String expected;

	private final Usefulness usefulness = new Usefulness();

	/**
	 * Creates a decoder.
	 * @param values the values
	 * @param expected what fits, with its article
	 */
	SharedDecoder(SharedValues<?> values, String expected) {
		this.values = values;
		this.expected = expected;
	}

	@Override
	public Object decode(TokenReader reader) {
		if (!reader.parser().currentToken().isScalarValue()) {
			throw reader.mismatch(this.expected);
		}
		try {
			return this.values.get(reader.parser(), this.usefulness);
		}
		catch (JacksonException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw reader.mismatch(this.expected);
		}
	}

}

package dev.informer.source.json;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * Values that come again and again, by their text: looked up by the parser's characters,
 * so that nothing is made of a text that is known. Bounded: a text has two places, the
 * one that was needed last is kept, and long texts have none.
 * <p>
 * Thread-safe, without any locking: an entry is immutable and is found or not found. Two
 * threads that bring the same text at once may both make a value of it.
 *
 * @param <V> the type of the values, which are immutable
 */
final class SharedValues<V> {

	private static final int LONGEST = 256;

	private final @Nullable Entry<V>[] entries;

	private final Function<String, V> maker;

	/**
	 * Creates an empty cache.
	 * @param size how many values there may be, a power of two
	 * @param maker makes the value of a text
	 */
	SharedValues(int size, Function<String, V> maker) {
		this.entries = newEntries(size);
		this.maker = maker;
	}

	@SuppressWarnings("unchecked")
	private static <V> @Nullable Entry<V>[] newEntries(int size) {
		return (Entry<V>[]) new Entry<?>[size];
	}

	/**
	 * The value of the parser's current text.
	 * @param usefulness whether texts of this origin repeat themselves
	 * @throws RuntimeException what the maker throws
	 */
	V get(JsonParser parser, Usefulness usefulness) {
		if (!usefulness.isExpected()) {
			return this.maker.apply(parser.getString());
		}
		char[] text = parser.getStringCharacters();
		int offset = parser.getStringOffset();
		int length = parser.getStringLength();
		if (length > LONGEST) {
			return this.maker.apply(parser.getString());
		}
		int index = hash(text, offset, length) & (this.entries.length - 2);
		Entry<V> first = this.entries[index];
		if (first != null && first.matches(text, offset, length)) {
			usefulness.hit();
			return first.value;
		}
		Entry<V> second = this.entries[index + 1];
		if (second != null && second.matches(text, offset, length)) {
			usefulness.hit();
		}
		else {
			usefulness.miss();
			String made = parser.getString();
			second = new Entry<>(made, this.maker.apply(made));
		}
		this.entries[index + 1] = first;
		this.entries[index] = second;
		return second.value;
	}

	private static int hash(char[] text, int offset, int length) {
		int hash = length;
		for (int i = offset; i < offset + length; i++) {
			hash = hash * 31 + text[i];
		}
		return (hash ^ hash >>> 15) << 1;
	}

	/**
	 * A text and what was made of it.
	 */
	private static final class Entry<V> {

		private final String text;

		private final V value;

		Entry(String text, V value) {
			this.text = text;
			this.value = value;
		}

		boolean matches(char[] other, int offset, int length) {
			if (this.text.length() != length) {
				return false;
			}
			for (int i = 0; i < length; i++) {
				if (this.text.charAt(i) != other[offset + i]) {
					return false;
				}
			}
			return true;
		}

	}

}

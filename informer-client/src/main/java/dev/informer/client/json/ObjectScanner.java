/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayOutputStream;
import java.util.BitSet;

import dev.informer.client.ObjectState;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Scanner for the end of an object whose tokens the parser rejects. Considers only
 * brackets, strings and the separators between them, and reads the object's identity on
 * the way. Needs a bit per level of nesting.
 * <p>
 * A lost quotation mark exchanges the inside and the outside of all later strings, and a
 * lost bracket the levels of all later values. The scanner could then skip further
 * objects, whose absence would look like a deletion, or all later events of a watch. It
 * therefore checks what precedes and follows brackets and strings.
 */
final class ObjectScanner {

	private static final int MAX_TEXT_LENGTH = 4096;

	/** A lost quotation mark misplaces all later ones; other errors a pair at most. */
	private static final int MAX_MISPLACED = 8;

	private static final char WORD = 'a';

	/** The open brackets by depth, from 1: set for objects, clear for arrays. */
	private final BitSet objects = new BitSet();

	private final ByteArrayOutputStream text = new ByteArrayOutputStream();

	private int depth;

	private boolean inString;

	private boolean escaped;

	/** The last byte outside of strings, or the quotation mark of the last string. */
	private char previous = ':';

	private @Nullable String outerName;

	private @Nullable String innerName;

	private ObjectState state = ObjectState.NONE;

	private int misplaced;

	private boolean broken;

	/**
	 * Scan the next bytes of the object.
	 * @return the index after the end of the object, or -1 if the object is longer or
	 * broken
	 */
	int scan(byte[] bytes, int from, int to) {
		for (int i = from; i < to && !this.broken; i++) {
			char c = (char) (bytes[i] & 0xFF);
			if (this.inString) {
				scanString(c);
			}
			else if (c > ' ') {
				scanOutside(c);
				if (this.depth == 0 && !this.broken) {
					return i + 1;
				}
			}
		}
		return -1;
	}

	private void scanString(char c) {
		if (c == '"' && !this.escaped) {
			this.inString = false;
			return;
		}
		this.escaped = c == '\\' && !this.escaped;
		if (this.depth <= 2 && this.text.size() <= MAX_TEXT_LENGTH) {
			this.text.write(c);
		}
	}

	private void scanOutside(char c) {
		switch (c) {
			case '"' -> {
				countMisplacedIf("{[,:\"".indexOf(this.previous) < 0);
				if (this.previous == '"') {
					this.innerName = null;
				}
				this.inString = true;
				this.text.reset();
			}
			case '{', '[' -> {
				boolean inArray = this.depth > 0 && !this.objects.get(this.depth);
				countMisplacedIf((inArray ? "[," : ":").indexOf(this.previous) < 0);
				// the next event of a watch, because this one lacks a bracket
				this.broken |= !inArray && this.previous == '}';
				this.objects.set(++this.depth, c == '{');
			}
			case '}', ']' -> {
				this.broken = this.depth == 0 || this.objects.get(this.depth) != (c == '}');
				endValue();
				this.depth--;
			}
			case ',' -> endValue();
			case ':' -> endName();
			default -> countMisplacedIf(this.previous == '"');
		}
		this.previous = ("\"{}[],:".indexOf(c) >= 0) ? c : WORD;
	}

	private void countMisplacedIf(boolean misplaced) {
		if (misplaced) {
			this.innerName = null;
			this.broken = ++this.misplaced > MAX_MISPLACED;
		}
	}

	private void endName() {
		String name = (this.previous == '"') ? text() : null;
		if (this.depth == 1) {
			this.outerName = name;
		}
		else if (this.depth == 2) {
			this.innerName = name;
		}
	}

	private void endValue() {
		if (this.depth != 2 || this.innerName == null) {
			return;
		}
		String value = (this.previous == '"') ? text() : null;
		if (value != null && "metadata".equals(this.outerName) && this.objects.get(2)) {
			this.state = this.state.with(this.innerName, value);
		}
		this.innerName = null;
	}

	/**
	 * Return the last string, or {@code null} if it is invalid or long.
	 */
	private @Nullable String text() {
		if (this.text.size() > MAX_TEXT_LENGTH) {
			return null;
		}
		byte[] quoted = new byte[this.text.size() + 2];
		System.arraycopy(this.text.toByteArray(), 0, quoted, 1, this.text.size());
		quoted[0] = '"';
		quoted[quoted.length - 1] = '"';
		try (TokenReader reader = JsonInput.open(quoted)) {
			return reader.string();
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/**
	 * Return whether brackets and strings do not match, so that the end cannot be found.
	 */
	boolean isBroken() {
		return this.broken;
	}

	/**
	 * Return the part of the object's identity that has been read.
	 */
	ObjectState state() {
		return this.state;
	}

}

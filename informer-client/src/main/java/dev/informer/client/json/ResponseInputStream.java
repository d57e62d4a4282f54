/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import dev.informer.client.model.BodyText;
import org.jspecify.annotations.Nullable;

/**
 * Stream of a response that counts the bytes and keeps the first ones, for messages. It
 * also keeps the bytes of the object being decoded, so that an object whose tokens cannot
 * be parsed can be skipped.
 */
final class ResponseInputStream extends InputStream {

	private static final int BEGINNING = 512;

	/** The first bytes of protobuf whose content type a proxy has dropped. */
	private static final String PROTOBUF = "k8s\0";

	/** Binary data, YAML and parts of JSON. */
	private static final Pattern MAY_HAVE_OBJECTS = Pattern.compile("[\\p{Cntrl}\\uFFFD&&\\S]|[:{\\[\"]");

	/** Bytes of an object that are kept; those of larger ones are scanned at once. */
	private static final int MAX_KEPT = 1 << 18;

	private final InputStream in;

	private final byte[] beginning = new byte[BEGINNING];

	private int beginningLength;

	private long size;

	private volatile boolean closed;

	private boolean atEnd;

	/** The last bytes that were read, at least since the mark. */
	private byte[] kept = {};

	private int keptFrom;

	private int keptTo;

	private boolean marked;

	private @Nullable ObjectScanner scanner;

	/** Bytes to read before further ones of the response. */
	private byte[] pushedBack = {};

	private int pushedBackFrom;

	ResponseInputStream(InputStream in) {
		this.in = in;
	}

	@Override
	public int read() throws IOException {
		byte[] single = new byte[1];
		int count = read(single, 0, 1);
		return (count < 0) ? -1 : single[0] & 0xFF;
	}

	@Override
	public int read(byte[] buffer, int offset, int length) throws IOException {
		int count = fetch(buffer, offset, length);
		if (count > 0) {
			keep(buffer, offset, count);
		}
		return count;
	}

	private int fetch(byte[] buffer, int offset, int length) throws IOException {
		if (this.closed) {
			throw new IOException("the stream was closed");
		}
		int count = Math.min(length, this.pushedBack.length - this.pushedBackFrom);
		if (count > 0) {
			System.arraycopy(this.pushedBack, this.pushedBackFrom, buffer, offset, count);
			this.pushedBackFrom += count;
		}
		else {
			count = this.in.read(buffer, offset, length);
			if (count < 0) {
				this.atEnd = true;
				return count;
			}
			int first = Math.min(count, BEGINNING - this.beginningLength);
			System.arraycopy(buffer, offset, this.beginning, this.beginningLength, first);
			this.beginningLength += first;
		}
		this.size += count;
		return count;
	}

	private void keep(byte[] buffer, int offset, int count) {
		if (!this.marked) {
			this.keptFrom = this.keptTo;
		}
		else if (this.keptTo - this.keptFrom > MAX_KEPT) {
			this.scanner = (this.scanner != null) ? this.scanner : new ObjectScanner();
			this.scanner.scan(this.kept, this.keptFrom, this.keptTo);
			this.keptFrom = this.keptTo;
		}
		int remaining = this.keptTo - this.keptFrom;
		byte[] target = (remaining + count <= this.kept.length) ? this.kept
				: new byte[Math.max(remaining + count, 2 * this.kept.length)];
		System.arraycopy(this.kept, this.keptFrom, target, 0, remaining);
		System.arraycopy(buffer, offset, target, remaining, count);
		this.kept = target;
		this.keptFrom = 0;
		this.keptTo = remaining + count;
	}

	/**
	 * Keep the bytes from the start of an object or array on.
	 * @param offset the number of bytes before the object, which was among those of the
	 * last read
	 */
	void mark(long offset) {
		this.scanner = null;
		this.keptFrom = this.keptTo - (int) (this.size - offset);
		this.marked = this.keptFrom >= 0 && (this.kept[this.keptFrom] == '{' || this.kept[this.keptFrom] == '[');
	}

	/**
	 * Forget the object that was marked. No effect if none is.
	 */
	void unmark() {
		this.marked = false;
	}

	boolean isMarked() {
		return this.marked;
	}

	/**
	 * Skip the marked object, and return the part of its identity that could be read.
	 * @param prefix the bytes to read before those that follow the object; they are
	 * counted as part of it
	 * @throws MalformedResponseException if the end of the object cannot be found
	 * @throws EOFException if the response ends before
	 */
	ObjectState skipMarked(byte[] prefix) throws IOException {
		ObjectScanner scanner = (this.scanner != null) ? this.scanner : new ObjectScanner();
		byte[] bytes = this.kept;
		int to = this.keptTo;
		int end = scanner.scan(bytes, this.keptFrom, to);
		bytes = (end < 0) ? new byte[1 << 13] : bytes;
		while (end < 0) {
			if (scanner.isBroken()) {
				throw new MalformedResponseException("brackets or quotation marks that do not match");
			}
			to = fetch(bytes, 0, bytes.length);
			if (to < 0) {
				throw new EOFException("the response ends after " + this.size + " bytes");
			}
			end = scanner.scan(bytes, 0, to);
		}
		pushBack(prefix, Arrays.copyOfRange(bytes, end, to));
		this.marked = false;
		return scanner.state();
	}

	private void pushBack(byte[] prefix, byte[] rest) {
		int remaining = this.pushedBack.length - this.pushedBackFrom;
		byte[] bytes = Arrays.copyOf(prefix, prefix.length + rest.length + remaining);
		System.arraycopy(rest, 0, bytes, prefix.length, rest.length);
		System.arraycopy(this.pushedBack, this.pushedBackFrom, bytes, prefix.length + rest.length, remaining);
		this.size -= prefix.length + rest.length;
		this.pushedBack = bytes;
		this.pushedBackFrom = 0;
	}

	/**
	 * Return the number of bytes that were read.
	 */
	long size() {
		return this.size;
	}

	boolean isAtEnd() {
		return this.atEnd;
	}

	/**
	 * Describe the body by its beginning.
	 * @return the text of a page or a short sentence; otherwise only its type, because
	 * messages must not contain objects
	 */
	String describe() {
		String body = new String(this.beginning, 0, this.beginningLength, StandardCharsets.UTF_8);
		String text = BodyText.printable(body);
		if (text.isEmpty()) {
			return "an empty body";
		}
		return switch (body.strip().charAt(0)) {
			case '<' -> "\"" + text + "\"";
			case '{' -> "a JSON object";
			case '[' -> "a JSON array";
			case '"' -> "a JSON string";
			default -> describeOther(body, text);
		};
	}

	private static String describeOther(String body, String text) {
		if (body.startsWith(PROTOBUF)) {
			return "protobuf";
		}
		return MAY_HAVE_OBJECTS.matcher(body).find() ? "content of an unknown type" : "\"" + text + "\"";
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		this.in.close();
	}

}

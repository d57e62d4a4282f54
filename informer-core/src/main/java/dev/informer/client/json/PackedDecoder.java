/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Decodes trees of which next to nobody will ever look at one, such as those of managed
 * fields: objects stay JSON, and those that are equal share it.
 */
final class PackedDecoder implements ValueDecoder {

	private static final int LONGEST_SHARED = 1 << 13;

	private static final @Nullable byte[][] SHARED = new byte[512][];

	private final TreeDecoder trees = new TreeDecoder();

	@Override
	public @Nullable Object decode(TokenReader reader) {
		if (!reader.parser().isExpectedStartObjectToken()) {
			return this.trees.decode(reader);
		}
		JsonCopy copy = new JsonCopy();
		copy.take(reader.parser());
		byte[] json = copy.toByteArray();
		if (copy.depth() >= TokenReader.DEEPEST_VALUE || copy.hasNumbers()) {
			return tree(reader, json);
		}
		return new PackedMap(shared(json));
	}

	/**
	 * Reads at once what might turn out not to fit.
	 */
	private @Nullable Object tree(TokenReader reader, byte[] json) {
		try (TokenReader copy = JsonInput.open(json)) {
			return this.trees.decode(copy);
		}
		catch (UndecodableValueException ex) {
			throw reader.mismatch("a tree of values");
		}
	}

	private static byte[] shared(byte[] json) {
		if (json.length > LONGEST_SHARED) {
			return json;
		}
		int index = Arrays.hashCode(json) & (SHARED.length - 1);
		byte[] known = SHARED[index];
		if (known != null && Arrays.equals(known, json)) {
			return known;
		}
		SHARED[index] = json;
		return json;
	}

}

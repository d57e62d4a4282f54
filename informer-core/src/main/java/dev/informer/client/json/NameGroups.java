/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Decoders of the values of names that are data, a decoder for every group of names: what
 * it remembers of the values is apt to differ from name to name.
 */
final class NameGroups {

	private static final int GROUPS = 64;

	private final @Nullable ValueDecoder[] decoders;

	private final Supplier<ValueDecoder> maker;

	/**
	 * Creates groups.
	 * @param maker makes the decoder of a group
	 */
	NameGroups(Supplier<ValueDecoder> maker) {
		this(GROUPS, maker);
	}

	private NameGroups(int count, Supplier<ValueDecoder> maker) {
		this.decoders = new ValueDecoder[count];
		this.maker = maker;
	}

	/**
	 * A decoder for all names.
	 */
	static NameGroups allBy(ValueDecoder decoder) {
		return new NameGroups(1, () -> decoder);
	}

	/**
	 * What decodes the value of a name.
	 */
	ValueDecoder decoderOf(String name) {
		int group = name.hashCode() & (this.decoders.length - 1);
		ValueDecoder decoder = this.decoders[group];
		if (decoder == null) {
			decoder = this.maker.get();
			this.decoders[group] = decoder;
		}
		return decoder;
	}

}

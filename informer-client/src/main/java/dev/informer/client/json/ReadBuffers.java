/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.RecyclerPool;

/**
 * Pool of parser buffers whose input buffers have 16 KiB instead of 8,000 bytes. They
 * hold a whole segment of the HTTP client (8 KiB), so that none is split over two reads.
 */
final class ReadBuffers extends RecyclerPool.ConcurrentDequePoolBase<BufferRecycler> {

	private static final long serialVersionUID = 1L;

	private static final int SIZE = 1 << 14;

	ReadBuffers() {
		super(SERIALIZATION_SHARED);
	}

	@Override
	public BufferRecycler createPooled() {
		return new BufferRecycler() {

			@Override
			protected int byteBufferLength(int index) {
				return (index == BYTE_READ_IO_BUFFER) ? SIZE : super.byteBufferLength(index);
			}

		};
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Stream that sends every write as a text frame of a WebSocket, and answers the frames of
 * the client. Some clients watch through a WebSocket.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455">RFC 6455</a>
 */
final class WebSocketStream extends OutputStream {

	private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

	private static final int TEXT = 0x81;

	private static final int CLOSE = 0x88;

	private static final int PONG = 0x8A;

	private static final int OPCODE = 0xF;

	private static final int LENGTH_OF_2_BYTES = 126;

	private static final int LENGTH_OF_8_BYTES = 127;

	private static final int MASK_LENGTH = 4;

	private final OutputStream out;

	WebSocketStream(OutputStream out) {
		this.out = out;
	}

	/**
	 * Return the response to the request for a WebSocket.
	 * @param key the key that the client sent
	 */
	static byte[] handshake(String key) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(Bytes.of(key + KEY_SUFFIX));
			return Bytes.of("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
					+ "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void write(int single) throws IOException {
		write(new byte[] { (byte) single }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		frame(TEXT, bytes, offset, length);
	}

	private void frame(int type, byte[] bytes, int offset, int length) throws IOException {
		ByteBuffer head = ByteBuffer.allocate(10).put((byte) type);
		if (length < LENGTH_OF_2_BYTES) {
			head.put((byte) length);
		}
		else if (length < 1 << 16) {
			head.put((byte) LENGTH_OF_2_BYTES).putShort((short) length);
		}
		else {
			head.put((byte) LENGTH_OF_8_BYTES).putLong(length);
		}
		this.out.write(head.array(), 0, head.position());
		this.out.write(bytes, offset, length);
	}

	@Override
	public void flush() throws IOException {
		this.out.flush();
	}

	@Override
	public void close() throws IOException {
		frame(CLOSE, new byte[0], 0, 0);
		this.out.flush();
	}

	/**
	 * Answer a frame of the client.
	 * @return whether the client stays connected
	 */
	boolean answer(InputStream in) throws IOException {
		DataInputStream data = new DataInputStream(in);
		int type = data.readUnsignedByte() & OPCODE;
		int length = data.readUnsignedByte() & 0x7F;
		if (length == LENGTH_OF_2_BYTES) {
			length = data.readUnsignedShort();
		}
		byte[] mask = data.readNBytes(MASK_LENGTH);
		byte[] payload = data.readNBytes(length);
		for (int index = 0; index < payload.length; index++) {
			payload[index] ^= mask[index % MASK_LENGTH];
		}
		if (type == 0x9) {
			frame(PONG, payload, 0, payload.length);
			flush();
		}
		return type != 0x8;
	}

}

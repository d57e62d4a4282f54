/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * TCP connection of a client that can be reset and frozen. Both work below HTTP, so that
 * they apply to any protocol on the connection.
 * <p>
 * Thread-safe.
 */
final class ClientConnection extends SocketChannelEndPoint {

	private volatile boolean frozen;

	ClientConnection(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
		super(channel, selector, key, scheduler);
	}

	/**
	 * Return the connection that carries a request.
	 */
	static ClientConnection of(Request request) {
		EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
		while (endPoint instanceof EndPoint.Wrapper wrapper) {
			endPoint = wrapper.unwrap();
		}
		return (ClientConnection) endPoint;
	}

	/**
	 * Reset the connection: the client sees a broken connection (RST), not its end (FIN).
	 */
	void cut() {
		cut(getChannel());
		close();
	}

	static void cut(SocketChannel channel) {
		try {
			channel.setOption(StandardSocketOptions.SO_LINGER, 0);
			channel.close();
		}
		catch (IOException ex) {
			// already closed
		}
	}

	/**
	 * Make the connection half-open: it stays established, but nothing is read from it or
	 * written to it, as if the server's host had lost power.
	 */
	void freeze() {
		this.frozen = true;
	}

	@Override
	public int fill(ByteBuffer buffer) throws IOException {
		int filled = super.fill(buffer);
		while (this.frozen && filled > 0) {
			BufferUtil.clear(buffer);
			filled = super.fill(buffer);
		}
		return filled;
	}

	@Override
	public boolean flush(ByteBuffer... buffers) throws IOException {
		return !this.frozen && super.flush(buffers);
	}

	@Override
	protected void onIncompleteFlush() {
		if (this.frozen) {
			// The writer waits until the client closes the connection, which only a read
			// notices.
			tryFillInterested(Callback.from(this::closeAtEnd, this::close));
		}
		else {
			super.onIncompleteFlush();
		}
	}

	private void closeAtEnd() {
		try {
			if (fill(BufferUtil.allocate(1024)) < 0) {
				close();
			}
			else {
				onIncompleteFlush();
			}
		}
		catch (IOException ex) {
			close(ex);
		}
	}

}

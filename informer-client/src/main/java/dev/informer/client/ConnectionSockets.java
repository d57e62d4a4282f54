/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

import javax.net.SocketFactory;

import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Factory of the TCP sockets below TLS and HTTP of a {@link KubernetesConnection}. TCP
 * keep-alive detects half-open connections of HTTP/1.1, which has no pings. Thread-safe.
 */
final class ConnectionSockets extends SocketFactory {

	private final SocketFactory delegate;

	ConnectionSockets(SocketFactory delegate) {
		this.delegate = delegate;
	}

	@Override
	public Socket createSocket() throws IOException {
		Socket socket = this.delegate.equals(SocketFactory.getDefault()) ? new AnswerFirstSocket()
				: this.delegate.createSocket();
		try {
			// A connection whose peer has gone is detected after 20 s + 3 x 5 s.
			socket.setKeepAlive(true);
			socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 20);
			socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 5);
			socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
		}
		catch (IOException | UnsupportedOperationException ex) {
			// ignored: without keep-alive, pings and the idle timeout are left
		}
		return socket;
	}

	/**
	 * Close a socket without waiting for its peer. An SSL socket would first wait for a
	 * write that blocks while the peer does not read.
	 */
	static void abort(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
			socket.close();
		}
		catch (IOException ex) {
			// ignored: closed already
		}
	}

	@Override
	public Socket createSocket(@Nullable String host, int port) {
		throw new UnsupportedOperationException("Only unconnected sockets are supported");
	}

	@Override
	public Socket createSocket(@Nullable String host, int port, @Nullable InetAddress localHost, int localPort) {
		throw new UnsupportedOperationException("Only unconnected sockets are supported");
	}

	@Override
	public Socket createSocket(@Nullable InetAddress host, int port) {
		throw new UnsupportedOperationException("Only unconnected sockets are supported");
	}

	@Override
	public Socket createSocket(@Nullable InetAddress address, int port, @Nullable InetAddress localAddress,
			int localPort) {
		throw new UnsupportedOperationException("Only unconnected sockets are supported");
	}

	/**
	 * Socket whose writes do not fail while the answer of the peer may be unread. A peer
	 * that rejects a connection sends the reason, such as an alert of TLS, and resets the
	 * connection. A write that fails because of the reset would hide the reason, which
	 * the next read delivers. Then the read fails as well.
	 *
	 * @see <a href="https://datatracker.ietf.org/doc/html/rfc9112#section-9.6">RFC
	 * 9112</a>
	 */
	private static final class AnswerFirstSocket extends Socket {

		@Override
		public OutputStream getOutputStream() throws IOException {
			return new FilterOutputStream(super.getOutputStream()) {

				@Override
				public void write(int value) throws IOException {
					write(new byte[] { (byte) value }, 0, 1);
				}

				@Override
				public void write(byte[] buffer, int offset, int length) throws IOException {
					try {
						this.out.write(buffer, offset, length);
					}
					catch (SocketException ex) {
						if (isClosed() || isOutputShutdown()) {
							throw ex;
						}
					}
				}

			};
		}

	}

}

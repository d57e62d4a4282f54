/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;

import javax.net.SocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * Factory of the TCP sockets below TLS and HTTP of a {@link KubernetesConnection}. It
 * knows every open socket, so that closing leaves none, and detects half-open connections
 * of HTTP/1.1, which has no pings, by TCP keep-alive.
 * <p>
 * Thread-safe.
 */
final class ConnectionSockets extends SocketFactory implements AutoCloseable {

	/**
	 * A connection whose peer has gone is detected after 20 s + 3 x 5 s.
	 */
	private static final Map<String, Integer> KEEP_ALIVE = Map.of("TCP_KEEPIDLE", 20, "TCP_KEEPINTERVAL", 5,
			"TCP_KEEPCOUNT", 3);

	private final SocketFactory delegate;

	private final Set<Socket> open = Collections.newSetFromMap(new WeakHashMap<>());

	private boolean closed;

	ConnectionSockets(SocketFactory delegate) {
		this.delegate = delegate;
	}

	@Override
	public Socket createSocket() throws IOException {
		Socket socket = this.delegate.equals(SocketFactory.getDefault()) ? new MonitoredSocket()
				: this.delegate.createSocket();
		try {
			add(socket);
		}
		catch (SocketException ex) {
			socket.close();
			throw ex;
		}
		keepAlive(socket);
		return socket;
	}

	private synchronized void add(Socket socket) throws SocketException {
		if (this.closed) {
			throw new SocketException("the connection of the informers is closed");
		}
		this.open.removeIf(Socket::isClosed);
		this.open.add(socket);
	}

	@SuppressWarnings("unchecked")
	private static void keepAlive(Socket socket) {
		try {
			socket.setKeepAlive(true);
			for (SocketOption<?> option : socket.supportedOptions()) {
				Integer seconds = KEEP_ALIVE.get(option.name());
				if (seconds != null) {
					socket.setOption((SocketOption<Integer>) option, seconds);
				}
			}
		}
		catch (IOException | UnsupportedOperationException ex) {
			// ignored: without keep-alive, pings and the idle timeout are left
		}
	}

	/**
	 * Return the socket with the same addresses below that of a connection, possibly an
	 * SSL socket; the argument if there is none, as with a SOCKS proxy.
	 */
	synchronized Socket below(Socket secured) {
		for (Socket socket : this.open) {
			if (socket.getLocalSocketAddress() != null
					&& Objects.equals(socket.getLocalSocketAddress(), secured.getLocalSocketAddress())
					&& Objects.equals(socket.getRemoteSocketAddress(), secured.getRemoteSocketAddress())) {
				return socket;
			}
		}
		return secured;
	}

	/**
	 * Close the sockets that were created some time ago and that no request has used:
	 * their connection or its TLS handshake takes longer than it may.
	 */
	void abortUnused(Duration time) {
		Set<Socket> unused;
		synchronized (this) {
			unused = new HashSet<>(this.open);
		}
		unused.removeIf((socket) -> !(socket instanceof MonitoredSocket monitored && monitored.isUnused(time)));
		unused.forEach(ConnectionSockets::abort);
	}

	/**
	 * Close a socket without waiting for its peer. An SSL socket would first write a
	 * farewell, which blocks while the peer does not read.
	 */
	static void abort(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// ignored: closed already
		}
		try {
			socket.close();
		}
		catch (IOException ex) {
			// ignored: the socket is being discarded
		}
	}

	/**
	 * Close all sockets, and refuse to create others.
	 */
	@Override
	public void close() {
		Set<Socket> sockets;
		synchronized (this) {
			this.closed = true;
			sockets = new HashSet<>(this.open);
			this.open.clear();
		}
		sockets.forEach(ConnectionSockets::abort);
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

}

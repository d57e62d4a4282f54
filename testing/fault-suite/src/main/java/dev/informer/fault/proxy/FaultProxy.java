/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * TCP proxy between a client and an API server, which injects the faults of a network. It
 * does not decrypt.
 * <p>
 * Thread-safe. Faults of new connections and shapes apply until they are replaced;
 * {@link #heal} ends all of them.
 */
public final class FaultProxy implements AutoCloseable {

	private final int port;

	private volatile int server;

	private final List<Link> links = new CopyOnWriteArrayList<>();

	private final List<Socket> silent = new CopyOnWriteArrayList<>();

	private final AtomicLong connections = new AtomicLong();

	private volatile int target;

	private volatile Accepting accepting = Accepting.FORWARD;

	private volatile Shape upstream = Shape.HEALTHY;

	private volatile Shape downstream = Shape.HEALTHY;

	private @Nullable Listener listener;

	/**
	 * Create a proxy on a free port of the loopback interface.
	 * @param server the port of the server on the loopback interface
	 */
	public FaultProxy(int server) throws IOException {
		this.server = server;
		this.target = server;
		this.port = listen(0);
	}

	private synchronized int listen(int wanted) throws IOException {
		ServerSocket socket = new ServerSocket();
		socket.setReuseAddress(true);
		socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 500);
		Thread acceptor = new Thread(() -> accept(socket), "proxy-" + socket.getLocalPort());
		acceptor.setDaemon(true);
		acceptor.start();
		this.listener = new Listener(socket, acceptor);
		return socket.getLocalPort();
	}

	/**
	 * Return the port of this proxy.
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Return the number of connections that were accepted so far.
	 */
	public long connections() {
		return this.connections.get();
	}

	private void accept(ServerSocket socket) {
		while (!socket.isClosed()) {
			try {
				connect(socket.accept(), socket);
			}
			catch (IOException ex) {
				// The listener was closed, or the server refused the connection
			}
		}
	}

	private void connect(Socket client, ServerSocket acceptor) throws IOException {
		Accepting fate = this.accepting;
		long number = this.connections.incrementAndGet();
		switch (fate) {
			case SILENT -> this.silent.add(client);
			case FORWARD -> forward(client, acceptor, "link-" + number);
		}
	}

	private void forward(Socket client, ServerSocket acceptor, String name) throws IOException {
		Socket upward = new Socket();
		int port = this.target;
		try {
			client.setTcpNoDelay(true);
			upward.setTcpNoDelay(true);
			upward.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
		}
		catch (IOException ex) {
			Link.close(upward);
			Link.reset(client);
			throw ex;
		}
		Link link = new Link(client, upward, () -> this.upstream, () -> this.downstream);
		this.links.removeIf(Link::isClosed);
		this.links.add(link);
		// refuse() closes the acceptor, and others set the target, then reset the links,
		// and may have missed this one
		if (acceptor.isClosed() || port != this.target) {
			link.reset();
		}
		link.start(name);
	}

	/**
	 * Reset all connections (RST).
	 */
	public void reset() {
		end(Link::reset);
	}

	/**
	 * Close all connections (FIN).
	 */
	public void finish() {
		end(Link::close);
	}

	/**
	 * End each connection and forget it, and no other one that begins meanwhile.
	 */
	private void end(Consumer<Link> end) {
		this.links.removeIf((link) -> {
			end.accept(link);
			return true;
		});
	}

	/**
	 * Refuse new connections, and reset those that exist.
	 */
	public synchronized void refuse() {
		Listener current = this.listener;
		this.listener = null;
		if (current != null) {
			current.close();
		}
		reset();
	}

	/**
	 * Discard the bytes of all connections that exist, in one or both directions. They
	 * stay open; new connections work.
	 * @param up whether to discard the bytes of the client
	 * @param down whether to discard the bytes of the server
	 */
	public void halfOpen(boolean up, boolean down) {
		this.links.forEach((link) -> link.swallow(up, down));
	}

	/**
	 * Set the fate of new connections.
	 */
	public void accepting(Accepting fate) {
		this.accepting = fate;
	}

	/**
	 * Set the shapes of the network for all connections.
	 * @param up the shape of the bytes of the client
	 * @param down the shape of the bytes of the server
	 */
	public void shape(Shape up, Shape down) {
		this.upstream = up;
		this.downstream = down;
	}

	/**
	 * Forward new connections to another server.
	 * @param other its port on the loopback interface
	 */
	public void target(int other) {
		this.target = other;
	}

	/**
	 * Forward new connections to another server, also after {@link #heal}.
	 * @param other its port on the loopback interface
	 */
	public void moveTo(int other) {
		this.server = other;
		this.target = other;
	}

	/**
	 * End all faults. Connections that are half-open or were not forwarded stay as they
	 * are, as in a network that has lost their state.
	 */
	public synchronized void heal() {
		this.target = this.server;
		this.upstream = Shape.HEALTHY;
		this.downstream = Shape.HEALTHY;
		this.accepting = Accepting.FORWARD;
		listen();
	}

	/**
	 * Accept connections again after {@link #refuse}.
	 */
	public synchronized void listen() {
		if (this.listener == null) {
			try {
				listen(this.port);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot listen on port " + this.port + " again", ex);
			}
		}
	}

	@Override
	public void close() {
		refuse();
		this.silent.forEach(Link::close);
	}

	private record Listener(ServerSocket socket, Thread acceptor) {

		/**
		 * Close the socket. The kernel accepts connections until the thread has left its
		 * call of accept, so this waits for the thread.
		 */
		private void close() {
			try {
				this.socket.close();
				this.acceptor.join();
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot close the listener of the proxy", ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	/**
	 * Fate of new connections.
	 */
	public enum Accepting {

		/** Connected to the server. */
		FORWARD,

		/** Accepted, then neither read nor answered. */
		SILENT

	}

}

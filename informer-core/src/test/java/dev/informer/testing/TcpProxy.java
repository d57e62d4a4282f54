/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Proxy between an informer and its server, such as a load balancer: it forwards bytes
 * and does not know HTTP or TLS. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

	private static final int TIMEOUT = 10_000;

	private final ServerSocket listener;

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicLong received = new AtomicLong();

	private volatile URI target;

	private volatile String text = "";

	private volatile String replacement = "";

	private boolean held;

	public TcpProxy(URI target) throws IOException {
		this.target = target;
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	/**
	 * Return its address, with the scheme of the target.
	 */
	public String url() {
		return this.target.getScheme() + "://127.0.0.1:" + this.listener.getLocalPort();
	}

	/**
	 * Forward new connections to another server.
	 */
	public void target(URI other) {
		this.target = other;
	}

	/**
	 * Return the number of accepted connections so far.
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Return the number of bytes that the server has sent so far.
	 */
	public long received() {
		return this.received.get();
	}

	/**
	 * Return the number of open connections on the side of the informer.
	 */
	public int open() {
		return this.connections.size();
	}

	/**
	 * Close all connections, as a proxy does with idle ones.
	 */
	public void cut() {
		List.copyOf(this.connections).forEach(Connection::close);
	}

	/**
	 * Stop forwarding on the existing connections, which stay open.
	 */
	public void freeze() {
		this.connections.forEach((connection) -> connection.frozen = true);
	}

	/**
	 * Replace a text in what the server sends from now on, as bits that change in memory
	 * do. Both texts are ISO 8859-1 and equally long; an empty one changes nothing.
	 */
	public void corrupt(String text, String replacement) {
		this.text = "";
		this.replacement = replacement;
		this.text = text;
	}

	private byte[] corrupted(byte[] buffer, int length) {
		String before = this.text;
		byte[] bytes = Arrays.copyOf(buffer, length);
		return before.isEmpty() ? bytes
				: new String(bytes, StandardCharsets.ISO_8859_1).replace(before, this.replacement)
					.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Stop reading, so that writers block sooner or later, until {@link #release()}. The
	 * end of a connection is held back as well. Also applies to future connections.
	 */
	public synchronized void hold() {
		this.held = true;
	}

	/**
	 * Forward the data that was held back, and all later data.
	 */
	public synchronized void release() {
		this.held = false;
		notifyAll();
	}

	private synchronized void awaitRelease() throws IOException {
		try {
			while (this.held) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException();
		}
	}

	private void awaitReleaseOfEnd() {
		try {
			awaitRelease();
		}
		catch (IOException ex) {
			// the end is not held back
		}
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		cut();
		release();
	}

	private void accept() {
		try {
			while (!this.listener.isClosed()) {
				Socket client = this.listener.accept();
				this.accepted.incrementAndGet();
				connect(client);
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void connect(Socket client) throws IOException {
		Socket server = new Socket();
		try {
			server.connect(new InetSocketAddress(this.target.getHost(), this.target.getPort()), TIMEOUT);
		}
		catch (IOException ex) {
			client.close();
			return;
		}
		Connection connection = new Connection(client, server);
		this.connections.add(connection);
		start(() -> connection.pass(client, server));
		start(() -> connection.pass(server, client));
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private final class Connection {

		private final Socket client;

		private final Socket server;

		private volatile boolean frozen;

		Connection(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		private void pass(Socket from, Socket to) {
			byte[] buffer = new byte[8192];
			try (InputStream input = from.getInputStream(); OutputStream output = to.getOutputStream()) {
				int length = input.read(buffer);
				while (length >= 0) {
					awaitRelease();
					if (from == this.server) {
						TcpProxy.this.received.addAndGet(length);
					}
					if (!this.frozen) {
						output.write((from == this.server) ? corrupted(buffer, length) : buffer, 0, length);
					}
					length = input.read(buffer);
				}
			}
			catch (IOException ex) {
				// the other side is closed, too
			}
			finally {
				if (from == this.server) {
					awaitReleaseOfEnd();
				}
				close();
			}
		}

		private void close() {
			TcpProxy.this.connections.remove(this);
			try {
				this.client.close();
				this.server.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}

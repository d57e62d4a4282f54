/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server on the loopback interface that can be told to misbehave: connections
 * can be reset in the middle of an answer, and the port can be closed and opened again.
 * The JDK's own server can do neither, notices that a client has gone only when it writes
 * to it, and needs a system property to be free of Nagle's delays.
 * <p>
 * Thread-safe.
 */
final class HttpServer implements AutoCloseable {

	private final Handler handler;

	private final int port;

	private final ExecutorService executor;

	private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private @Nullable Listener listener;

	private boolean closed;

	HttpServer(int port, Handler handler) {
		this.handler = handler;
		ServerSocket socket = LoopbackListeners.listen(port);
		this.port = socket.getLocalPort();
		AtomicInteger count = new AtomicInteger();
		this.executor = Executors.newCachedThreadPool((task) -> thread(task, count.incrementAndGet()));
		listen(socket);
	}

	private Thread thread(Runnable task, int number) {
		this.threads.removeIf((thread) -> thread.getState() == Thread.State.TERMINATED);
		Thread thread = new Thread(task, "embedded-kubernetes-" + this.port + "-" + number);
		thread.setDaemon(true);
		this.threads.add(thread);
		return thread;
	}

	Handler handler() {
		return this.handler;
	}

	int port() {
		return this.port;
	}

	/**
	 * Accepts connections again, on the same port.
	 */
	synchronized void open() {
		if (this.listener == null && !this.closed) {
			listen(LoopbackListeners.listen(this.port));
		}
	}

	/**
	 * Stops listening and resets every connection. The port is free when this returns.
	 */
	void refuse() {
		Listener stopped;
		synchronized (this) {
			stopped = this.listener;
			this.listener = null;
		}
		if (stopped != null) {
			stopped.close();
		}
		cutConnections();
	}

	void cutConnections() {
		this.connections.forEach(HttpConnection::cut);
	}

	void freezeConnections() {
		this.connections.forEach(HttpConnection::freeze);
	}

	void closed(HttpConnection connection) {
		this.connections.remove(connection);
	}

	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		refuse();
		this.executor.shutdownNow();
		try {
			while (!this.executor.awaitTermination(10, TimeUnit.MILLISECONDS)) {
				cutConnections();
			}
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void listen(ServerSocket socket) {
		Listener created = new Listener(socket);
		this.listener = created;
		this.executor.execute(created);
	}

	private synchronized void serve(Listener acceptedBy, Socket socket) {
		HttpConnection connection = new HttpConnection(socket, this, this.executor);
		if (this.listener != acceptedBy) {
			connection.cut();
			return;
		}
		this.connections.add(connection);
		this.executor.execute(connection);
	}

	/**
	 * Accepts connections until it is closed.
	 */
	private final class Listener implements Runnable {

		private final ServerSocket socket;

		private final CountDownLatch done = new CountDownLatch(1);

		Listener(ServerSocket socket) {
			this.socket = socket;
		}

		@Override
		public void run() {
			try {
				while (!this.socket.isClosed()) {
					accept();
				}
			}
			finally {
				this.done.countDown();
			}
		}

		private void accept() {
			try {
				serve(this, this.socket.accept());
			}
			catch (IOException ex) {
				// closed, or the client was gone before it was accepted
			}
		}

		/**
		 * Returns when the port is free, which a thread that is still accepting prevents.
		 */
		void close() {
			try {
				this.socket.close();
				this.done.await();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	/**
	 * Answers requests.
	 */
	interface Handler {

		void handle(HttpRequest request, HttpResponse response) throws IOException;

	}

}

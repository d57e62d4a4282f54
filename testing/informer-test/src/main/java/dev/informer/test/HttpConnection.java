/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * One client's connection. A thread of its own reads requests and answers them; while a
 * watch is answered a second one waits for the client to go away, so that an abandoned
 * watch ends at once and not at its next event.
 */
final class HttpConnection implements Runnable {

	private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private final Socket socket;

	private final HttpServer server;

	private final Executor executor;

	private @Nullable PushbackInputStream in;

	private @Nullable CountDownLatch reading;

	private final CountDownLatch gone = new CountDownLatch(1);

	private volatile boolean frozen;

	HttpConnection(Socket socket, HttpServer server, Executor executor) {
		this.socket = socket;
		this.server = server;
		this.executor = executor;
	}

	@Override
	public void run() {
		try (this.socket) {
			this.socket.setTcpNoDelay(true);
			PushbackInputStream input = new PushbackInputStream(
					new BufferedInputStream(this.socket.getInputStream(), 32 * 1024));
			this.in = input;
			OutputStream out = new BufferedOutputStream(new FreezableOutputStream(this.socket.getOutputStream(), this),
					64 * 1024);
			HttpRequestReader requests = new HttpRequestReader(input, () -> {
				out.write(CONTINUE);
				out.flush();
			});
			for (HttpRequest request = requests.read(); request != null; request = requests.read()) {
				awaitEndIfFrozen();
				HttpResponse response = new HttpResponse(this, out);
				this.server.handler().handle(request, response);
				response.end();
				if ("close".equalsIgnoreCase(request.header("connection"))) {
					return;
				}
				awaitDisconnectWatcher();
			}
		}
		catch (IOException ex) {
			// the client has gone, or the connection was cut on purpose
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.gone.countDown();
			this.server.closed(this);
		}
	}

	void watchForDisconnect(Runnable callback) {
		PushbackInputStream input = this.in;
		if (input == null) {
			return;
		}
		CountDownLatch done = new CountDownLatch(1);
		this.reading = done;
		try {
			this.executor.execute(() -> awaitInput(input, callback, done));
		}
		catch (RejectedExecutionException ex) {
			done.countDown();
			callback.run();
		}
	}

	private void awaitInput(PushbackInputStream input, Runnable callback, CountDownLatch done) {
		try {
			int next = input.read();
			if (next == -1) {
				this.gone.countDown();
				callback.run();
			}
			else {
				input.unread(next);
			}
		}
		catch (IOException ex) {
			this.gone.countDown();
			callback.run();
		}
		finally {
			done.countDown();
		}
	}

	private void awaitDisconnectWatcher() throws InterruptedException {
		CountDownLatch current = this.reading;
		if (current != null) {
			current.await();
			this.reading = null;
		}
	}

	/**
	 * Stays open, but neither answers nor sends anything any more, as if the server's
	 * host had gone.
	 */
	void freeze() {
		this.frozen = true;
	}

	/**
	 * Waits for the end of the connection when it is frozen.
	 * @throws IOException then
	 */
	void awaitEndIfFrozen() throws IOException {
		if (this.frozen) {
			if (this.reading == null) {
				watchForDisconnect(() -> {
				});
			}
			awaitEnd(Long.MAX_VALUE);
		}
	}

	/**
	 * Waits a while.
	 * @throws IOException when the connection ends meanwhile
	 */
	void pause(Duration duration) throws IOException {
		awaitEnd(duration.toNanos());
	}

	private void awaitEnd(long nanos) throws IOException {
		try {
			if (this.gone.await(nanos, TimeUnit.NANOSECONDS)) {
				throw new IOException("The connection has ended");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("The server is closing");
		}
	}

	/**
	 * Resets the connection: the client sees it break, not end.
	 */
	void cut() {
		this.gone.countDown();
		try {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}
		catch (IOException ex) {
			// already closed
		}
	}

}

package dev.informer.test;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

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
			OutputStream out = new BufferedOutputStream(this.socket.getOutputStream(), 64 * 1024);
			HttpRequestReader requests = new HttpRequestReader(input, () -> {
				out.write(CONTINUE);
				out.flush();
			});
			for (HttpRequest request = requests.read(); request != null; request = requests.read()) {
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

	private static void awaitInput(PushbackInputStream input, Runnable callback, CountDownLatch done) {
		try {
			int next = input.read();
			if (next == -1) {
				callback.run();
			}
			else {
				input.unread(next);
			}
		}
		catch (IOException ex) {
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
	 * Resets the connection: the client sees it break, not end.
	 */
	void cut() {
		try {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}
		catch (IOException ex) {
			// already closed
		}
	}

}

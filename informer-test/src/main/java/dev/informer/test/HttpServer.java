package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

	private @Nullable ServerSocket listener;

	private boolean closed;

	HttpServer(int port, Handler handler) {
		this.handler = handler;
		ServerSocket socket = bind(port);
		this.port = socket.getLocalPort();
		AtomicInteger threads = new AtomicInteger();
		this.executor = Executors.newCachedThreadPool((task) -> {
			Thread thread = new Thread(task, "embedded-kubernetes-" + this.port + "-" + threads.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		});
		listen(socket);
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
			listen(bind(this.port));
		}
	}

	/**
	 * Stops listening and resets every connection.
	 */
	synchronized void refuse() {
		ServerSocket socket = this.listener;
		this.listener = null;
		if (socket != null) {
			try {
				socket.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		cutConnections();
	}

	void cutConnections() {
		this.connections.forEach(HttpConnection::cut);
	}

	void closed(HttpConnection connection) {
		this.connections.remove(connection);
	}

	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
			refuse();
		}
		this.executor.shutdownNow();
		try {
			while (!this.executor.awaitTermination(10, TimeUnit.MILLISECONDS)) {
				cutConnections();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void listen(ServerSocket socket) {
		this.listener = socket;
		this.executor.execute(() -> accept(socket));
	}

	private void accept(ServerSocket socket) {
		while (!socket.isClosed()) {
			try {
				serve(socket, socket.accept());
			}
			catch (IOException ex) {
				// closed by refuse(), or the client was gone before it was accepted
			}
		}
	}

	private synchronized void serve(ServerSocket acceptedBy, Socket socket) {
		HttpConnection connection = new HttpConnection(socket, this, this.executor);
		if (this.listener != acceptedBy) {
			connection.cut();
			return;
		}
		this.connections.add(connection);
		this.executor.execute(connection);
	}

	private static ServerSocket bind(int port) {
		try {
			ServerSocket socket = new ServerSocket();
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 512);
			return socket;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot listen on loopback port " + port
					+ "; choose another one with EmbeddedKubernetesOptions.port, or none for any free one", ex);
		}
	}

	/**
	 * Answers requests.
	 */
	interface Handler {

		void handle(HttpRequest request, HttpResponse response) throws IOException;

	}

}

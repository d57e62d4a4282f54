/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Jetty server on the loopback interface whose connections can be reset and frozen, and
 * whose port can be closed and opened again. Each open period has a connector.
 * <p>
 * Jetty replaces HTTP code of this project. All faults of tests work on it: only closing
 * the port, resetting and freezing connections, and noticing a client that disconnects
 * from an idle watch needed code below HTTP.
 * <p>
 * Thread-safe.
 */
public final class EmbeddedHttpServer implements AutoCloseable {

	private static final int BUFFER_SIZE = 64 * 1024;

	private static final int MAX_HEADERS_SIZE = 256 * 1024;

	// Each open watch occupies a thread.
	private static final int MAX_THREADS = 10_000;

	private final Handler handler;

	private final int port;

	private final Server server;

	private @Nullable LoopbackConnector connector;

	public EmbeddedHttpServer(int port, Handler handler) {
		this.handler = handler;
		ServerSocketChannel channel = LoopbackListeners.listen(port);
		this.port = channel.socket().getLocalPort();
		QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 1);
		threads.setName("embedded-kubernetes-" + this.port);
		threads.setDaemon(true);
		this.server = new Server(threads);
		this.server.setHandler(new RequestHandler());
		LifeCycle.start(this.server);
		listen(channel);
	}

	public int port() {
		return this.port;
	}

	/**
	 * Accept connections again, on the same port.
	 */
	public synchronized void open() {
		if (this.connector == null && this.server.isRunning()) {
			listen(LoopbackListeners.listen(this.port));
		}
	}

	/**
	 * Stop listening and reset every connection. The port is free when this method
	 * returns.
	 */
	public synchronized void refuse() {
		LoopbackConnector current = this.connector;
		if (current != null) {
			current.refuse();
			LifeCycle.stop(current);
			this.server.removeConnector(current);
			this.connector = null;
		}
	}

	/**
	 * Make every open connection half-open.
	 */
	public synchronized void freezeConnections() {
		if (this.connector != null) {
			this.connector.connections().forEach(ClientConnection::freeze);
		}
	}

	@Override
	public void close() {
		refuse();
		LifeCycle.stop(this.server);
	}

	private synchronized void listen(ServerSocketChannel channel) {
		LoopbackConnector created = new LoopbackConnector(this.server, channel);
		this.server.addConnector(created);
		LifeCycle.start(created);
		this.connector = created;
	}

	private static HttpConnectionFactory http() {
		HttpConfiguration configuration = new HttpConfiguration();
		configuration.setSendServerVersion(false);
		configuration.setRequestHeaderSize(MAX_HEADERS_SIZE);
		configuration.setOutputBufferSize(BUFFER_SIZE);
		configuration.setOutputAggregationSize(BUFFER_SIZE);
		// An API server accepts encoded slashes and empty segments.
		configuration.setUriCompliance(UriCompliance.UNSAFE);
		return new HttpConnectionFactory(configuration);
	}

	/**
	 * Answers requests.
	 */
	interface Handler {

		void handle(ApiRequest request, ApiResponse response) throws IOException;

	}

	/**
	 * Adapts Jetty's requests and responses.
	 */
	private final class RequestHandler extends org.eclipse.jetty.server.Handler.Abstract {

		@Override
		public boolean handle(Request request, Response response, Callback callback) {
			ApiResponse answer = new ApiResponse(request, response);
			try {
				EmbeddedHttpServer.this.handler.handle(ApiRequest.of(request), answer);
				answer.end();
				callback.succeeded();
			}
			catch (IOException ex) {
				answer.abort();
				// Jetty logs other exceptions as errors of the handler.
				callback.failed(new EofException(ex));
			}
			return true;
		}

	}

	/**
	 * Connector for one open period. Jetty's own closes its port and its connections
	 * asynchronously: a client could still connect and get a response after the port has
	 * been closed, or keep a connection that is never closed.
	 */
	private static final class LoopbackConnector extends ServerConnector {

		private final ServerSocketChannel listener;

		private final Set<SocketChannel> accepted = ConcurrentHashMap.newKeySet();

		private final CountDownLatch acceptorEnded = new CountDownLatch(1);

		LoopbackConnector(Server server, ServerSocketChannel listener) {
			super(server, 1, 1, http());
			this.listener = listener;
			setHost(InetAddress.getLoopbackAddress().getHostAddress());
			setPort(listener.socket().getLocalPort());
			setIdleTimeout(0);
		}

		@Override
		public void open() {
			// the port is open already
		}

		@Override
		public void accept(int acceptor) throws IOException {
			SocketChannel channel = this.listener.accept();
			this.accepted.removeIf((previous) -> !previous.isOpen());
			this.accepted.add(channel);
			channel.configureBlocking(false);
			channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
			getSelectorManager().accept(channel);
		}

		@Override
		protected boolean handleAcceptFailure(Throwable failure) {
			if (this.listener.isOpen()) {
				return true;
			}
			this.acceptorEnded.countDown();
			return false;
		}

		@Override
		protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
			ClientConnection connection = new ClientConnection(channel, selector, key, getScheduler());
			connection.setIdleTimeout(getIdleTimeout());
			return connection;
		}

		List<ClientConnection> connections() {
			return getConnectedEndPoints().stream().map(ClientConnection.class::cast).toList();
		}

		/**
		 * Close the port, then reset all connections, even those that Jetty has not
		 * opened yet.
		 */
		void refuse() {
			try {
				this.listener.close();
				this.acceptorEnded.await();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			connections().forEach(ClientConnection::cut);
			this.accepted.forEach(ClientConnection::cut);
		}

	}

}

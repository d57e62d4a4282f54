/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

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
 * Thread-safe.
 */
final class EmbeddedHttpServer implements AutoCloseable {

	private static final int BUFFER_SIZE = 64 * 1024;

	private static final int MAX_HEADERS_SIZE = 256 * 1024;

	// Each open watch occupies a thread.
	private static final int MAX_THREADS = 10_000;

	private final Handler handler;

	private final int port;

	private final Server server;

	private @Nullable ServerConnector connector;

	EmbeddedHttpServer(int port, Handler handler) {
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

	int port() {
		return this.port;
	}

	/**
	 * Accept connections again, on the same port.
	 */
	synchronized void open() {
		if (this.connector == null && this.server.isRunning()) {
			listen(LoopbackListeners.listen(this.port));
		}
	}

	/**
	 * Stop listening and reset every connection. The port is free when this method
	 * returns.
	 */
	synchronized void refuse() {
		ServerConnector current = this.connector;
		if (current != null) {
			current.close();
			forEachConnection(ClientConnection::cut);
			LifeCycle.stop(current);
			this.server.removeConnector(current);
			this.connector = null;
		}
	}

	/**
	 * Make every open connection half-open.
	 */
	synchronized void freezeConnections() {
		forEachConnection(ClientConnection::freeze);
	}

	@Override
	public void close() {
		refuse();
		LifeCycle.stop(this.server);
	}

	private void forEachConnection(Consumer<ClientConnection> action) {
		if (this.connector != null) {
			this.connector.getConnectedEndPoints().forEach((endPoint) -> action.accept((ClientConnection) endPoint));
		}
	}

	private synchronized void listen(ServerSocketChannel channel) {
		ServerConnector created = new LoopbackConnector(this.server);
		try {
			created.open(channel);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot listen on loopback port " + this.port, ex);
		}
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
	 * Connector without acceptor threads: an accepting thread would keep the port in use
	 * after the connector has been closed.
	 */
	private static final class LoopbackConnector extends ServerConnector {

		LoopbackConnector(Server server) {
			super(server, 0, 1, http());
			setHost(InetAddress.getLoopbackAddress().getHostAddress());
			setIdleTimeout(0);
		}

		@Override
		protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
			ClientConnection connection = new ClientConnection(channel, selector, key, getScheduler());
			connection.setIdleTimeout(getIdleTimeout());
			return connection;
		}

	}

}

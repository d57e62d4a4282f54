/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * Server at 127.0.0.1 that requests client certificates, and ends connections during or
 * after the TLS handshake.
 */
public final class HandshakeServer implements AutoCloseable {

	private final ServerSocket listener;

	private final SSLContext context;

	private final String protocol;

	private final Behavior behavior;

	private final Thread thread = new Thread(this::accept, "tls-server");

	/**
	 * Start a server.
	 * @param authority the authority of the server and of its clients
	 * @param protocol the version of TLS
	 * @param behavior the behavior on each connection
	 */
	public HandshakeServer(TestAuthority authority, String protocol, Behavior behavior) throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		this.context = authority.issue("server").context(authority);
		this.protocol = protocol;
		this.behavior = behavior;
		this.thread.start();
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try (Socket socket = this.listener.accept()) {
				SSLSocket tls = (SSLSocket) this.context.getSocketFactory().createSocket(socket, null, false);
				tls.setEnabledProtocols(new String[] { this.protocol });
				tls.setWantClientAuth(true);
				this.behavior.serve(socket, tls);
			}
			catch (IOException ex) {
				// the client has reset the connection, or the test has ended
			}
		}
	}

	/**
	 * Accept no more connections.
	 */
	public void stopListening() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the URL of the server.
	 */
	public String url() {
		return "https://127.0.0.1:" + this.listener.getLocalPort();
	}

	/**
	 * Require a valid certificate. The connection stays open after the alert: a close
	 * with unread data would be a reset, which may discard the alert.
	 */
	public static void rejectWithAlert(Socket socket, SSLSocket tls) throws IOException {
		tls.setNeedClientAuth(true);
		try {
			tls.startHandshake();
			reset(socket, tls);
		}
		catch (SSLException ex) {
			socket.getInputStream().readAllBytes();
		}
	}

	/**
	 * Reset the connection after the handshake.
	 */
	public static void reset(Socket socket, SSLSocket tls) throws IOException {
		tls.startHandshake();
		socket.setSoLinger(true, 0);
		socket.close();
	}

	/**
	 * Close the connection after the handshake, once a request has arrived.
	 */
	public static void closeAfterRequest(Socket socket, SSLSocket tls) throws IOException {
		tls.startHandshake();
		readRequest(tls.getInputStream());
		socket.shutdownOutput();
		socket.getInputStream().readAllBytes();
	}

	/**
	 * Answer one request with an empty list, and reset the connection with the next one.
	 * @param reset called before the reset
	 */
	public static Behavior answerOnceAndReset(Runnable reset) {
		return (socket, tls) -> {
			tls.startHandshake();
			readRequest(tls.getInputStream());
			String list = "{\"kind\":\"NamespaceList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},"
					+ "\"items\":[]}";
			String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + list.length();
			tls.getOutputStream().write((head + "\r\n\r\n" + list).getBytes(StandardCharsets.US_ASCII));
			readRequest(tls.getInputStream());
			reset.run();
			socket.setSoLinger(true, 0);
			socket.close();
		};
	}

	/**
	 * Answer with a text that is not TLS.
	 */
	public static void answerWithoutTls(Socket socket, SSLSocket tls) throws IOException {
		socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		socket.getInputStream().readAllBytes();
	}

	private static void readRequest(InputStream input) throws IOException {
		StringBuilder head = new StringBuilder();
		while (!head.toString().endsWith("\r\n\r\n")) {
			int next = input.read();
			if (next < 0) {
				throw new IOException("Closed by the client");
			}
			head.append((char) next);
		}
	}

	@Override
	public void close() {
		stopListening();
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Behavior of the server on a connection.
	 */
	@FunctionalInterface
	public interface Behavior {

		/**
		 * Serve a connection, which is closed afterwards.
		 * @param socket the TCP socket
		 * @param tls the TLS socket above it, before the handshake
		 */
		void serve(Socket socket, SSLSocket tls) throws IOException;

	}

}

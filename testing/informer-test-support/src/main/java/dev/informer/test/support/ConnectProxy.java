/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * HTTP proxy that serves the method {@code CONNECT} only, and may require user and
 * password. Thread-safe.
 */
public final class ConnectProxy implements AutoCloseable {

	private static final String UNAUTHORIZED = "HTTP/1.1 407 Proxy Authentication Required\r\n"
			+ "Proxy-Authenticate: Basic realm=\"proxy\"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

	private final ServerSocket listener;

	private final List<String> targets = new CopyOnWriteArrayList<>();

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final @Nullable String required;

	private volatile boolean refused;

	private volatile boolean closed;

	/**
	 * Start a proxy without authentication.
	 */
	public ConnectProxy() throws IOException {
		this(null);
	}

	/**
	 * Start a proxy.
	 * @param required the user and the password, separated by a colon; {@code null} for
	 * none
	 */
	public ConnectProxy(@Nullable String required) throws IOException {
		this.required = (required != null)
				? Base64.getEncoder().encodeToString(required.getBytes(StandardCharsets.UTF_8)) : null;
		this.listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		run(this::accept);
	}

	private static void run(Action action) {
		Thread thread = new Thread(() -> {
			try {
				action.run();
			}
			catch (IOException ex) {
				// closed by the test or by a peer
			}
		}, "connect-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			this.open.add(client);
			if (this.closed) {
				// accepted after the listener was closed, before this thread noticed
				client.close();
				return;
			}
			run(() -> serve(client));
		}
	}

	private void serve(Socket client) throws IOException {
		StringBuilder head = new StringBuilder();
		InputStream input = client.getInputStream();
		while (!head.toString().endsWith("\r\n\r\n")) {
			int next = input.read();
			if (next < 0) {
				return;
			}
			head.append((char) next);
		}
		String[] request = head.toString().split(" ");
		this.targets.add(request[0] + " " + request[1]);
		if (this.required != null
				&& !head.toString().contains("Proxy-Authorization: Basic " + this.required + "\r\n")) {
			client.getOutputStream().write(UNAUTHORIZED.getBytes(StandardCharsets.US_ASCII));
			client.close();
			return;
		}
		if (this.refused) {
			client.getOutputStream()
				.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			client.close();
			return;
		}
		String[] target = request[1].split(":");
		Socket server = new Socket(target[0], Integer.parseInt(target[1]));
		this.open.add(server);
		client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		run(() -> copy(server, client));
		copy(client, server);
	}

	private static void copy(Socket from, Socket to) throws IOException {
		try (from; to) {
			OutputStream output = to.getOutputStream();
			from.getInputStream().transferTo(output);
		}
	}

	/**
	 * Return the URL of the proxy.
	 */
	public String url() {
		return url("");
	}

	/**
	 * Return the URL of the proxy with user and password.
	 * @param user the encoded user information, with {@code @}
	 */
	public String url(String user) {
		return "http://" + user + "127.0.0.1:" + this.listener.getLocalPort();
	}

	/**
	 * Refuse or allow connections from now on.
	 */
	public void refuse(boolean refused) {
		this.refused = refused;
	}

	/**
	 * Return method and target of each request.
	 */
	public List<String> targets() {
		return this.targets;
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		this.listener.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	/**
	 * Work of a thread.
	 */
	private interface Action {

		void run() throws IOException;

	}

}

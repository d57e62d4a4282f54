/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API server with many objects over plain HTTP/1.1. Requests control it: {@code
 * /control/reset?pods=20000}, {@code /control/events?resource=/api/v1/pods&count=20000},
 * {@code /control/expire?resource=/api/v1/pods}.
 */
public final class ReplayServer implements AutoCloseable {

	/** Prefix of the line with the address that the process prints. */
	public static final String READY = "replay server at ";

	/** Prefix of the names of the namespaces with services, which end with a number. */
	public static final String NAMESPACE = "team-";

	private static final Logger logger = LoggerFactory.getLogger(ReplayServer.class);

	private static final int BACKLOG = 512;

	private final ReplayCluster cluster = new ReplayCluster();

	private final ServerSocket socket;

	private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

	/**
	 * Start a server on a free port of the loopback interface.
	 * @throws IOException if no port is free
	 */
	public ReplayServer() throws IOException {
		this.socket = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
		Thread acceptor = new Thread(this::accept, "replay-server");
		acceptor.setDaemon(true);
		acceptor.start();
	}

	/**
	 * Run a server until its standard input ends.
	 * @param arguments none
	 * @throws IOException if the server cannot start
	 */
	public static void main(String[] arguments) throws IOException {
		try (ReplayServer server = new ReplayServer()) {
			System.out.println(READY + server.address());
			while (System.in.read() >= 0) {
				continue;
			}
		}
	}

	/**
	 * Return the address of the server.
	 * @return the address
	 */
	public URI address() {
		return URI.create("http://127.0.0.1:" + this.socket.getLocalPort());
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				Socket connection = this.socket.accept();
				connection.setTcpNoDelay(true);
				this.connections.add(connection);
				ReplayConnection task = new ReplayConnection(connection, this.cluster);
				Thread thread = new Thread(() -> serve(connection, task), "replay-connection");
				thread.setDaemon(true);
				thread.start();
			}
			catch (IOException ex) {
				logger.trace("Cannot accept a connection", ex);
			}
		}
	}

	private void serve(Socket connection, ReplayConnection task) {
		try {
			task.run();
		}
		finally {
			this.connections.remove(connection);
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
		for (Socket connection : this.connections) {
			connection.close();
		}
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * HTTP server without any rules: what it sends need not be HTTP. Closes each connection
 * after one response.
 */
public final class HostileServer implements AutoCloseable {

	private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\\r\\ncontent-length: (\\d+)\\r");

	private final ServerSocket listener;

	private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

	private volatile Responder responder;

	/**
	 * Start a server.
	 * @param responder the responder until {@link #respond} sets another one
	 */
	public HostileServer(Responder responder) throws IOException {
		this.responder = responder;
		this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket socket = this.listener.accept();
				start(() -> serve(socket));
			}
			catch (IOException ex) {
				// closed
			}
		}
	}

	private void serve(Socket socket) {
		try (socket; OutputStream out = socket.getOutputStream()) {
			Request request = read(new BufferedInputStream(socket.getInputStream()));
			String response = this.responder.respond(request);
			if (response != null) {
				out.write(response.getBytes(StandardCharsets.ISO_8859_1));
				out.flush();
			}
			this.requests.add(request);
		}
		catch (IOException ex) {
			// the client has closed the connection
		}
	}

	private static Request read(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int c = in.read();
			if (c < 0) {
				throw new IOException("closed");
			}
			head.append((char) c);
		}
		Matcher length = CONTENT_LENGTH.matcher(head);
		byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
		return new Request(head.substring(0, head.indexOf("\r\n")), head.substring(head.indexOf("\r\n") + 2).strip(),
				new String(body, StandardCharsets.UTF_8));
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "hostile-server");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Respond to requests from now on.
	 * @param responder the responder
	 */
	public void respond(Responder responder) {
		this.responder = responder;
		this.requests.clear();
	}

	/**
	 * Return the requests that have been answered by the current responder.
	 */
	public List<Request> requests() {
		return List.copyOf(this.requests);
	}

	public int port() {
		return this.listener.getLocalPort();
	}

	public String url() {
		return "http://127.0.0.1:" + port();
	}

	/**
	 * Return a complete HTTP response.
	 */
	public static String response(int code, String type, String body) {
		return response(code, type, body.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Return a complete HTTP response.
	 */
	public static String response(int code, String type, byte[] body) {
		return bytes("HTTP/1.1 " + code + " X\r\nContent-Type: " + type + "\r\nConnection: close\r\nContent-Length: "
				+ body.length + "\r\n\r\n") + new String(body, StandardCharsets.ISO_8859_1);
	}

	/**
	 * Return the bytes of a text in UTF-8, one in each character.
	 */
	public static String bytes(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
	}

	/**
	 * Function of a request to all bytes of the response, one in each character.
	 */
	@FunctionalInterface
	public interface Responder {

		@Nullable String respond(Request request) throws IOException;

	}

	/**
	 * Request.
	 *
	 * @param line the first line
	 * @param headers the lines of the headers
	 * @param body the body
	 */
	public record Request(String line, String headers, String body) {

		/**
		 * Return whether the target contains a text.
		 */
		public boolean isFor(String text) {
			return this.line.contains(text);
		}

	}

}

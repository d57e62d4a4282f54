/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Proxy that decrypts and buffers the responses to watches: their bytes pass when there
 * are 64 KB of them, or when the first of them has waited for some time. The headers, and
 * responses to other requests, pass at once. It can also lose the answers to some
 * requests. It speaks HTTP/1.1, so each watch has a connection.
 */
public final class BufferingProxy implements AutoCloseable {

	private static final int CAPACITY = 64 * 1024;

	private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\\r\\ncontent-length: *(\\d+)");

	private static final byte[] END = new byte[0];

	private final ServerSocket listener;

	private final IntSupplier server;

	private final SSLContext upstream;

	private final long maximumNanos;

	private volatile @Nullable Delay delay;

	private final AtomicInteger delayed = new AtomicInteger();

	/**
	 * Start the proxy on a free port.
	 * @param server the port of the server on the loopback interface
	 * @param maximum the time that bytes wait at most
	 */
	public BufferingProxy(ServerKey key, IntSupplier server, Duration maximum) throws IOException {
		this.server = server;
		this.maximumNanos = maximum.toNanos();
		this.upstream = trustingAll();
		this.listener = key.context().getServerSocketFactory().createServerSocket();
		this.listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
		start("buffering-proxy", this::accept);
	}

	private static SSLContext trustingAll() throws IOException {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, new TrustManager[] { new TrustAll() }, new SecureRandom());
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IOException("Cannot connect to the server", ex);
		}
	}

	private static void start(String name, Step step) {
		Thread thread = new Thread(() -> {
			try {
				step.run();
			}
			catch (IOException ex) {
				// Closed by one of its ends
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			start("buffering-link", () -> link(client));
		}
	}

	private void link(Socket client) throws IOException, InterruptedException {
		try (client;
				Socket connected = this.upstream.getSocketFactory()
					.createSocket(InetAddress.getLoopbackAddress(), this.server.getAsInt())) {
			Response response = new Response(client.getOutputStream());
			start("buffering-requests", () -> {
				try (client; connected) {
					pass(client, connected.getOutputStream(), response);
				}
			});
			start("buffering-responses", () -> response.read(connected.getInputStream()));
			response.write();
		}
	}

	private void pass(Socket client, OutputStream to, Response response) throws IOException, InterruptedException {
		InputStream from = client.getInputStream();
		byte[] bytes = new byte[16 * 1024];
		for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
			String request = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
			if (request.contains("watch=true")) {
				response.buffering = true;
			}
			Delay current = this.delay;
			if (current != null && request.startsWith(current.prefix())) {
				byte[] body = restOfBody(request, from);
				// closed with a reset instead of the end of its bytes
				client.setSoLinger(true, 0);
				client.close();
				response.answered = new CountDownLatch(1);
				this.delayed.incrementAndGet();
				TimeUnit.NANOSECONDS.sleep(current.time().toNanos());
				to.write(bytes, 0, count);
				to.write(body);
				// the server may cancel a request whose connection ends
				response.answered.await();
				return;
			}
			to.write(bytes, 0, count);
		}
	}

	/**
	 * Read the bytes of a request that did not arrive together with its header.
	 */
	private static byte[] restOfBody(String request, InputStream from) throws IOException {
		int body = request.indexOf("\r\n\r\n") + 4;
		Matcher length = CONTENT_LENGTH.matcher(request.substring(0, body));
		int expected = length.find() ? Integer.parseInt(length.group(1)) : 0;
		return from.readNBytes(Math.max(0, body + expected - request.length()));
	}

	/**
	 * Reset the connection of each request that begins with some text once the request
	 * has arrived, and carry the request out later.
	 * @param prefix the text, such as {@code POST /api/v1/namespaces}
	 * @param time the time after which it is carried out
	 */
	public void delay(String prefix, Duration time) {
		this.delayed.set(0);
		this.delay = new Delay(prefix, time);
	}

	/**
	 * Return the number of requests that the last {@link #delay} has concerned.
	 */
	public int delayed() {
		return this.delayed.get();
	}

	/**
	 * End {@link #delay} for further requests.
	 */
	public void endDelay() {
		this.delay = null;
	}

	/**
	 * Return the port.
	 */
	public int port() {
		return this.listener.getLocalPort();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
	}

	/**
	 * Responses of one connection: one thread reads and another one writes.
	 */
	private final class Response {

		private final BlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>();

		private final OutputStream client;

		private volatile boolean buffering;

		/**
		 * Reached zero when there is an answer to a request that was carried out late.
		 */
		private volatile CountDownLatch answered = new CountDownLatch(0);

		Response(OutputStream client) {
			this.client = client;
		}

		void read(InputStream server) throws IOException {
			try {
				byte[] bytes = new byte[16 * 1024];
				for (int count = server.read(bytes); count >= 0; count = server.read(bytes)) {
					this.chunks.add(Arrays.copyOf(bytes, count));
					this.answered.countDown();
				}
			}
			finally {
				this.chunks.add(END);
				this.answered.countDown();
			}
		}

		void write() throws IOException, InterruptedException {
			boolean started = false;
			ByteArrayOutputStream buffer = new ByteArrayOutputStream();
			long due = 0;
			while (true) {
				byte @Nullable [] chunk = (buffer.size() > 0)
						? this.chunks.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS) : this.chunks.take();
				if (chunk == END) {
					return;
				}
				if (chunk != null) {
					due = (buffer.size() > 0) ? due : System.nanoTime() + BufferingProxy.this.maximumNanos;
					buffer.writeBytes(chunk);
				}
				boolean header = this.buffering && !started;
				if (header || !this.buffering || chunk == null || buffer.size() >= CAPACITY) {
					started = this.buffering;
					buffer.writeTo(this.client);
					buffer.reset();
				}
			}
		}

	}

	/**
	 * Trust in the certificate of the API server, which is on this machine.
	 */
	private static final class TrustAll implements X509TrustManager {

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String type) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String type) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

	private record Delay(String prefix, Duration time) {
	}

	private interface Step {

		void run() throws IOException, InterruptedException;

	}

}

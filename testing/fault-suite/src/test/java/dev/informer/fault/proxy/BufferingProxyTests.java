/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BufferingProxy}.
 */
class BufferingProxyTests {

	private static final String WATCH = "/pods?watch=true";

	@TempDir
	Path folder;

	/** Lets the server send the body of its response. */
	private final CountDownLatch headerRead = new CountDownLatch(1);

	private ServerKey key;

	private HttpsServer server;

	private volatile int bodySize;

	/** Bodies of the requests that the server has received. */
	private final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();

	@BeforeEach
	void start() throws Exception {
		this.key = new ServerKey(this.folder);
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setHttpsConfigurator(new HttpsConfigurator(this.key.context()));
		this.server.createContext("/", this::respond);
		this.server.start();
	}

	private void respond(HttpExchange exchange) {
		try (OutputStream body = exchange.getResponseBody()) {
			this.bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
			exchange.sendResponseHeaders(200, this.bodySize + 1);
			body.flush();
			this.headerRead.await();
			body.write(new byte[this.bodySize]);
			body.flush();
		}
		catch (IOException ex) {
			// The body is one byte longer, so that its end flushes nothing
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@AfterEach
	void stop() {
		this.headerRead.countDown();
		this.server.stop(0);
	}

	@Test
	void fewBytesOfWatch_waitBehindHeader() throws Exception {
		this.bodySize = 10;
		try (BufferingProxy proxy = proxy(Duration.ofHours(1)); Socket client = request(proxy, WATCH)) {
			readHeader(client);
			client.setSoTimeout(500);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> client.getInputStream().read());
		}
	}

	@Test
	void fewBytesOfWatch_passAfterMaximumTime() throws Exception {
		this.bodySize = 10;
		try (BufferingProxy proxy = proxy(Duration.ofMillis(100)); Socket client = request(proxy, WATCH)) {
			readHeader(client);
			assertThat(client.getInputStream().readNBytes(10)).hasSize(10);
		}
	}

	@Test
	void manyBytesOfWatch_passAtOnce() throws Exception {
		this.bodySize = 100_000;
		try (BufferingProxy proxy = proxy(Duration.ofHours(1)); Socket client = request(proxy, WATCH)) {
			readHeader(client);
			assertThat(client.getInputStream().readNBytes(65_536)).hasSize(65_536);
		}
	}

	@Test
	void responseToOtherRequest_passesAtOnce() throws Exception {
		this.bodySize = 10;
		try (BufferingProxy proxy = proxy(Duration.ofHours(1)); Socket client = request(proxy, "/pods")) {
			readHeader(client);
			assertThat(client.getInputStream().readNBytes(10)).hasSize(10);
		}
	}

	@Test
	void delayedRequest_isCarriedOutAfterTheReset() throws Exception {
		String post = "POST /secrets HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\n";
		try (BufferingProxy proxy = proxy(Duration.ofHours(1)); Socket client = connect(proxy)) {
			this.headerRead.countDown();
			proxy.delay("POST /secrets", Duration.ofMillis(500));
			// the body arrives after the header
			send(client, post);
			send(client, "body");
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> readByte(client));
			assertThat(this.bodies).isEmpty();
			assertThat(this.bodies.poll(30, TimeUnit.SECONDS)).isEqualTo("body");
			assertThat(proxy.delayed()).isEqualTo(1);
			proxy.endDelay();
			try (Socket other = connect(proxy)) {
				send(other, post + "next");
				readHeader(other);
			}
		}
	}

	private static void readByte(Socket client) throws IOException {
		if (client.getInputStream().read() < 0) {
			throw new EOFException();
		}
	}

	private BufferingProxy proxy(Duration maximum) throws IOException {
		return new BufferingProxy(this.key, this.server.getAddress()::getPort, maximum);
	}

	private Socket request(BufferingProxy proxy, String path) throws Exception {
		Socket client = connect(proxy);
		send(client, "GET %s HTTP/1.1\r\nHost: test\r\n\r\n".formatted(path));
		return client;
	}

	private static void send(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	private Socket connect(BufferingProxy proxy) throws Exception {
		Socket client = ErrorServerTests.trusting(this.key.certificate())
			.getSocketFactory()
			.createSocket(InetAddress.getLoopbackAddress(), proxy.port());
		client.setSoTimeout(30_000);
		return client;
	}

	private void readHeader(Socket client) {
		try {
			InputStream input = client.getInputStream();
			StringBuilder header = new StringBuilder();
			while (header.indexOf("\r\n\r\n") < 0) {
				header.append((char) input.read());
			}
			this.headerRead.countDown();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

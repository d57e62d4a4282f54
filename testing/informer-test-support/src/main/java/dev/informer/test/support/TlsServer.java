/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.informer.test.support.TestAuthority.Issued;
import org.jspecify.annotations.Nullable;

/**
 * HTTPS server that answers every request with an empty list of namespaces, can require
 * tokens and client certificates, and can move to another certificate. Thread-safe.
 */
public final class TlsServer implements AutoCloseable {

	private static final byte[] LIST = ("{\"kind\":\"NamespaceList\",\"apiVersion\":\"v1\","
			+ "\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}")
		.getBytes(StandardCharsets.US_ASCII);

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private volatile Predicate<@Nullable String> authorization = (header) -> true;

	private HttpsServer server;

	/**
	 * Start a server.
	 * @param certificate the certificate of the server
	 * @param clients the authority of the clients, whose certificates are required;
	 * {@code null} for none
	 */
	public TlsServer(Issued certificate, @Nullable TestAuthority clients) {
		this.server = start(certificate, clients, 0);
	}

	private HttpsServer start(Issued certificate, @Nullable TestAuthority clients, int port) {
		try {
			HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
			SSLContext context = certificate.context(clients);
			server.setHttpsConfigurator(new HttpsConfigurator(context) {

				@Override
				public void configure(HttpsParameters parameters) {
					SSLParameters tls = getSSLContext().getDefaultSSLParameters();
					tls.setNeedClientAuth(clients != null);
					parameters.setSSLParameters(tls);
				}

			});
			server.createContext("/", this::answer);
			server.start();
			return server;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Restart on the same port with another certificate.
	 */
	public synchronized void move(Issued certificate, @Nullable TestAuthority clients) {
		int port = this.server.getAddress().getPort();
		this.server.stop(0);
		this.server = start(certificate, clients, port);
	}

	/**
	 * Require an authorization.
	 */
	public void accept(Predicate<@Nullable String> authorization) {
		this.authorization = authorization;
	}

	private void answer(HttpExchange exchange) throws IOException {
		String peer = null;
		try {
			peer = ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
		}
		catch (IOException ex) {
			// no client certificate
		}
		List<String> headers = new ArrayList<>();
		exchange.getRequestHeaders()
			.forEach((name, values) -> values.forEach((value) -> headers.add(name + ": " + value)));
		this.received.add(new Received(peer, exchange.getRemoteAddress().getPort(),
				((HttpsExchange) exchange).getSSLSession().getProtocol(), headers));
		boolean accepted = this.authorization.test(exchange.getRequestHeaders().getFirst("Authorization"));
		exchange.getResponseHeaders().add("Content-Type", "application/json");
		byte[] body = accepted ? LIST : new byte[] { '{', '}' };
		exchange.sendResponseHeaders(accepted ? 200 : 401, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	/**
	 * Return the URL of the server.
	 */
	public synchronized String url() {
		return "https://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/**
	 * Return the requests.
	 */
	public List<Received> received() {
		return this.received;
	}

	/**
	 * Return the last request.
	 */
	public Received last() {
		return this.received.get(this.received.size() - 1);
	}

	@Override
	public synchronized void close() {
		this.server.stop(0);
	}

	/**
	 * Request.
	 *
	 * @param peer the subject of the client certificate
	 * @param port the port of the client, different for each connection
	 * @param protocol the version of TLS
	 * @param headers the headers
	 */
	public record Received(@Nullable String peer, int port, String protocol, List<String> headers) {

	}

}

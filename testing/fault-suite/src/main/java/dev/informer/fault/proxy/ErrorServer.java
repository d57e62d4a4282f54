/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

/**
 * HTTPS server that answers each request with an error, in place of an API server that is
 * overloaded. Thread-safe.
 */
public final class ErrorServer implements AutoCloseable {

	private static final char[] PASSWORD = "password".toCharArray();

	private static final String ALIAS = "server";

	private final HttpsServer server;

	private final String certificate;

	private volatile int status = 503;

	/**
	 * Start the server on a free port.
	 * @param folder the folder for its key
	 * @throws IOException if it cannot be started
	 * @throws InterruptedException if the thread is interrupted
	 */
	public ErrorServer(Path folder) throws IOException, InterruptedException {
		try {
			KeyStore keys = createKeys(folder.resolve("error-server.p12"));
			this.certificate = pem(keys.getCertificate(ALIAS));
			KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			factory.init(keys, PASSWORD);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(factory.getKeyManagers(), null, null);
			this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
			this.server.setHttpsConfigurator(new HttpsConfigurator(context));
			this.server.createContext("/", this::respond);
			this.server.start();
		}
		catch (GeneralSecurityException ex) {
			throw new IOException("Cannot create a certificate", ex);
		}
	}

	private static KeyStore createKeys(Path file) throws IOException, InterruptedException, GeneralSecurityException {
		Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
		Process process = new ProcessBuilder(List.of(keytool.toString(), "-genkeypair", "-alias", ALIAS, "-keyalg",
				"EC", "-dname", "CN=error-server", "-ext", "san=ip:127.0.0.1", "-validity", "30", "-storetype",
				"PKCS12", "-storepass", new String(PASSWORD), "-keystore", file.toString()))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException("keytool failed: " + output);
		}
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream stream = Files.newInputStream(file)) {
			keys.load(stream, PASSWORD);
		}
		return keys;
	}

	private static String pem(Certificate certificate) throws GeneralSecurityException {
		String body = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(certificate.getEncoded());
		return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
	}

	private void respond(HttpExchange exchange) {
		try (exchange) {
			byte[] body = """
					{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
					 "message": "injected by the fault suite", "reason": "%s", "code": %d}
					""".formatted((this.status == 429) ? "TooManyRequests" : "ServiceUnavailable", this.status)
				.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.getResponseHeaders().set("Retry-After", "1");
			exchange.getResponseHeaders().set("Connection", "close");
			exchange.sendResponseHeaders(this.status, body.length);
			exchange.getResponseBody().write(body);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Set the status of the responses.
	 * @param status the HTTP status code
	 */
	public void respondWith(int status) {
		this.status = status;
	}

	/**
	 * Return the certificate, which clients have to trust.
	 * @return the certificate in PEM format
	 */
	public String certificate() {
		return this.certificate;
	}

	/**
	 * Return the port.
	 * @return the port on the loopback interface
	 */
	public int port() {
		return this.server.getAddress().getPort();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}

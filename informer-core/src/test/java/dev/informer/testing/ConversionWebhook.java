/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Conversion webhook of an API server for versions of custom resources: it changes the
 * {@code apiVersion} of each object and nothing else, or it fails. Thread-safe.
 */
public final class ConversionWebhook implements AutoCloseable {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private static final String ALIAS = "webhook";

	private final AtomicInteger asked = new AtomicInteger();

	private final KeyStore keys;

	private final HttpsServer server;

	private volatile boolean failing;

	/**
	 * Start the webhook.
	 * @param folder the folder for its certificate
	 */
	public ConversionWebhook(Path folder) throws Exception {
		this.keys = certificate(folder.resolve("webhook.p12"));
		KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		managers.init(this.keys, PASSWORD);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(managers.getKeyManagers(), null, null);
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setHttpsConfigurator(new HttpsConfigurator(context));
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private static KeyStore certificate(Path file) throws Exception {
		String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		Process process = new ProcessBuilder(keytool, "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-dname",
				"CN=127.0.0.1", "-ext", "san=ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12", "-keystore",
				file.toString(), "-storepass", new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IllegalStateException("Cannot create a certificate: " + output);
		}
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream input = Files.newInputStream(file)) {
			keys.load(input, PASSWORD);
		}
		return keys;
	}

	public String url() {
		return "https://127.0.0.1:" + this.server.getAddress().getPort() + "/convert";
	}

	/**
	 * Return the certificate to trust, in the format of a definition of a custom
	 * resource.
	 */
	public String certificateAuthority() throws Exception {
		String pem = "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder(64, new byte[] { '\n' })
			.encodeToString(this.keys.getCertificate(ALIAS).getEncoded()) + "\n-----END CERTIFICATE-----\n";
		return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * Set whether requests are answered with an invalid conversion.
	 */
	public void failing(boolean failing) {
		this.failing = failing;
	}

	/**
	 * Return the number of requests.
	 */
	public int asked() {
		return this.asked.get();
	}

	private void answer(HttpExchange exchange) throws IOException {
		this.asked.incrementAndGet();
		byte[] request = exchange.getRequestBody().readAllBytes();
		byte[] answer = this.failing ? "{\"garbage\":".getBytes(StandardCharsets.US_ASCII) : convert(request);
		exchange.getResponseHeaders().put("Content-Type", List.of("application/json"));
		exchange.sendResponseHeaders(200, answer.length);
		exchange.getResponseBody().write(answer);
		exchange.close();
	}

	private static byte[] convert(byte[] review) {
		JsonMapper mapper = JsonMapper.shared();
		JsonNode root = mapper.readTree(review);
		JsonNode request = root.path("request");
		ArrayNode converted = mapper.createArrayNode();
		for (JsonNode object : request.path("objects")) {
			converted.add(((ObjectNode) object).put("apiVersion", request.path("desiredAPIVersion").asString()));
		}
		ObjectNode response = mapper.createObjectNode();
		response.put("uid", request.path("uid").asString());
		response.set("convertedObjects", converted);
		response.set("result", mapper.createObjectNode().put("status", "Success"));
		ObjectNode answer = mapper.createObjectNode();
		answer.put("apiVersion", root.path("apiVersion").asString()).put("kind", root.path("kind").asString());
		answer.set("response", response);
		return mapper.writeValueAsBytes(answer);
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}

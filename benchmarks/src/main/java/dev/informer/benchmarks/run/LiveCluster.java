/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.informer.benchmarks.client.PlainConnections;
import dev.informer.benchmarks.replay.ReplayedBodies;
import dev.informer.test.cluster.ControlPlane;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Cluster of real servers with the pods of the replay server, as far as the API server
 * accepts them. Their nodes need no machine, and set their status.
 */
final class LiveCluster implements BenchServer {

	private static final int NODES = 20;

	private static final int REQUESTS_AT_A_TIME = 16;

	private final ControlPlane controlPlane;

	private final Path certificate;

	private final HttpClient http;

	/**
	 * Start a cluster of the binaries that {@code KUBEBUILDER_ASSETS} names.
	 */
	LiveCluster() throws IOException {
		this.controlPlane = ControlPlane.fromEnvironment().living(NODES).start();
		this.certificate = Files.createTempFile("live-cluster", ".crt");
		Files.write(this.certificate, this.controlPlane.caCertificate());
		this.http = HttpClient.newBuilder().sslContext(PlainConnections.trusting(this.certificate)).build();
	}

	@Override
	public URI address() {
		return this.controlPlane.url();
	}

	@Override
	public List<String> credentials() {
		return List.of("certificate=" + this.certificate, "token=" + this.controlPlane.adminToken(),
				"server-pid=" + apiServer().pid());
	}

	/**
	 * Return the process of the API server, whose processor time the clients read.
	 */
	private static ProcessHandle apiServer() {
		return ProcessHandle.current()
			.descendants()
			.filter((
					process) -> process.info().command().filter((path) -> path.endsWith("/kube-apiserver")).isPresent())
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No process of a kube-apiserver was found"));
	}

	@Override
	public void reset(String settings) {
		// the state never changes
	}

	/**
	 * Create pods and wait until they run.
	 * @param count the number of pods
	 */
	void createPods(int count) throws IOException, InterruptedException {
		List<ObjectNode> pods = pods(count);
		Set<String> namespaces = new HashSet<>();
		pods.forEach((pod) -> namespaces.add(namespace(pod)));
		for (String namespace : namespaces) {
			createNamespace(namespace);
		}
		sendAll(pods.stream()
			.map((pod) -> post("/api/v1/namespaces/" + namespace(pod) + "/pods", pod.toString()))
			.toList());
		awaitRunning();
	}

	void createNamespace(String name) throws IOException, InterruptedException {
		send(post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}"));
	}

	/**
	 * Send requests, several at a time.
	 */
	void sendAll(List<HttpRequest> requests) throws IOException, InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(REQUESTS_AT_A_TIME);
		try {
			List<Future<String>> answers = new ArrayList<>();
			requests.forEach((request) -> answers.add(executor.submit(() -> send(request))));
			for (Future<String> answer : answers) {
				answer.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IOException("Cannot write to the cluster", ex);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static List<ObjectNode> pods(int count) {
		List<ObjectNode> pods = new ArrayList<>();
		for (JsonNode item : JsonMapper.shared().readTree(ReplayedBodies.listOfPods(count)).path("items")) {
			ObjectNode pod = (ObjectNode) item;
			ObjectNode metadata = (ObjectNode) pod.path("metadata");
			metadata.remove(List.of("managedFields", "uid", "resourceVersion", "ownerReferences", "generation"));
			((ObjectNode) pod.path("spec")).put("nodeName", "node-" + (1 + pods.size() % NODES));
			pod.remove("status");
			pods.add(pod);
		}
		return pods;
	}

	private static String namespace(JsonNode pod) {
		return pod.path("metadata").path("namespace").asString();
	}

	private void awaitRunning() throws IOException, InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
		while (System.nanoTime() < deadline) {
			if (items("/api/v1/pods?limit=1&fieldSelector=status.phase%21%3DRunning").isEmpty()) {
				return;
			}
			TimeUnit.SECONDS.sleep(1);
		}
		throw new IOException("Pods of the cluster did not start");
	}

	HttpRequest post(String path, String json) {
		return request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json))
			.build();
	}

	HttpRequest mergePatch(String path, String json) {
		return request(path).header("Content-Type", "application/merge-patch+json")
			.method("PATCH", HttpRequest.BodyPublishers.ofString(json))
			.build();
	}

	/**
	 * Read a list.
	 */
	JsonNode items(String path) throws IOException, InterruptedException {
		return JsonMapper.shared().readTree(send(request(path).GET().build())).path("items");
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(address().resolve(path))
			.header("Authorization", "Bearer " + this.controlPlane.adminToken());
	}

	String send(HttpRequest request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.http.send(request, BodyHandlers.ofString());
		if (response.statusCode() >= 300) {
			throw new IOException("Server answered " + request + " with " + response.body());
		}
		return response.body();
	}

	@Override
	public void close() throws IOException {
		this.controlPlane.close();
		Files.delete(this.certificate);
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.informer.benchmarks.client.ControllerProcess;
import tools.jackson.databind.JsonNode;

/**
 * Table of the same controller with this project and with the Java Operator SDK: each in
 * a JVM of its own, with a cluster of its own.
 */
final class ControllerTable {

	private static final Map<String, String> LIBRARIES = Map.of("informer", "this project", "fabric8",
			"Java Operator SDK");

	private static final String WIDGETS = "/apis/bench.example.com/v1/namespaces/bench/widgets";

	private static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "widgets.bench.example.com"},
			 "spec": {"group": "bench.example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			    "spec": {"type": "object", "properties": {"text": {"type": "string"}, "number": {"type": "integer"}}},
			    "status": {"type": "object", "properties": {"observed": {"type": "integer"}}}}}}}]}}""";

	/** Of which all changes of specs are. */
	private static final int CHANGED = 100;

	/** Time without a call after which a controller is at rest. */
	private static final Duration REST = Duration.ofSeconds(5);

	/** Seconds in which a change that was not seen may still be seen. */
	private static final int LAST_CHANCE = 60;

	private static final Duration PATIENCE = Duration.ofMinutes(30);

	private final RunOptions options;

	ControllerTable(RunOptions options) {
		this.options = options;
	}

	void print(PrintStream out) throws IOException, InterruptedException {
		Map<String, Map<String, String>> columns = new TreeMap<>();
		for (int round = 1; round <= this.options.rounds(); round++) {
			for (String client : List.of("informer", "fabric8")) {
				String column = LIBRARIES.get(client) + ", " + round;
				columns.put(column, measure(client));
				out.println(column + " " + columns.get(column));
			}
		}
		out.println();
		out.println("| | " + String.join(" | ", columns.keySet()) + " |");
		out.println("|---" + "|---:".repeat(columns.size()) + "|");
		columns.values().iterator().next().keySet().forEach((row) -> {
			out.print("| " + row + " |");
			columns.values().forEach((figures) -> out.print(" " + figures.get(row) + " |"));
			out.println();
		});
	}

	/**
	 * Return the figures of one run.
	 */
	Map<String, String> measure(String client) throws IOException, InterruptedException {
		Map<String, String> figures = new LinkedHashMap<>();
		try (LiveCluster cluster = new LiveCluster()) {
			createWidgets(cluster);
			try (ChildProcess process = start(client, cluster)) {
				add("first start", awaitRest(process, this.options.pods()), figures);
				figures.put("live heap, MB",
						String.format(Locale.ROOT, "%.0f", read(process, "live", 0).liveMegabytes()));
			}
			figures.put("widgets that are not as they should be", Long.toString(unfinished(cluster)));
			try (ChildProcess process = start(client, cluster)) {
				Rest before = awaitRest(process, this.options.pods());
				add("restart", before, figures);
				change(cluster);
				add("changes", awaitRest(process, before.calls() + 1).since(before), figures);
				figures.put("changed widgets without a call that saw it",
						Long.toString(awaitSeen(cluster, Duration.ofSeconds(this.options.seconds(LAST_CHANCE)))));
			}
		}
		return figures;
	}

	private void createWidgets(LiveCluster cluster) throws IOException, InterruptedException {
		cluster.createNamespace("bench");
		cluster.send(cluster.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION));
		awaitServed(cluster);
		cluster.sendAll(IntStream.range(0, this.options.pods()).mapToObj((index) -> cluster.post(WIDGETS, """
				{"apiVersion": "bench.example.com/v1", "kind": "Widget", "metadata": {"name": "widget-%1$d"},
				 "spec": {"text": "text of widget %1$d", "number": 1}}""".formatted(index))).toList());
	}

	private static void awaitServed(LiveCluster cluster) throws IOException, InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			try {
				cluster.items(WIDGETS);
				return;
			}
			catch (IOException ex) {
				if (System.nanoTime() - deadline > 0) {
					throw ex;
				}
				TimeUnit.MILLISECONDS.sleep(200);
			}
		}
	}

	private ChildProcess start(String client, LiveCluster cluster) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("server=" + cluster.address(), "client=" + client));
		arguments.addAll(cluster.credentials());
		List<String> flags = new ArrayList<>(List.of("-Xmx" + this.options.heap()));
		flags.addAll(this.options.flags());
		return ChildProcess.java(this.options.java(), List.of(), flags, ControllerProcess.class, arguments);
	}

	/**
	 * Wait until a controller has been called as often as it has to be, and then has
	 * neither been called nor written for a while.
	 */
	private static Rest awaitRest(ChildProcess process, long calls) throws IOException, InterruptedException {
		long start = System.nanoTime();
		Rest last = read(process, "counts", 0);
		long changed = start;
		while (last.calls() < calls || System.nanoTime() - changed < REST.toNanos()) {
			if (System.nanoTime() - start > PATIENCE.toNanos()) {
				throw new IllegalStateException("The controller did not come to rest: " + last);
			}
			TimeUnit.MILLISECONDS.sleep(100);
			long now = System.nanoTime();
			Rest current = read(process, "counts", (now - start) / 1e9);
			if (current.calls() != last.calls() || current.writes() != last.writes()) {
				last = current;
				changed = now;
			}
		}
		return last;
	}

	/**
	 * Return how many widgets are unfinished a while after the controller came to rest.
	 */
	private static long awaitSeen(LiveCluster cluster, Duration timeout) throws IOException, InterruptedException {
		long start = System.nanoTime();
		long unfinished = unfinished(cluster);
		while (unfinished > 0 && System.nanoTime() - start < timeout.toNanos()) {
			TimeUnit.SECONDS.sleep(1);
			unfinished = unfinished(cluster);
		}
		return unfinished;
	}

	private static Rest read(ChildProcess process, String command, double seconds) throws IOException {
		process.writeLine(command);
		String line = process.readLine();
		while (line != null && !line.startsWith("figures ")) {
			line = process.readLine();
		}
		if (line == null) {
			throw new IllegalStateException("The process of the controller has ended");
		}
		String[] words = line.split(" ");
		return new Rest(seconds, Long.parseLong(words[1]), Long.parseLong(words[2]), Double.parseDouble(words[3]),
				Double.parseDouble(words[4]));
	}

	private static void add(String phase, Rest rest, Map<String, String> figures) {
		figures.put(phase + ": s", String.format(Locale.ROOT, "%.1f", rest.seconds()));
		figures.put(phase + ": CPU, s", String.format(Locale.ROOT, "%.1f", rest.cpuSeconds()));
		figures.put(phase + ": calls", Long.toString(rest.calls()));
		figures.put(phase + ": writes", Long.toString(rest.writes()));
	}

	/**
	 * Change the numbers of some widgets, as fast as the server accepts it.
	 */
	private void change(LiveCluster cluster) throws IOException, InterruptedException {
		List<HttpRequest> changes = new ArrayList<>();
		for (int change = 0; change < this.options.updates(); change++) {
			changes.add(cluster.mergePatch(WIDGETS + "/widget-" + change % Math.min(CHANGED, this.options.pods()),
					"{\"spec\": {\"number\": " + (change + 2) + "}}"));
		}
		cluster.sendAll(changes);
	}

	/**
	 * Return the number of widgets whose status is not that of their spec, or that have
	 * no ConfigMap.
	 */
	private static long unfinished(LiveCluster cluster) throws IOException, InterruptedException {
		List<String> owners = cluster.items("/api/v1/namespaces/bench/configmaps")
			.valueStream()
			.map((configMap) -> configMap.at("/metadata/ownerReferences/0/uid").asString())
			.toList();
		Map<String, JsonNode> widgets = new TreeMap<>();
		cluster.items(WIDGETS).forEach((widget) -> widgets.put(widget.at("/metadata/uid").asString(), widget));
		owners.forEach((owner) -> widgets.computeIfPresent(owner,
				(uid, widget) -> (widget.at("/status/observed").equals(widget.at("/spec/number"))) ? null : widget));
		return widgets.size();
	}

	/**
	 * State of a controller at rest.
	 *
	 * @param seconds the time until its last call
	 * @param calls the number of calls
	 * @param writes the number of requests that write
	 * @param cpuSeconds the processor time
	 * @param liveMegabytes the live heap; 0 if it was not measured
	 */
	private record Rest(double seconds, long calls, long writes, double cpuSeconds, double liveMegabytes) {

		Rest since(Rest before) {
			return new Rest(this.seconds, this.calls - before.calls, this.writes - before.writes,
					this.cpuSeconds - before.cpuSeconds, this.liveMegabytes);
		}

	}

}

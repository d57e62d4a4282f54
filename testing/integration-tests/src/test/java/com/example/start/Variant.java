/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.start;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Start of {@link EmptyApplication} with a part of this class path.
 *
 * @param name the name in the table
 * @param classPath selects class path entries by file or module name
 * @param arguments the arguments of the application
 */
record Variant(String name, Predicate<String> classPath, List<String> arguments) {

	/**
	 * Resources of the official client, in the order in which informers are declared.
	 */
	private static final List<String> RESOURCES = List.of("pods", "deployments", "services", "configmaps", "secrets",
			"nodes", "namespaces", "jobs", "cronjobs", "daemonsets", "statefulsets", "replicasets", "ingresses",
			"networkpolicies", "roles", "rolebindings", "clusterroles", "serviceaccounts", "persistentvolumes",
			"persistentvolumeclaims");

	private static final Pattern ACTUATOR = Pattern.compile("spring-boot-(starter-)?(actuator|health|micrometer).*"
			+ "|micrometer-(core|jakarta9).*|HdrHistogram.*|LatencyUtils.*");

	private static final Pattern WEB = Pattern.compile("(?!.*test)(spring-|tomcat-|jackson-|logback-|log4j-|jul-to-"
			+ "|slf4j-|jakarta\\.|snakeyaml|micrometer-(commons|observation)|jspecify|commons-logging).*");

	private static final Pattern OURS = Pattern.compile("informer-.*");

	/** Parts of this class path that the starter does not bring. */
	private static final Pattern OTHERS = Pattern
		.compile("(sample-app|sample-controller|informer-(.*-)?test|spring-boot-.*test"
				+ "|spring-test|junit|mockito|assertj|json-path|jsonassert|awaitility|hamcrest|testcontainers|docker-java"
				+ "|selenium|micrometer-registry-prometheus|prometheus-metrics).*");

	/**
	 * Return all variants, each of which is compared with the one before it.
	 */
	static List<Variant> all() {
		Predicate<String> actuator = ACTUATOR.asMatchPredicate();
		Predicate<String> web = WEB.asMatchPredicate().and(actuator.negate());
		Predicate<String> everything = OTHERS.asMatchPredicate().negate();
		List<Variant> variants = new ArrayList<>();
		variants.add(new Variant("web", web, List.of()));
		variants.add(new Variant("web, Actuator", web.or(actuator), List.of()));
		variants.add(
				new Variant("web, Actuator, client-java", everything.and(OURS.asMatchPredicate().negate()), List.of()));
		variants.add(new Variant("web, the starter", everything, List.of()));
		Stream.of(1, 5, 20)
			.map((count) -> new Variant("web, the starter, informers: " + count, everything, informers(count)))
			.forEach(variants::add);
		return variants;
	}

	private static List<String> informers(int count) {
		return Stream
			.concat(Stream.of("--informer.auto-startup=false"),
					IntStream.range(0, count)
						.mapToObj((index) -> "--informer.resources." + RESOURCES.get(index) + ".required=true"))
			.toList();
	}

	/**
	 * Start the application in a new JVM.
	 * @return the figures of the start
	 */
	StartFigures start() throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(
				Stream.of(System.getProperty("java.home"), "bin", "java").collect(Collectors.joining(File.separator)),
				"-cp", selectedClassPath(), EmptyApplication.class.getName(), "--server.port=0"));
		command.addAll(this.arguments);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		List<String> output = process.inputReader().lines().toList();
		process.waitFor();
		return output.stream()
			.filter((line) -> line.startsWith(EmptyApplication.FIGURES))
			.map(StartFigures::of)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					this.name + ": the application did not start: " + String.join("\n", output)));
	}

	private String selectedClassPath() {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter(this::isPart)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private boolean isPart(String entry) {
		File file = new File(entry);
		if (file.getName().equals("test-classes")) {
			return true;
		}
		if (file.getName().equals("classes")) {
			return this.classPath.test(file.getParentFile().getParentFile().getName());
		}
		return this.classPath.test(file.getName());
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.micro;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import dev.informer.benchmarks.replay.ReplayedBodies;
import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEventReader;
import dev.informer.client.json.JsonWireFormat;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Benchmark of the decoder with pods of about 9 KB; figures are per pod. For comparison,
 * the same bytes are tokenized, and decoded by the official client's Gson.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodingBenchmark {

	private static final int PODS = 500;

	private static final JsonFactory FACTORY = new JsonFactory();

	private final byte[] list = ReplayedBodies.listOfPods(PODS);

	private final byte[] watch = ReplayedBodies.updatesOfPods(PODS);

	private final String text = new String(this.list, StandardCharsets.UTF_8);

	private final JsonWireFormat<V1Pod> format = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	private final JsonWireFormat<V1Pod> withManagedFields = this.format.withManagedFields();

	/**
	 * Decode the items of a list.
	 * @param blackhole the consumer of the items
	 * @return the rest of the list
	 * @throws IOException if the list cannot be read
	 */
	@Benchmark
	@OperationsPerInvocation(PODS)
	public ListPage listItem(Blackhole blackhole) throws IOException {
		return this.format.readList(new ByteArrayInputStream(this.list), new BlackholeSink(blackhole));
	}

	/**
	 * Decode the items of a list with their managed fields.
	 * @param blackhole the consumer of the items
	 * @return the rest of the list
	 * @throws IOException if the list cannot be read
	 */
	@Benchmark
	@OperationsPerInvocation(PODS)
	public ListPage listItemWithManagedFields(Blackhole blackhole) throws IOException {
		return this.withManagedFields.readList(new ByteArrayInputStream(this.list), new BlackholeSink(blackhole));
	}

	/**
	 * Decode the events of a watch.
	 * @param blackhole the consumer of the events
	 * @throws IOException if the events cannot be read
	 */
	@Benchmark
	@OperationsPerInvocation(PODS)
	public void watchEvent(Blackhole blackhole) throws IOException {
		try (WatchEventReader<V1Pod> events = this.format.readWatch(new ByteArrayInputStream(this.watch))) {
			WatchEvent<V1Pod> event = events.next();
			while (event != null) {
				blackhole.consume(event);
				event = events.next();
			}
		}
	}

	/**
	 * Tokenize a list.
	 * @return the number of tokens
	 */
	@Benchmark
	@OperationsPerInvocation(PODS)
	public int tokensOfListItem() {
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), this.list)) {
			int tokens = 0;
			while (parser.nextToken() != null) {
				tokens++;
			}
			return tokens;
		}
	}

	/**
	 * Decode a list as the official client does, from text.
	 * @return the list
	 */
	@Benchmark
	@OperationsPerInvocation(PODS)
	public V1PodList listItemByOfficialClient() {
		return JSON.getGson().fromJson(this.text, V1PodList.class);
	}

	private record BlackholeSink(Blackhole blackhole) implements ListSink<V1Pod> {

		@Override
		public void accept(V1Pod object) {
			this.blackhole.consume(object);
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			throw new IllegalStateException("Undecodable: " + object);
		}

	}

}

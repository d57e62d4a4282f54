/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.BackoffPolicy;
import dev.informer.InformerOptions;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the time after which a {@link Reflector} with default settings follows the
 * server again, in simulated time, and for the load of many of them.
 */
class RecoveryTimeTests {

	private static final int RUNS = 60;

	/** Duration of a request; that of a list is ten times longer. */
	private static final Duration LATENCY = Duration.ofMillis(30);

	/** Time in which a server answers before it has filled its caches. */
	private static final Duration START = Duration.ofSeconds(3);

	private static final Duration BUCKET = Duration.ofMillis(100);

	private final ch.qos.logback.classic.Logger logger = (ch.qos.logback.classic.Logger) LoggerFactory
		.getLogger(Reflector.class);

	@BeforeEach
	void disableLog() {
		this.logger.setLevel(ch.qos.logback.classic.Level.OFF);
	}

	@AfterEach
	void restoreLog() {
		this.logger.setLevel(null);
	}

	static Stream<Row> recovery() {
		List<Row> rows = new ArrayList<>();
		Map<String, Supplier<IOException>> faults = Map.of("refused", () -> new ConnectException("refused"), "reset",
				() -> new SocketException("Connection reset"), "EOF", () -> new EOFException("unexpected end"), "500",
				() -> status(500), "503", () -> status(503), "504", () -> status(504));
		new TreeMap<>(faults).forEach((name, fault) -> {
			for (int seconds : new int[] { 1, 30, 120 }) {
				for (boolean expires : new boolean[] { false, true }) {
					rows.add(new Row(name, fault, List.of(Duration.ofSeconds(seconds)), expires,
							Duration.ofSeconds((seconds <= 30) ? 5 : 10)));
				}
			}
			rows.add(new Row(name, fault, List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(1)),
					true, Duration.ofSeconds(5)));
		});
		for (int code : new int[] { 401, 403, 429 }) {
			for (int seconds : new int[] { 1, 30, 120, 1200 }) {
				rows.add(new Row("" + code, () -> status(code), List.of(Duration.ofSeconds(seconds)), false,
						Duration.ofSeconds(10)));
			}
		}
		for (int code : new int[] { 401, 403, 404, 429 }) {
			for (int seconds : new int[] { 5, 30 }) {
				rows.add(new Row("refused and " + code, () -> new ConnectException("refused"),
						List.of(Duration.ofSeconds(seconds)), true, Duration.ofSeconds(5), () -> status(code)));
			}
		}
		// The request that is not answered at the end of the fault takes its time as
		// well.
		rows.add(new Row("timeout", () -> new SocketTimeoutException("timeout"), List.of(Duration.ofSeconds(120)), true,
				Duration.ofSeconds(10)));
		return rows.stream();
	}

	@ParameterizedTest
	@MethodSource
	void recovery(Row row) {
		Duration worst = Duration.ZERO;
		for (int i = 0; i < RUNS; i++) {
			Duration recovery = new Simulation(row, InformerOptions.DEFAULT.backoff()).run();
			worst = (recovery.compareTo(worst) > 0) ? recovery : worst;
		}
		System.out.printf("%-60s worst recovery %5d ms%n", row, worst.toMillis());
		assertThat(worst).isLessThanOrEqualTo(row.bound());
	}

	@Test
	void manyInformers_spreadTheirRequests() {
		BackoffPolicy standard = InformerOptions.DEFAULT.backoff();
		BackoffPolicy synchronised = new BackoffPolicy(standard.delay(), standard.multiplier(), standard.maxDelay(),
				Duration.ZERO, standard.resetAfter());
		for (int seconds : new int[] { 1, 30, 120 }) {
			Row row = new Row("refused", () -> new ConnectException("refused"), List.of(Duration.ofSeconds(seconds)),
					true, Duration.ofSeconds(10));
			Map<Long, Integer> herd = histogram(row, synchronised, 1);
			Map<Long, Integer> spread = histogram(row, standard, 50 * 20);
			int synchronisedPeak = 50 * 20 * herd.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
			int peak = spread.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
			System.out.printf("Requests of 1,000 informers per 100 ms after an outage of %d s: peak %d, of a "
					+ "synchronised herd %d%n%s%n", seconds, peak, synchronisedPeak, spread);
			assertThat(peak).isLessThan(synchronisedPeak * 3 / 10);
		}
	}

	/**
	 * Return the number of requests by the number of their 100 ms after the outage.
	 */
	private static Map<Long, Integer> histogram(Row row, BackoffPolicy backoff, int informers) {
		Map<Long, Integer> buckets = new TreeMap<>();
		for (int i = 0; i < informers; i++) {
			Simulation simulation = new Simulation(row, backoff);
			simulation.run();
			simulation.requests.forEach((after) -> buckets.merge(after / BUCKET.toNanos(), 1, Integer::sum));
		}
		return buckets;
	}

	private static ServerStatusException status(int code) {
		return new ServerStatusException(new ServerStatus(code, "Fault", "", List.of(), null));
	}

	/**
	 * Fault of the server.
	 *
	 * @param name its name
	 * @param fault the failure of each request during an outage
	 * @param outages the durations of the outages, which begin half a minute apart
	 * @param expires whether the first watch after each one is ended by a 410
	 * @param bound the maximum time until the informer follows the server again
	 * @param start the failure of each request in the last seconds of an outage
	 */
	record Row(String name, Supplier<IOException> fault, List<Duration> outages, boolean expires, Duration bound,
			Supplier<IOException> start) {

		Row(String name, Supplier<IOException> fault, List<Duration> outages, boolean expires, Duration bound) {
			this(name, fault, outages, expires, bound, fault);
		}

		@Override
		public String toString() {
			return this.name + " for " + this.outages + (this.expires ? ", then 410" : "");
		}

	}

	/**
	 * Server with outages, and a reflector that lists and watches it.
	 */
	private static final class Simulation implements ListerWatcher<V1Pod> {

		private final FakeTime time = FakeTime.autoAdvancing();

		private final Row row;

		private final List<Long> requests = new ArrayList<>();

		private final Reflector<V1Pod> reflector;

		private int outages;

		/** Begin and end of the current outage. */
		private long begin = Duration.ofMinutes(5).toNanos();

		private long end;

		private boolean expired;

		private Duration worst = Duration.ZERO;

		Simulation(Row row, BackoffPolicy backoff) {
			this.row = row;
			Recorder recorder = new Recorder();
			this.reflector = TestSettings.reflector(
					TestSettings.of(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(backoff).build()),
					this, recorder.cache, recorder::record, this.time, (event) -> {
					});
			this.end = this.begin + row.outages().get(0).toNanos();
			this.expired = row.expires();
		}

		Duration run() {
			this.reflector.run();
			return this.worst;
		}

		private void request(Duration latency) throws IOException {
			boolean silent = this.row.name().equals("timeout");
			if (isDown() && silent) {
				// ends at once when the fault does: the bound is that of the delays
				this.time.advance(
						Duration.ofNanos(Math.min(Duration.ofSeconds(10).toNanos(), this.end - this.time.nanoTime())));
				throw this.row.fault().get();
			}
			if (isDown()) {
				boolean starting = this.end - this.time.nanoTime() < START.toNanos();
				this.time.advance(LATENCY);
				throw (starting ? this.row.start() : this.row.fault()).get();
			}
			if (this.time.nanoTime() >= this.end) {
				this.requests.add(this.time.nanoTime() - this.end);
			}
			this.time.advance(latency);
		}

		private boolean isDown() {
			return this.time.nanoTime() >= this.begin && this.time.nanoTime() < this.end;
		}

		@Override
		public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
			request(LATENCY.multipliedBy(10));
			return new ListPage("10", null);
		}

		@Override
		public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
				throws IOException {
			request(LATENCY);
			if (this.time.nanoTime() >= this.end && this.expired) {
				this.expired = false;
				this.time.advance(Duration.ofMillis(5));
				return new ScriptedSource(this.time).events(ScriptedSource.error(410, "Expired"));
			}
			return new QuietStream();
		}

		/**
		 * Quiet until the next outage breaks it.
		 */
		private @Nullable WatchEvent<V1Pod> next() throws IOException {
			if (this.time.nanoTime() >= this.end) {
				Duration recovery = Duration.ofNanos(this.time.nanoTime() - this.end);
				this.worst = (recovery.compareTo(this.worst) > 0) ? recovery : this.worst;
				this.outages++;
				if (this.outages == this.row.outages().size()) {
					this.reflector.stop();
					return null;
				}
				this.begin = this.time.nanoTime() + Duration.ofSeconds(20).toNanos();
				this.end = this.begin + this.row.outages().get(this.outages).toNanos();
				this.expired = this.row.expires();
			}
			this.time.advance(Duration.ofNanos(this.begin - this.time.nanoTime()));
			throw new IOException("Connection reset");
		}

		private final class QuietStream implements WatchStream<V1Pod> {

			@Override
			public @Nullable WatchEvent<V1Pod> next() throws IOException {
				return Simulation.this.next();
			}

			@Override
			public void idleTimeout(Duration limit) {
			}

			@Override
			public void close() {
			}

		}

	}

}

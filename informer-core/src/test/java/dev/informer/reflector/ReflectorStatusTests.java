/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.client.ListPage;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.error;
import static dev.informer.testing.ScriptedSource.undecodable;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorStatus} and {@link FailureClassification}.
 */
class ReflectorStatusTests {

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);

	@BeforeEach
	void startAppender() {
		this.log.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void stopAppender() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@Test
	void consecutiveFailures_areAllPublishedAndLoggedOncePerChange() {
		for (int i = 0; i < 20; i++) {
			this.source.listFails(403, "Forbidden");
		}
		for (int i = 0; i < 20; i++) {
			this.source.listFails(500, "InternalError");
		}
		this.source.list(10).watch(bookmark(20));
		run();
		assertThat(this.recorder.failures).hasSizeGreaterThanOrEqualTo(40);
		assertThat(lines()).hasSizeLessThan(6);
		assertThat(lines().get(0)).contains("403")
			.contains("; listing again in 800 ms. Grant the verbs list and watch on pods");
		assertThat(lines().get(1)).contains("500 InternalError");
		assertThat(lines().get(2)).contains("Informer 'pods' recovered, watching pods in all namespaces");
	}

	@Test
	void everyFailure_isPublished_includingBrokenWatches() {
		this.source.listFails(429, "TooManyRequests")
			.list(10)
			.watchBreaks(new IOException("reset"), added(pod("a", 11)))
			.watch(error(500, "InternalError"))
			.watch(error(410, "Expired"))
			.list(20)
			.watch(bookmark(30));
		run();
		assertThat(this.recorder.failures.subList(0, 4)).extracting(InformerFailure::kind)
			.containsExactly(Kind.OVERLOADED, Kind.UNREACHABLE, Kind.OVERLOADED, Kind.EXPIRED);
		assertThat(this.recorder.failures.get(1).message()).contains("reset").endsWith("; reconnecting at once");
		assertThat(lines()).noneMatch((line) -> line.contains("reset"));
	}

	@Test
	void errorInListOrWatch_isPublishedAndTheThreadContinues() {
		this.source.list((request, sink) -> {
			throw new StackOverflowError("for the test");
		}).list(10).watch(() -> {
			throw new NoClassDefFoundError("for the test");
		}).list(20).watch(bookmark(30));
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST \"0\" limit 500", "WATCH 10",
				"LIST \"10\"", "WATCH 20");
		assertThat(this.recorder.failures.subList(0, 2)).extracting(InformerFailure::cause)
			.hasExactlyElementsOfTypes(StackOverflowError.class, NoClassDefFoundError.class);
	}

	@Test
	void betweenTwoWatches_isConnectingAndFailing() {
		Reflector<V1Pod> reflector = reflector();
		List<InformerState> between = new ArrayList<>();
		this.source.list(10).watch(bookmark(20)).watch(() -> {
			between.add(reflector.state());
			return this.source.events(bookmark(30));
		}).watchBreaks(new IOException("reset"), bookmark(40)).list(40).watch(() -> {
			between.add(reflector.state());
			throw new ConnectException("refused");
		}).list((request, sink) -> {
			between.add(reflector.state());
			return new ListPage("50", null);
		}).watch(bookmark(60));
		reflector.run();
		assertThat(between).hasSize(3).allSatisfy((state) -> {
			assertThat(state.phase()).isEqualTo(Phase.CONNECTING);
			assertThat(state.failingSince()).isNotNull().isLessThanOrEqualTo(state.since());
		});
		assertThat(this.recorder.states).filteredOn((state) -> state.phase() == Phase.WATCHING)
			.anySatisfy((state) -> assertThat(state.failingSince()).isNull());
	}

	@Test
	void openWatch_provesNothing() {
		this.source.list(10)
			.watch(bookmark(20))
			.watchFails(500, "InternalError")
			.watch(error(410, "Expired"))
			.list(30)
			.watchBreaks(new MalformedResponseException("frame"))
			.watchBreaks(new IOException("reset"));
		run();
		InformerState first = this.recorder.states.stream()
			.filter((state) -> state.failure() != null)
			.findFirst()
			.orElseThrow();
		int failed = this.recorder.states.indexOf(first);
		assertThat(this.recorder.states.subList(failed, this.recorder.states.size() - 1))
			.allSatisfy((state) -> assertThat(state.failingSince()).isNotNull());
		assertThat(lines()).noneMatch((line) -> line.contains("recovered"));
	}

	@Test
	void quietWatch_isProvenAfterASecond() {
		Reflector<V1Pod> reflector = reflector();
		List<InformerState> open = new ArrayList<>();
		this.source.list(10).watchFails(500, "InternalError").watch(() -> this.source.endless(() -> {
			this.time.advance(Duration.ofMillis(999));
			open.add(reflector.state());
			assertThat(reflector.superviseWatch()).isEqualTo(1_000_000);
			assertThat(lines()).hasSize(1);
			this.time.advance(Duration.ofMillis(1));
			open.add(reflector.state());
			assertThat(reflector.superviseWatch()).isEqualTo(Long.MAX_VALUE);
			open.add(this.recorder.states.get(this.recorder.states.size() - 1));
			assertThat(lines()).hasSize(2).last().asString().contains("recovered");
			reflector.stop();
			return null;
		}));
		reflector.run();
		assertThat(open).extracting(InformerState::phase).containsOnly(Phase.WATCHING);
		assertThat(open.get(0).failingSince()).isNotNull();
		assertThat(open.get(1).failingSince()).isNull();
		assertThat(open.get(2)).isEqualTo(open.get(1));
	}

	@Test
	void watchCutWithinASecond_thenQuiet_isProvenAfterASecond() {
		Reflector<V1Pod> reflector = reflector();
		this.source.list(10).watchBreaks(new IOException("reset")).watch(() -> this.source.endless(() -> {
			assertThat(reflector.state().failingSince()).isNotNull();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(reflector.state().failingSince()).isNull();
			assertThat(reflector.state().failure()).isNull();
			reflector.stop();
			return null;
		}));
		reflector.run();
		assertThat(this.recorder.failures).hasSize(1);
	}

	@Test
	void normalRewatch_isNotLogged() {
		this.source.list(10)
			.watch(bookmark(20))
			.watchBreaks(new IOException("reset"), bookmark(30))
			.watch(bookmark(40));
		run();
		assertThat(lines()).filteredOn((line) -> !line.contains("no more watches")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2, -2 })
	void idleTimeout_countsFromTheLastEvent_alsoWhenTheClockIsSet(int hours) {
		this.source.list(10).watch(bookmark(20)).watch(() -> {
			return this.source.breaking(() -> {
				this.time.advance(Duration.ofMinutes(3));
				this.time.setClock(Duration.ofHours(hours));
				return new SocketTimeoutException("idle");
			});
		}).list(20).watch(bookmark(30));
		run();
		assertThat(this.recorder.states).filteredOn((state) -> state.failingSince() != null)
			.anySatisfy((state) -> assertThat(failingBefore(state)).isEqualTo(Duration.ofMinutes(3)));
	}

	@Test
	void deadConnection_countsFromItsLastData() {
		this.source.silence(Duration.ofSeconds(40));
		this.source.list(10).watchBreaks(new IOException("no answer to a ping"), bookmark(20)).watch(bookmark(30));
		run();
		assertThat(this.recorder.states).filteredOn((state) -> state.failingSince() != null)
			.first()
			.satisfies((state) -> assertThat(failingBefore(state)).isEqualTo(Duration.ofSeconds(40)));
	}

	/**
	 * Return the time from the begin of the outage until the phase was entered.
	 */
	private static Duration failingBefore(InformerState state) {
		return Duration.ofNanos(state.since().nanoTime() - Objects.requireNonNull(state.failingSince()).nanoTime());
	}

	@Test
	void restart_doesNotContinueTheFailuresBeforeTheStop() {
		this.source.list(10).watchFails(500, "InternalError");
		Reflector<V1Pod> reflector = reflector();
		reflector.run();
		assertThat(reflector.state().failingSince()).isNull();
		this.time.advance(Duration.ofHours(1));
		this.source.list((request, sink) -> {
			assertThat(reflector.state().failingSince()).isNull();
			return new ListPage("20", null);
		}).watch(bookmark(30));
		reflector.reset();
		reflector.run();
		assertThat(this.recorder.lists).last().satisfies((list) -> assertThat(list.success()).isTrue());
	}

	@Test
	void undecodableObjects_areLoggedByNameAtFirstAndThenCounted() {
		List<WatchEvent<V1Pod>> events = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			events.add(new WatchEvent.Undecodable<>(ChangeType.MODIFIED, undecodable("pod-" + i % 7, 20 + i)));
		}
		this.source.list(10).watch(() -> this.source.endless(() -> {
			this.time.advance(Duration.ofMillis(200));
			return events.isEmpty() ? null : events.remove(0);
		})).watch(bookmark(3000));
		run();
		assertThat(this.recorder.failures).hasSizeGreaterThanOrEqualTo(1000);
		List<String> lines = lines().stream().filter((line) -> line.contains("decod")).toList();
		assertThat(lines.subList(0, 5)).allMatch((line) -> line.contains("could not decode pods ns/pod-"));
		assertThat(lines.subList(5, lines.size())).hasSizeBetween(2, 4).allMatch((line) -> line.contains("more times"));
	}

	@Test
	void flappingFailures_areLoggedOncePerKindAndThenCounted() {
		for (int i = 0; i < 50; i++) {
			this.source.listFails(403, "Forbidden").listFails(500, "InternalError").listFails(401, "Unauthorized");
		}
		for (int i = 0; i < 50; i++) {
			this.source.list(10 + i).watch(bookmark(100 + i)).watch(error(410, "Expired"));
		}
		this.source.list(200).watch(bookmark(300));
		Instant start = this.time.now();
		run();
		long minutes = Duration.between(start, this.time.now()).toMinutes();
		assertThat(this.recorder.failures).hasSizeGreaterThanOrEqualTo(200);
		assertThat(lines()).hasSizeLessThan(10 + 2 * (int) minutes);
	}

	@Test
	void outagesWithinAMinute_areAllLogged() {
		this.source.list(10);
		for (int i = 0; i < 6; i++) {
			this.source.watch(() -> {
				throw new ConnectException("refused");
			}).list(10).watch(() -> this.source.breaking(() -> {
				this.time.advance(Duration.ofSeconds(20));
				return new IOException("reset");
			})).list(10);
		}
		run();
		assertThat(lines()).filteredOn((line) -> line.contains("cannot watch pods") && line.contains("refused"))
			.hasSize(6);
		assertThat(lines()).filteredOn((line) -> line.contains("recovered")).hasSizeGreaterThanOrEqualTo(6);
	}

	@Test
	void nextAttempt_isMadeAtItsTime_alsoAfterSlowListeners() {
		List<Instant> attempts = new ArrayList<>();
		this.source.listFails(500, "InternalError").list((request, sink) -> {
			attempts.add(this.time.now());
			return new ListPage("10", null);
		}).watch(bookmark(20));
		Reflector<V1Pod> reflector = TestSettings.reflector(TestSettings.of(InformerOptions.DEFAULT), this.source,
				this.recorder.cache, this.recorder::record, this.time, (event) -> {
					this.recorder.onEvent(event);
					if (event instanceof InformerEvent.Failed) {
						this.time.advance(Duration.ofMillis(10));
					}
				});
		this.source.atEnd(reflector::stop);
		reflector.run();
		assertThat(this.recorder.states).extracting(InformerState::nextAttempt).contains(attempts.get(0));
	}

	private List<String> lines() {
		return this.log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	private void run() {
		reflector().run();
	}

	private Reflector<V1Pod> reflector() {
		return this.recorder.reflector(this.source, this.time);
	}

}

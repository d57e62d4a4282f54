/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the log lines of {@link ProcessorListener}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerLogTests {

	private static final Pattern COUNT = Pattern.compile("failed ([\\d,]+) more times?");

	private static final int EVENTS = 10_000;

	private final FakeTime time = FakeTime.manual();

	private final HandlerFixture fixture = new HandlerFixture(this.time);

	private final Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.logger.setAdditive(false);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.logger.detachAppender(this.lines);
		this.logger.setAdditive(true);
		this.logger.setLevel(null);
	}

	@Test
	void failingHandler_logsFirstStackTraceOfEachClass_thenASummaryAMinute() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = this.fixture.add((event) -> {
			this.time.advance(Duration.ofMillis(240));
			if (calls.incrementAndGet() % 40 == 0) {
				throw new IllegalArgumentException("for the test");
			}
			throw new IllegalStateException("for the test");
		}, (options) -> options.name("audit").retry(RetryPolicy.NONE), pods());
		deliver(registration);
		long bytes = this.lines.list.stream().mapToLong((line) -> line.getFormattedMessage().length()).sum();
		System.out.printf("%,d failing events in 40 minutes: %d lines, 2 stack traces, %,d bytes without them%n",
				EVENTS, this.lines.list.size(), bytes);
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null)
			.extracting((line) -> line.getThrowableProxy().getClassName())
			.containsExactly("java.lang.IllegalStateException", "java.lang.IllegalArgumentException");
		assertThat(this.lines.list).hasSizeBetween(41, 43);
		assertThat(bytes).isLessThan(10_000);
		assertThat(summarized()).isEqualTo(EVENTS - 2);
	}

	@Test
	void failingFilterAndErrorHandler_areSummarizedToo() throws Exception {
		HandlerRegistration registration = this.fixture.add((event) -> {
			this.time.advance(Duration.ofMillis(240));
			throw new IllegalStateException("for the test");
		}, (options) -> options.name("audit").retry(RetryPolicy.NONE).filter((pod) -> {
			throw new UnsupportedOperationException("for the test");
		}).errorHandler((failure) -> {
			throw new StackOverflowError("for the test");
		}), pods());
		deliver(registration);
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null).hasSize(3);
		assertThat(this.lines.list).hasSizeBetween(42, 44);
		assertThat(summarized()).isEqualTo(3 * (EVENTS - 1));
		assertThat(this.lines.list).last()
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.contains("IllegalStateException", "filter: UnsupportedOperationException",
					"error handler: StackOverflowError");
	}

	@Test
	void exhaustedRetries_areLoggedWithoutAnotherStackTrace() throws Exception {
		HandlerFixture retrying = new HandlerFixture(FakeTime.autoAdvancing());
		HandlerRegistration registration = retrying.add((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.name("audit"), pods().subList(0, 100));
		retrying.start();
		await().until(registration::hasSynced);
		retrying.close();
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null).hasSize(1);
		assertThat(summarized()).isEqualTo(100 * (1 + RetryPolicy.DEFAULT.maxRetries()) - 2);
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.filteredOn((line) -> line.contains("; retries exhausted"))
			.singleElement()
			.asString()
			.endsWith("retries exhausted after java.lang.IllegalStateException: for the test");
	}

	@Test
	void lastFailureThatDiffersFromTheFirst_isLoggedWithItsStackTrace() throws Exception {
		HandlerFixture retrying = new HandlerFixture(FakeTime.autoAdvancing());
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = retrying.add((event) -> {
			if (calls.incrementAndGet() <= RetryPolicy.DEFAULT.maxRetries()) {
				throw new IllegalStateException("for the test");
			}
			throw new UnsupportedOperationException("another\nreason");
		}, (options) -> options.name("audit"), pods().subList(0, 1));
		retrying.start();
		await().until(registration::hasSynced);
		retrying.close();
		assertThat(this.lines.list).filteredOn((line) -> line.getLevel() == Level.ERROR)
			.singleElement()
			.satisfies((line) -> {
				assertThat(line.getFormattedMessage())
					.endsWith("retries exhausted after java.lang.UnsupportedOperationException: another reason");
				assertThat(line.getThrowableProxy().getClassName())
					.isEqualTo("java.lang.UnsupportedOperationException");
			});
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null).hasSize(2);
	}

	@Test
	void interruptedHandler_isLoggedOnceWithNameAndObject() throws Exception {
		HandlerFixture interrupted = new HandlerFixture(TimeSource.SYSTEM);
		CountDownLatch entered = new CountDownLatch(2);
		for (String name : List.of("throwing", "swallowing")) {
			interrupted.add((event) -> {
				entered.countDown();
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					if (name.equals("throwing")) {
						throw new IllegalStateException("for the test", ex);
					}
				}
			}, (options) -> options.name(name), pods().subList(0, 1));
		}
		interrupted.start();
		assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
		interrupted.close();
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.map((line) -> line.replaceAll("\\d+ ms", "<n> ms"))
			.containsExactlyInAnyOrder(Stream.of("throwing", "swallowing")
				.map((name) -> "Informer 'pods' stopped and interrupted handler '" + name
						+ "', which has been busy with ADDED of ns/pod1 for <n> ms")
				.toArray(String[]::new));
	}

	@Test
	void removedHandler_logsItsLastCount() throws Exception {
		HandlerRegistration registration = this.fixture.add((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.name("audit").retry(RetryPolicy.NONE), pods().subList(0, 3));
		this.fixture.start();
		await().until(() -> registration.pending() == 0);
		assertThat(registration.awaitIdle(Duration.ofDays(1))).isTrue();
		assertThat(this.lines.list).hasSize(1);
		registration.remove();
		assertThat(summarized()).isEqualTo(2);
	}

	private void deliver(HandlerRegistration registration) throws Exception {
		this.fixture.start();
		assertThat(registration.awaitIdle(Duration.ofDays(1))).isTrue();
		this.fixture.stop(LONG);
	}

	private long summarized() {
		return this.lines.list.stream()
			.map(ILoggingEvent::getFormattedMessage)
			.map(COUNT::matcher)
			.filter(Matcher::find)
			.mapToLong((matcher) -> Long.parseLong(matcher.group(1).replace(",", "")))
			.sum();
	}

	private static List<ResourceEvent<V1Pod>> pods() {
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		for (int i = 1; i <= EVENTS; i++) {
			events.add(new Added<>(pod("pod" + i, i), true));
		}
		return events;
	}

}

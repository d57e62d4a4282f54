/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.testing.FakeTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureLog}.
 */
class FailureLogTests {

	private static final Pattern COUNT = Pattern.compile("failed ([\\d,]+) more");

	private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLogTests.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final FakeTime time = FakeTime.manual();

	private final FailureLog log = log(1);

	@BeforeEach
	void listen() {
		this.logger.setAdditive(false);
		this.logger.setLevel(ch.qos.logback.classic.Level.INFO);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void detach() {
		this.logger.detachAndStopAllAppenders();
		this.logger.setAdditive(true);
	}

	private FailureLog log(int lines) {
		return new FailureLog(this.logger, this.time::nanoTime, "Informer 'pods': handler 'audit'",
				Map.of("informer", "pods", "handler", "audit"), lines);
	}

	@Test
	void firstOfEachClass_hasItsStackTrace_laterOnesAreCounted() {
		for (int i = 0; i < 1_201; i++) {
			report(new IllegalStateException("for the test"));
		}
		for (int i = 0; i < 35; i++) {
			report(new IOException("for the test"));
		}
		assertThat(messages()).containsExactly("it failed", "it failed");
		assertThat(this.lines.list).allSatisfy((line) -> assertThat(line.getThrowableProxy()).isNotNull());
		this.time.advance(Duration.ofSeconds(60));
		report(new IllegalStateException("for the test"));
		assertThat(messages()).hasSize(3)
			.last()
			.isEqualTo("Informer 'pods': handler 'audit' failed 1,234 more times in the last 60 s"
					+ " (IllegalStateException 1,200, IOException 34)");
		assertThat(this.lines.list).allSatisfy((line) -> assertThat(line.getKeyValuePairs())
			.containsExactlyInAnyOrder(new KeyValuePair("informer", "pods"), new KeyValuePair("handler", "audit")));
	}

	@Test
	void summaries_areAMinuteApart_andContainEachFailureOnce() {
		int failures = 100_000;
		long bytes = 0;
		for (int i = 0; i < failures; i++) {
			report(new IllegalStateException("for the test"));
			this.time.advance(Duration.ofMillis(24));
		}
		this.log.logSummary();
		for (ILoggingEvent line : this.lines.list) {
			bytes += line.getFormattedMessage().length();
		}
		System.out.printf("%,d failures in 40 minutes: %d lines and 1 stack trace, %,d bytes without it%n", failures,
				this.lines.list.size(), bytes);
		assertThat(this.lines.list).hasSizeBetween(40, 42);
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null).hasSize(1);
		assertThat(bytes).isLessThan(6_000);
		assertThat(summarized()).isEqualTo(failures - 1);
	}

	@Test
	void countWithoutLaterFailure_isLoggedByNextEventOrAtStop() {
		report(new IllegalStateException("for the test"));
		report(new IllegalStateException("for the test"));
		this.log.logSummaryIfDue();
		assertThat(messages()).hasSize(1);
		this.time.advance(Duration.ofSeconds(90));
		this.log.logSummaryIfDue();
		this.log.logSummaryIfDue();
		assertThat(messages()).last()
			.isEqualTo("Informer 'pods': handler 'audit' failed 1 more time in the last 90 s"
					+ " (IllegalStateException 1)");
		report(new IllegalStateException("for the test"));
		this.log.logSummary();
		this.log.logSummary();
		assertThat(messages()).hasSize(3);
		assertThat(summarized()).isEqualTo(2);
	}

	@Test
	void kinds_areDistinguished_andSummaryHasHighestLevel() {
		for (int i = 0; i < 2; i++) {
			this.log.report(Level.WARN, "", "it failed", new IllegalStateException("for the test"));
			this.log.report(Level.ERROR, "filter", "its filter failed", new IllegalStateException("for the test"));
			this.log.report(Level.WARN, "frame", "a frame was broken", null);
		}
		assertThat(messages()).containsExactly("it failed", "its filter failed", "a frame was broken");
		this.log.logSummary();
		assertThat(messages()).last()
			.isEqualTo("Informer 'pods': handler 'audit' failed 3 more times in the last 1 s"
					+ " (IllegalStateException 1, filter: IllegalStateException 1, frame 1)");
		assertThat(this.lines.list).last()
			.satisfies((line) -> assertThat(line.getLevel()).isEqualTo(ch.qos.logback.classic.Level.ERROR));
	}

	@Test
	void severalLines_areLoggedWithMessage_andOnlyTheFirstWithStackTrace() {
		FailureLog several = log(5);
		for (int i = 1; i <= 7; i++) {
			several.report(Level.WARN, "", "could not decode object " + i, new IOException("for the test"));
		}
		assertThat(messages()).containsExactly("could not decode object 1", "could not decode object 2",
				"could not decode object 3", "could not decode object 4", "could not decode object 5");
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null).hasSize(1);
		several.logSummary();
		assertThat(summarized()).isEqualTo(2);
	}

	@Test
	void failureAfterAnHour_isAFirstOneAgain() {
		report(new IllegalStateException("for the test"));
		report(new IllegalStateException("for the test"));
		this.time.advance(Duration.ofMinutes(61));
		report(new IllegalStateException("for the test"));
		assertThat(this.lines.list).filteredOn((line) -> line.getThrowableProxy() != null).hasSize(2);
		assertThat(summarized()).isEqualTo(1);
	}

	@Test
	void kinds_areBounded() {
		for (int i = 0; i < 10_000; i++) {
			this.log.report(Level.WARN, "kind " + i, "it failed", null);
		}
		this.log.logSummary();
		assertThat(messages()).hasSize(34).last().asString().endsWith("(other 9,967)");
		this.time.advance(Duration.ofMinutes(61));
		report(new IllegalStateException("for the test"));
		assertThat(messages()).hasSize(35).last().isEqualTo("it failed");
	}

	@Test
	void everyFailure_isLoggedAtDebug() {
		this.logger.setLevel(ch.qos.logback.classic.Level.DEBUG);
		report(new IllegalStateException("for the test"));
		report(new IllegalStateException("for the test"));
		assertThat(messages()).hasSize(2);
	}

	@Test
	void exceptionWhoseMessageThrows_isLoggedByItsClass() {
		report(new UnprintableException());
		assertThat(messages()).containsExactly("it failed (FailureLogTests$UnprintableException)");
	}

	@Test
	void appender_mayWaitForAnotherThreadThatReports() {
		CountDownLatch reported = new CountDownLatch(1);
		Thread other = new Thread(() -> {
			this.log.logSummary();
			report(new IllegalStateException("for the test"));
			reported.countDown();
		});
		CallingAppender waiting = new CallingAppender(() -> {
			if (other.getState() == Thread.State.NEW) {
				other.start();
				await().until(() -> reported.getCount() == 0);
			}
		});
		waiting.setContext(this.logger.getLoggerContext());
		waiting.start();
		this.logger.addAppender(waiting);
		report(new IllegalStateException("for the test"));
		assertThat(reported.getCount()).isZero();
		this.log.logSummary();
		assertThat(summarized()).isEqualTo(1);
	}

	@Test
	void exceptions_areNotRetained() {
		List<WeakReference<Exception>> reported = new ArrayList<>();
		this.logger.detachAppender(this.lines);
		for (int i = 0; i < 3; i++) {
			Exception failure = new UncheckedIOException(new IOException("for the test"));
			report(failure);
			reported.add(new WeakReference<>(failure));
		}
		await().until(() -> {
			System.gc();
			return reported.stream().allMatch((each) -> each.refersTo(null));
		});
	}

	private void report(Exception cause) {
		this.log.report(Level.WARN, "", "it failed", cause);
	}

	private List<String> messages() {
		return this.lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	/**
	 * Return the number of failures in all summaries.
	 */
	private long summarized() {
		return messages().stream()
			.map(COUNT::matcher)
			.filter(Matcher::find)
			.mapToLong((matcher) -> Long.parseLong(matcher.group(1).replace(",", "")))
			.sum();
	}

	private static final class CallingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

		private final Runnable action;

		CallingAppender(Runnable action) {
			this.action = action;
		}

		@Override
		protected void append(ILoggingEvent event) {
			this.action.run();
		}

	}

	private static final class UnprintableException extends RuntimeException {

		@Override
		public @Nullable String getMessage() {
			throw new IllegalStateException("for the test");
		}

	}

}

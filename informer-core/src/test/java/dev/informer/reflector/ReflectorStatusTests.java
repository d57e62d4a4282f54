/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.BackoffPolicy;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.conformance.Conformance;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.error;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorStatus} and {@link FailureClassification}.
 */
class ReflectorStatusTests {

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource();

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

	@Conformance("listener notified of failures")
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
		assertThat(lines().get(0)).contains("403").contains("; listing again in 800 ms. Grant the verbs");
		assertThat(lines().get(1)).contains("500 InternalError");
		assertThat(lines().get(2)).contains("Informer 'pods' recovered, watching pods in all namespaces");
	}

	@Conformance("listener notified of failures")
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

	@Conformance("listener notified of failures")
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

	private List<String> lines() {
		return this.log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	private void run() {
		InformerOptions options = new InformerOptions.Builder(InformerOptions.DEFAULT)
			.backoff(new BackoffPolicy(Duration.ofMillis(800), 2, Duration.ofSeconds(30), Duration.ZERO,
					Duration.ofMinutes(2)))
			.build();
		Reflector<V1Pod> reflector = new Reflector<>(TestSettings.of(options), this.source, this.recorder, this.time,
				this.recorder);
		this.source.atEnd(reflector::stop);
		reflector.run();
	}

}

/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the stop of the handlers of a {@link SharedProcessor}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerStopTests {

	private static final int EVENTS = 3_022;

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final CountDownLatch entered = new CountDownLatch(1);

	private final CountDownLatch never = new CountDownLatch(1);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
	}

	@Test
	void hungHandler_doesNotKeepOthersFromDraining_andItsEventsAreReported() throws Exception {
		EventLog<V1Pod> log = new EventLog<>();
		HandlerRegistration hung = addHung(QueuePolicy.KEEP_ALL, "hung");
		HandlerRegistration other = this.fixture.add(log, (options) -> options.queue(QueuePolicy.KEEP_ALL), List.of());
		other.pause();
		this.fixture.start();
		List<ResourceEvent<V1Pod>> events = versions();
		events.forEach(this.fixture::distribute);
		this.entered.await();
		other.resume();
		long began = System.nanoTime();
		this.fixture.stop(Duration.ofSeconds(2));
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofSeconds(2),
				Duration.ofSeconds(10));
		assertThat(log.events()).isEqualTo(events);
		assertThat(hung.pending()).isEqualTo(EVENTS);
		assertThat(lines()).containsExactly("WARN Informer 'pods' stopped; keeping " + EVENTS
				+ " undelivered events of handler 'hung' for the next start");
		this.fixture.processor().close();
		this.fixture.stop(Duration.ZERO);
		this.fixture.processor().reportDiscarded();
		assertThat(lines()).hasSize(2)
			.last()
			.isEqualTo(
					"WARN Informer 'pods' was closed; discarding " + EVENTS + " undelivered events of handler 'hung'");
	}

	@Test
	void undeliveredObjectsOfCoalescingHandler_areReportedAtInfoWhenClosed() throws Exception {
		addHung(QueuePolicy.COALESCE, "hung");
		this.fixture.start();
		versions().forEach(this.fixture::distribute);
		this.entered.await();
		this.fixture.stop(Duration.ZERO);
		assertThat(lines()).isEmpty();
		this.fixture.processor().close();
		this.fixture.processor().reportDiscarded();
		assertThat(lines())
			.containsExactly("INFO Informer 'pods' was closed; handler 'hung' has not received the current state of 1 "
					+ "objects; the next start delivers the objects that exist then");
	}

	private HandlerRegistration addHung(QueuePolicy queue, String name) {
		return this.fixture.add((event) -> {
			this.entered.countDown();
			this.never.await();
		}, (options) -> options.name(name).queue(queue).retry(RetryPolicy.DEFAULT), List.of());
	}

	private static List<ResourceEvent<V1Pod>> versions() {
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		V1Pod previous = pod("a", 1);
		events.add(new Added<>(previous, false));
		for (int i = 2; i <= EVENTS; i++) {
			V1Pod next = pod("a", i);
			events.add(new Updated<>(previous, next));
			previous = next;
		}
		return events;
	}

	private List<String> lines() {
		return this.lines.list.stream()
			.map((line) -> line.getLevel() + " " + line.getFormattedMessage())
			.filter((line) -> !line.contains(" and interrupted "))
			.toList();
	}

}

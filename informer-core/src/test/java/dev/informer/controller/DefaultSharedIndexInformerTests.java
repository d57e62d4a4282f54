/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Indexer;
import dev.informer.processor.SharedProcessor;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what one informer does when it is asked to, on a source without HTTP.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class DefaultSharedIndexInformerTests {

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final InformerRecorder recorder = new InformerRecorder();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener(this.recorder));

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.lines);
		this.source.put("a");
		this.source.put("b");
	}

	@AfterEach
	void close() {
		this.informer.close();
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
	}

	@Test
	void close_logsUndeliveredEvents() {
		HandlerRegistration slow = this.informer.addHandler(this.log, (options) -> options.name("slow"));
		this.informer.addHandler(new EventLog<>(), (options) -> options.name("quick"));
		slow.pause();
		start();
		this.informer.stop(Duration.ZERO);
		assertThat(lines()).isEmpty();
		this.informer.close();
		this.informer.close();
		assertThat(lines())
			.containsExactly("Informer 'pods' was closed; handler 'slow' has not received the current state of 2 "
					+ "objects; the next start delivers the objects that exist then");
	}

	@Test
	void requestedRelist_findsChangesUnderTheSameVersion() {
		this.informer.addHandler(this.log);
		int[] conversion = { 1 };
		this.informer.setTransform((pod) -> {
			pod.getSpec().setNodeName("converted by " + conversion[0]);
			return pod;
		});
		start();
		V1Pod before = stored("a");
		this.source.compactAndBreakWatches();
		await().until(() -> this.recorder.relists().equals(List.of(RelistReason.EXPIRED)) && openWatch());
		assertThat(stored("a")).isSameAs(before);
		conversion[0] = 2;
		this.informer.relist();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactlyInAnyOrder("ADDED ns/a", "ADDED ns/b",
				"UPDATED ns/a", "UPDATED ns/b"));
		assertThat(stored("a").getSpec().getNodeName()).isEqualTo("converted by 2");
		V1Pod converted = stored("a");
		this.informer.relist();
		await().until(() -> this.recorder.relists().size() == 3 && openWatch());
		assertThat(this.recorder.relists()).endsWith(RelistReason.REQUESTED, RelistReason.REQUESTED);
		assertThat(stored("a")).isSameAs(converted);
		assertThat(this.log.events()).hasSize(4);
		assertThat(this.log.problems()).isEmpty();
	}

	@Test
	void relistsOfOneCaller_areLoggedOnceAMinute() {
		Logger informers = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);
		informers.setLevel(Level.INFO);
		informers.addAppender(this.lines);
		FakeTime time = FakeTime.manual();
		SharedIndexInformer<V1Pod> other = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(time));
		try {
			other.relist("alice");
			other.relist("alice");
			other.relist("bob");
			time.advance(Duration.ofMinutes(1));
			other.relist("bob");
			assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
				.containsExactly("Informer 'pods': relist requested by alice",
						"Informer 'pods': relist requested by bob", "Informer 'pods': relist requested by bob");
		}
		finally {
			informers.detachAppender(this.lines);
			informers.setLevel(null);
			other.close();
		}
	}

	@Test
	void relistWhileStopped_isDoneByTheNextStart() {
		this.informer.addHandler(this.log);
		this.informer.relist();
		start();
		this.informer.stop(Duration.ofSeconds(1));
		this.informer.relist();
		this.informer.start();
		await().until(() -> this.recorder.relists().contains(RelistReason.REQUESTED) && openWatch());
		assertThat(lists()).isEqualTo(2);
		assertThat(this.log.events()).hasSize(2);
	}

	@Test
	void handlersPeriod_shortensTheCheckPeriod() {
		SharedProcessor<V1Pod> processor = new SharedProcessor<>(this.informer,
				new Indexer<>((description, failure) -> {
				}), null, (handler, task) -> new Thread(task), FakeTime.manual(), this.recorder);
		assertThat(processor.nanosToResync()).isEqualTo(Long.MAX_VALUE);
		addResynced(processor, Duration.ZERO);
		assertThat(processor.nanosToResync()).isEqualTo(Long.MAX_VALUE);
		for (Duration period : List.of(Duration.ofHours(12), Duration.ofMinutes(1), Duration.ofSeconds(55),
				Duration.ofSeconds(5))) {
			addResynced(processor, period);
			assertThat(processor.nanosToResync()).isEqualTo(period.toNanos());
		}
		addResynced(processor, Duration.ofMillis(10));
		assertThat(processor.nanosToResync()).isEqualTo(Duration.ofSeconds(1).toNanos());
		assertThat(lines()).singleElement()
			.satisfies((line) -> assertThat(line)
				.contains("raised the resync period of handler 'handler6' from 10 ms to 1000 ms"));
	}

	@Test
	void threeLifeCycles_leaveNoThread() {
		this.informer.addHandler(this.log);
		for (int life = 1; life <= 3; life++) {
			this.source.put("a" + life);
			start();
			this.source.put("b" + life);
			await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
			this.informer.stop(Duration.ofSeconds(10));
			await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).isEmpty());
			assertThat(this.source.openWatches()).isZero();
		}
		assertThat(this.log.problems()).isEmpty();
		assertThat(this.log.events()).hasSize(8);
		this.informer.close();
		assertThatIllegalStateException().isThrownBy(this.informer::start);
	}

	private static void addResynced(SharedProcessor<V1Pod> processor, Duration period) {
		processor.add((event) -> {
		}, new HandlerOptions.Builder<V1Pod>().resyncPeriod(period).build());
	}

	private void start() {
		this.informer.start();
		await().until(() -> this.informer.hasSynced() && openWatch());
		await().until(() -> this.informer.handlers()
			.stream()
			.allMatch((handler) -> handler.hasSynced() || handler.isPaused()));
	}

	private boolean openWatch() {
		return this.source.isQuiet();
	}

	private int lists() {
		return (int) this.source.requests().stream().filter((request) -> request.startsWith("LIST")).count();
	}

	private V1Pod stored(String name) {
		return this.informer.lister().get("ns", name).orElseThrow();
	}

	/** Lines about handlers. */
	private List<String> lines() {
		return this.lines.list.stream()
			.map(ILoggingEvent::getFormattedMessage)
			.filter((line) -> line.contains("handler '"))
			.toList();
	}

}

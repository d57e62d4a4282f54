/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.client.ListPage;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.error;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListSession} in a {@link Reflector}.
 */
class ListSessionTests {

	private static final WatchEvent<V1Pod> LAST_EVENT = bookmark(100);

	/** More pages than are read without progress. */
	private static final int PAGES = 10_500;

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

	@Test
	void list_paged_readsAllPagesAndTakesVersionOfFirst() {
		this.source.page(10, "more", pod("a", 1))
			.page(11, "evenmore", pod("b", 2))
			.page(12, null, pod("c", 3))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST continue evenmore", "WATCH 10");
		assertThat(this.recorder.calls).startsWith("replace [a, b, c] at 10");
	}

	@Test
	void list_serverPagesAtVersionZero_keepsPaging() {
		this.source.page(10, "more", pod("a", 1))
			.page(10, null)
			.watch(error(410, "Expired"))
			.list(20)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more", "WATCH 10",
				"LIST \"10\" limit 500", "WATCH 20");
	}

	@Test
	void list_pageFailsTemporarily_resumesWithSameToken() {
		this.source.page(10, "more", pod("a", 1))
			.listFails(500, "InternalError")
			.listFails(429, "TooManyRequests")
			.page(10, null, pod("b", 2))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST continue more", "LIST continue more", "WATCH 10");
		assertThat(this.recorder.calls).startsWith("replace [a, b] at 10");
	}

	static Stream<IOException> outages() {
		return Stream.of(new IOException("cut"), new ConnectException("refused"),
				new ServerStatusException(ScriptedSource.status(503, "")));
	}

	@ParameterizedTest
	@MethodSource("outages")
	void list_outageBetweenTwoPages_listsFromTheStart(IOException failure) {
		this.source.page(10, "more", pod("a", 1)).list((request, sink) -> {
			sink.accept(pod("half", 2));
			throw failure;
		}).list(30, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST \"0\" limit 500", "WATCH 30");
		assertThat(this.recorder.calls).startsWith("replace [b] at 30");
	}

	static Stream<ScriptedSource.ListAnswer> endlessPages() {
		AtomicInteger tokens = new AtomicInteger();
		return Stream.of((request, sink) -> {
			sink.accept(pod("a", 1));
			return new ListPage("10", "token-" + tokens.incrementAndGet());
		}, (request, sink) -> {
			sink.accept(pod("a-" + tokens.incrementAndGet(), 1));
			return new ListPage("10", "same");
		}, (request, sink) -> new ListPage("10", "token-" + tokens.incrementAndGet()), (request, sink) -> {
			sink.accept(pod("a-" + tokens.incrementAndGet(), 11));
			return new ListPage("10", "token-" + tokens.get());
		});
	}

	@ParameterizedTest
	@MethodSource("endlessPages")
	void list_whosePagesDoNotEnd_backsOff(ScriptedSource.ListAnswer page) {
		for (int i = 0; i < PAGES; i++) {
			this.source.list(page);
		}
		run();
		assertThat(this.time.waits()).isNotEmpty();
		assertThat(this.recorder.failures).first().satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.MALFORMED_RESPONSE);
			assertThat(failure.message()).contains("the pages of the list do not end");
		});
		assertThat(this.recorder.calls).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "500, 5", "50, 1", "1, 1", "100000, 5" })
	void list_ofManyPages_isRead(int pageSize, int objects) {
		AtomicInteger numbers = new AtomicInteger();
		for (int i = 1; i <= PAGES; i++) {
			String token = (i < PAGES) ? "token-" + i : null;
			this.source.list((request, sink) -> {
				for (int object = 0; object < objects; object++) {
					sink.accept(pod("a-" + numbers.incrementAndGet(), 1));
				}
				return new ListPage("10", token);
			});
		}
		this.source.watch(LAST_EVENT);
		this.recorder.reflector(this.source, this.time, (options) -> options.pageSize(pageSize)).run();
		assertThat(this.recorder.failures).isEmpty();
		assertThat(this.source.requests()).hasSize(PAGES + 1);
	}

	@Test
	void list_ofManyPages_isLoggedEachTimeItHasDoubled() {
		Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		AtomicInteger pages = new AtomicInteger();
		try {
			for (int i = 0; i < 3_000; i++) {
				this.source.list((request, sink) -> {
					int page = pages.incrementAndGet();
					sink.accept(pod("a-" + page, page));
					return new ListPage("10", "token-" + page);
				});
			}
			run();
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
			.filteredOn((line) -> line.contains("end of its list"))
			.containsExactly(
					"Informer 'pods' has not reached the end of its list (1024 pages with 1024 objects); reading the next page",
					"Informer 'pods' has not reached the end of its list (2048 pages with 2048 objects); reading the next page");
	}

	@ParameterizedTest
	@MethodSource("endlessPages")
	void comparison_whosePagesDoNotEnd_backsOff(ScriptedSource.ListAnswer page) {
		this.source.list(10, pod("a", 1)).watch(() -> {
			throw new ConnectException("refused");
		});
		for (int i = 0; i < PAGES; i++) {
			this.source.list(page);
		}
		run();
		assertThat(this.time.waits()).hasSizeGreaterThan(1);
		assertThat(this.recorder.failures).extracting(InformerFailure::kind).contains(Kind.MALFORMED_RESPONSE);
	}

	@Test
	void list_relistRequestedWhileAPageBacksOff_listsFromTheStart() {
		this.source.page(10, "more", pod("a", 1))
			.listFails(429, "TooManyRequests")
			.list(20, pod("b", 2))
			.watch(LAST_EVENT);
		AtomicReference<@Nullable Reflector<V1Pod>> running = new AtomicReference<>();
		Reflector<V1Pod> reflector = TestSettings.reflector(TestSettings.of(InformerOptions.DEFAULT), this.source,
				this.recorder.cache, this.recorder::record, this.time, (event) -> {
					if (event instanceof InformerEvent.Failed && this.recorder.calls.isEmpty()) {
						Objects.requireNonNull(running.get()).relist(RelistReason.FAILURE);
					}
				});
		running.set(reflector);
		this.source.atEnd(reflector::stop);
		reflector.run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST \"0\" limit 500", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [b] at 20");
	}

	@Test
	void list_expiresOnSecondPage_listsWithoutPages() {
		this.source.list(10).watch(error(410, "Expired"));
		this.source.page(10, "more", pod("a", 1)).listFails(410, "Expired").list(30, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST continue more", "LIST \"10\"", "WATCH 30");
		assertThat(this.recorder.calls).contains("replace [b] at 30");
	}

	@Test
	void list_expired_retriesOnceWithoutVersion() {
		this.source.list(10).watch(error(410, "Expired")).listFails(410, "Expired").list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"\" limit 500", "WATCH 20");
	}

	@Test
	void list_versionTooLargeInAnyForm_listsWithoutVersion() {
		this.source.list(20)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Timeout: sorry", List.of("ResourceVersionTooLarge"), null))
			.list(30)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Timeout: sorry", List.of("Too large resource version"), null))
			.list(40)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Timeout: Too large resource version: 40, current: 9",
					List.of(), null))
			.list(50)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST"))
			.containsExactly("LIST \"0\" limit 500", "LIST \"20\"", "LIST \"\" limit 500", "LIST \"30\"",
					"LIST \"\" limit 500", "LIST \"40\"", "LIST \"\" limit 500");
	}

	@Test
	void list_versionTooLarge_listsWithoutVersionUntilSuccess() {
		this.source.list(20)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Too large resource version", List.of(), null))
			.listFails(500, "InternalError")
			.list(10)
			.watch(error(410, "Expired"))
			.list(11)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 20", "LIST \"20\"",
				"LIST \"\" limit 500", "LIST \"\" limit 500", "WATCH 10", "LIST \"10\"", "WATCH 11");
	}

	@Test
	void list_atVersionZeroCutInItsBody_isPagedNextTime() {
		this.source.list((request, sink) -> {
			sink.accept(pod("a", 5));
			throw new IOException("unexpected end of stream");
		}).page(20, "more", pod("a", 5)).page(20, null, pod("b", 6)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST \"\" limit 500",
				"LIST continue more", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [a, b] at 20");
	}

	@Test
	void list_cutInItsBody_isPagedNextTime() {
		this.source.list(10).watch(error(410, "Expired")).list((request, sink) -> {
			sink.accept(pod("a", 5));
			throw new IOException("unexpected end of stream");
		}).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"\" limit 500", "WATCH 20");
	}

	@Test
	void list_serverUnreachable_isRequestedAsBefore() {
		this.source.list(10).watch(error(410, "Expired")).list((request, sink) -> {
			throw new ConnectException("Connection refused");
		}).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"10\"", "WATCH 20");
	}

	@Test
	void list_pageIsMalformed_listsFromTheStart() {
		this.source.page(10, "more", pod("a", 1)).list((request, sink) -> {
			throw new MalformedResponseException("no list");
		}).list(20, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST \"0\" limit 500", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [b] at 20");
	}

	private void run() {
		this.recorder.reflector(this.source, this.time).run();
	}

}

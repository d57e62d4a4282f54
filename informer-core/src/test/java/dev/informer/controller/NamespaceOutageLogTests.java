/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.reflector.Reflector;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the log lines of outages of an informer with several namespaces.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class NamespaceOutageLogTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final BackoffPolicy FAST = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50),
			Duration.ofMillis(5), Duration.ofMinutes(2));

	private static final IOException REFUSED = new ConnectException("refused for the test");

	private static final IOException FORBIDDEN = new ServerStatusException(ScriptedSource.status(403, "Forbidden"));

	private final FakeSource source = new FakeSource();

	private final FakeAssignment assignment = new FakeAssignment();

	/** Failures of requests, by namespace. */
	private final Map<String, IOException> failures = new ConcurrentHashMap<>();

	/** Published states, by namespace. */
	private final Map<String, InformerState> states = new ConcurrentHashMap<>();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.assignedPods(this::source, this.assignment,
			new InformerOptions.Builder(InformerOptions.DEFAULT).namespaceSelector("team=a").backoff(FAST).build(),
			(settings) -> settings.addListener(this::published));

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);

	@BeforeEach
	void startAppender() {
		this.log.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void close() {
		this.informer.close();
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@Test
	void outageOfAllNamespaces_isOneLine_andSoIsItsRecovery() throws Exception {
		start("ns", "other", "third");
		fail(REFUSED, "ns", "other", "third");
		recover("ns", "other", "third");
		awaitLines(2);
		assertThat(lines()).satisfiesExactly(
				(line) -> assertThat(line).startsWith("Informer 'pods' ")
					.containsPattern("in namespace (ns|other|third)"),
				(line) -> assertThat(line).isEqualTo("Informer 'pods' recovered, watching pods in 3 namespaces"));
	}

	@Test
	void secondOutage_isLoggedAgain() throws Exception {
		start("ns", "other");
		for (int i = 0; i < 2; i++) {
			fail(REFUSED, "ns", "other");
			recover("ns", "other");
			awaitLines(2 * i + 2);
		}
		assertThat(lines()).hasSize(4)
			.filteredOn((line) -> line.contains("recovered, watching pods in 2 namespaces"))
			.hasSize(2);
	}

	@Test
	void outageOfOneNamespace_isLoggedWithItsName() throws Exception {
		start("ns", "other");
		fail(REFUSED, "other");
		recover("other");
		awaitLines(2);
		assertThat(lines()).allSatisfy((line) -> assertThat(line).contains("in namespace other"))
			.last()
			.isEqualTo("Informer 'pods' recovered, watching pods in namespace other");
	}

	@Test
	void failureOfAnotherKind_isLogged_andTheLastRecoveryCountsTheOthers() throws Exception {
		start("ns", "other", "third");
		fail(REFUSED, "ns", "other", "third");
		fail(FORBIDDEN, "other");
		recover("ns", "third");
		awaitLines(3);
		recover("other");
		awaitLines(4);
		assertThat(lines()).satisfiesExactly((line) -> assertThat(line).containsPattern("in namespace"),
				(line) -> assertThat(line).contains("403", "by a Role in other"),
				(line) -> assertThat(line).isEqualTo("Informer 'pods' recovered, watching pods in 2 namespaces"),
				(line) -> assertThat(line).isEqualTo("Informer 'pods' recovered, watching pods in namespace other"));
	}

	@Test
	void missingPermissions_areLoggedForEachNamespace_upToANumber() throws Exception {
		String[] namespaces = IntStream.range(0, 12).mapToObj((i) -> "ns" + i).toArray(String[]::new);
		start(namespaces);
		for (String namespace : namespaces) {
			fail(FORBIDDEN, namespace);
		}
		assertThat(lines()).hasSize(10).allSatisfy((line) -> assertThat(line).contains("by a Role in ns"));
		this.log.list.clear();
		for (String namespace : namespaces) {
			recover(namespace);
		}
		awaitLines(10);
		assertThat(lines())
			.startsWith("Informer 'pods' recovered, watching pods in 3 namespaces",
					"Informer 'pods' recovered, watching pods in namespace ns3")
			.endsWith("Informer 'pods' recovered, watching pods in namespace ns11");
	}

	@Test
	void failingNamespaceThatLeaves_hidesNoOther() throws Exception {
		start("ns", "other");
		fail(REFUSED, "other");
		this.assignment.assign("ns");
		await().untilAsserted(
				() -> assertThat(NoThreadLeft.informerThreads()).doesNotContain("informer-pods-reflector-other"));
		this.failures.clear();
		fail(REFUSED, "ns");
		recover("ns");
		awaitLines(3);
		assertThat(lines()).satisfiesExactly((line) -> assertThat(line).contains("in namespace other"),
				(line) -> assertThat(line).contains("in namespace ns"),
				(line) -> assertThat(line).isEqualTo("Informer 'pods' recovered, watching pods in namespace ns"));
	}

	@Test
	void lastFailingNamespaceThatLeaves_endsTheOutageOfOthers() throws Exception {
		start("ns", "other");
		fail(REFUSED, "ns", "other");
		recover("ns");
		assertThat(lines()).hasSize(1);
		this.assignment.assign("ns");
		await().untilAsserted(() -> assertThat(lines()).hasSize(2)
			.last()
			.isEqualTo("Informer 'pods' recovered, watching pods in namespace ns"));
	}

	@Test
	void restartDuringAnOutage_logsItAgain() throws Exception {
		start("ns", "other");
		fail(REFUSED, "ns", "other");
		this.informer.stop(LONG);
		this.informer.start();
		await().untilAsserted(() -> assertThat(lines()).hasSize(2));
		recover("ns", "other");
		awaitLines(3);
		assertThat(lines()).last().asString().contains("recovered, watching pods in ");
	}

	private void start(String... namespaces) throws InterruptedException {
		List.of(namespaces).forEach((namespace) -> this.source.put(namespace + "/a"));
		this.assignment.assign(namespaces);
		this.informer.start();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.source.openWatches()).isEqualTo(namespaces.length));
		this.source.bookmark();
		await().untilAsserted(() -> assertThat(this.informer.state().failingSince()).isNull());
		this.log.list.clear();
	}

	/**
	 * Let the requests of namespaces fail, and break the watches. Those of others have
	 * received an event, so that they are opened again without a failure.
	 */
	private void fail(IOException failure, String... namespaces) {
		int open = this.informer.statesByNamespace().size() - this.failures.size();
		await().untilAsserted(() -> assertThat(this.source.openWatches()).isEqualTo(open));
		this.source.bookmark();
		await().untilAsserted(() -> assertThat(open == 0 || this.source.isQuiet()).isTrue());
		List.of(namespaces).forEach((namespace) -> this.failures.put(namespace, failure));
		this.source.disconnect();
		Kind kind = (failure == REFUSED) ? Kind.UNREACHABLE : Kind.FORBIDDEN;
		await().untilAsserted(() -> assertThat(this.informer.statesByNamespace()).allSatisfy((namespace, state) -> {
			if (List.of(namespaces).contains(namespace)) {
				assertThat(state.failure()).isNotNull()
					.satisfies((current) -> assertThat(current.kind()).isEqualTo(kind));
			}
		}));
	}

	/**
	 * Let the requests of namespaces succeed again, and wait for their recovery, which is
	 * published after it is logged.
	 */
	private void recover(String... namespaces) {
		List.of(namespaces).forEach(this.failures::remove);
		await().untilAsserted(() -> {
			this.source.bookmark();
			assertThat(namespaces).allSatisfy((namespace) -> assertThat(this.states).hasEntrySatisfying(namespace,
					(state) -> assertThat(state.failingSince()).isNull()));
		});
	}

	private void published(InformerEvent event) {
		if (event instanceof InformerEvent.StateChanged changed) {
			this.states.put(changed.namespace(), changed.state());
		}
	}

	private void awaitLines(int number) {
		await().untilAsserted(() -> assertThat(lines()).hasSize(number));
	}

	private List<String> lines() {
		return List.copyOf(this.log.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	private ListerWatcher<V1Pod> source(String namespace) {
		ListerWatcher<V1Pod> target = this.source.in(namespace);
		return new ListerWatcher<>() {

			@Override
			public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation)
					throws IOException {
				check(namespace);
				return target.list(request, sink, cancellation);
			}

			@Override
			public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
					throws IOException {
				check(namespace);
				return target.watch(request, known, cancellation);
			}

		};
	}

	private void check(String namespace) throws IOException {
		IOException failure = this.failures.get(namespace);
		if (failure != null) {
			throw failure;
		}
	}

}

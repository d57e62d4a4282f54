/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import com.google.gson.JsonObject;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.recorder.FakeEventServer.Request;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link EventRecorder}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class EventRecorderTests {

	/** Time that passes between two looks at a condition. */
	private static final Duration STEP = Duration.ofMillis(500);

	private static final String TEXT = "token of the customer";

	private static final String TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln";

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final FakeTime time = FakeTime.manual();

	private final FakeEventServer server = new FakeEventServer(this.time);

	private final EventRecorder recorder = new DefaultEventRecorder(this.server, "example.com/shop", "node-7",
			this.time);

	private final V1Pod pod = TestObjects.pod("a", 1);

	@AfterEach
	void close() {
		this.recorder.close(Duration.ZERO);
	}

	@Test
	void event_hasAllFields() {
		this.recorder.warning(this.pod, "Failed", "Scale", "no quota");
		EventsV1Event event = onlyEvent();
		assertThat(event.getMetadata().getNamespace()).isEqualTo("ns");
		assertThat(event.getMetadata().getName()).matches("a\\.[0-9a-f]{16}");
		assertThat(event.getType()).isEqualTo("Warning");
		assertThat(event.getReason()).isEqualTo("Failed");
		assertThat(event.getAction()).isEqualTo("Scale");
		assertThat(event.getNote()).isEqualTo("no quota");
		assertThat(event.getReportingController()).isEqualTo("example.com/shop");
		assertThat(event.getReportingInstance()).isEqualTo("example.com/shop-node-7");
		assertThat(event.getEventTime()).isEqualTo(OffsetDateTime.parse("2030-01-01T00:00:00Z"));
		assertThat(event.getSeries()).isNull();
		assertThat(event.getRegarding()).satisfies((regarding) -> {
			assertThat(regarding.getApiVersion()).isEqualTo("v1");
			assertThat(regarding.getKind()).isEqualTo("Pod");
			assertThat(regarding.getNamespace()).isEqualTo("ns");
			assertThat(regarding.getName()).isEqualTo("a");
			assertThat(regarding.getUid()).isEqualTo("uid-a");
			assertThat(regarding.getResourceVersion()).isNull();
		});
	}

	@Test
	void repeated_areOneSeries_writtenAtGrowingIntervals() {
		this.recorder.normal(this.pod, "Scaled", "Scale", "Scaled to 0 replicas");
		awaitWritten();
		for (int i = 1; i < 1_000; i++) {
			this.recorder.normal(this.pod, "Scaled", "Scale", "Scaled to " + i + " replicas");
		}
		assertThat(this.recorder.pending()).isEqualTo(999);
		this.time.advance(Duration.ofMillis(999));
		assertNoFurtherRequest(1);
		this.time.advance(Duration.ofMillis(1));
		awaitWritten();
		EventsV1Event event = onlyEvent();
		assertThat(event.getNote()).isEqualTo("Scaled to 0 replicas");
		assertThat(event.getEventTime()).isEqualTo(OffsetDateTime.parse("2030-01-01T00:00:00Z"));
		assertThat(event.getSeries().getCount()).isEqualTo(1_000);
		assertThat(event.getSeries().getLastObservedTime()).isEqualTo(OffsetDateTime.parse("2030-01-01T00:00:00Z"));
		assertThat(this.server.requests()).extracting(Request::operation)
			.containsExactly(Operation.CREATE, Operation.PATCH);
		// also after all were written
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		this.time.advance(Duration.ofSeconds(1));
		assertNoFurtherRequest(2);
		this.time.advance(Duration.ofSeconds(1));
		awaitWritten();
		assertThat(onlyEvent().getSeries().getCount()).isEqualTo(1_001);
		assertThat(onlyEvent().getSeries().getLastObservedTime())
			.isEqualTo(OffsetDateTime.parse("2030-01-01T00:00:01Z"));
		assertThat(this.recorder.dropped()).isZero();
	}

	@Test
	void seriesThatEnds_isWrittenWithItsLastCount() {
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitWritten();
		for (int i = 0; i < 9; i++) {
			this.time.advance(Duration.ofSeconds(1 << i));
			this.recorder.normal(this.pod, "Scaled", "Scale", "");
			awaitWritten();
		}
		int before = this.server.requests().size();
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		this.time.advance(Duration.ofMinutes(2));
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		this.time.advance(Duration.ofMinutes(6).minusNanos(1));
		assertNoFurtherRequest(before);
		this.time.advance(Duration.ofNanos(1));
		awaitWritten();
		assertThat(this.server.requests()).hasSize(before + 1);
		assertThat(count(onlyEvent())).isEqualTo(12);
		this.time.advance(Duration.ofNanos(1));
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitWritten();
		assertThat(this.server.events()).hasSize(2);
	}

	@Test
	void runningSeries_isWrittenByTheClose() {
		for (int i = 0; i < 10; i++) {
			this.recorder.normal(this.pod, "Scaled", "Scale", "");
			awaitWrittenWhileTimePasses();
		}
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		closeWhileTimePasses(Duration.ofSeconds(5));
		assertThat(count(onlyEvent())).isEqualTo(11);
		assertThat(this.recorder.dropped()).isZero();
	}

	@Test
	void otherIdentities_areOtherEvents() {
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		this.recorder.warning(this.pod, "Scaled", "Scale", "");
		this.recorder.normal(this.pod, "Scaled", "Rescale", "");
		this.recorder.normal(this.pod, "Rescaled", "Scale", "");
		this.recorder.normal(TestObjects.pod("a", "other-uid", 1), "Scaled", "Scale", "");
		this.recorder.normal(TestObjects.pod("b", 1), "Scaled", "Scale", "");
		this.recorder.normal(TestObjects.pod("other", "a"), "Scaled", "Scale", "");
		this.recorder.normal(untyped("example.com/v1", "Pod"), "Scaled", "Scale", "");
		this.recorder.normal(untyped("v1", "Cart"), "Scaled", "Scale", "");
		awaitWritten();
		assertThat(this.server.events()).hasSize(9)
			.allSatisfy((event) -> assertThat(event.getSeries()).isNull())
			.extracting((event) -> event.getMetadata().getName())
			.doesNotHaveDuplicates();
	}

	@Test
	void otherVersions_areTheSameIdentity() {
		this.recorder.normal(untyped("example.com/v1", "Pod"), "Scaled", "Scale", "");
		this.recorder.normal(untyped("example.com/v2", "Pod"), "Scaled", "Scale", "");
		// the object of a list does not name its type
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		this.recorder.normal(TestObjects.pod("a", 2).apiVersion(null).kind(null), "Scaled", "Scale", "");
		this.time.advance(Duration.ofSeconds(1));
		awaitWritten();
		assertThat(this.server.events()).hasSize(2).allSatisfy((event) -> assertThat(count(event)).isEqualTo(2));
	}

	private static DynamicKubernetesObject untyped(String apiVersion, String kind) {
		JsonObject metadata = new JsonObject();
		metadata.addProperty("namespace", "ns");
		metadata.addProperty("name", "a");
		metadata.addProperty("uid", "uid-a");
		JsonObject object = new JsonObject();
		object.addProperty("apiVersion", apiVersion);
		object.addProperty("kind", kind);
		object.add("metadata", metadata);
		return new DynamicKubernetesObject(object);
	}

	@Test
	void clusterScopedObject_hasItsEventInNamespaceDefault() {
		this.recorder.normal(new V1Node().metadata(new V1ObjectMeta().name("node-7")), "Drained", "Drain", "");
		EventsV1Event event = onlyEvent();
		assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
		assertThat(event.getRegarding().getNamespace()).isNull();
		assertThat(event.getRegarding().getKind()).isEqualTo("Node");
	}

	@Test
	void nameThatNoEventCanHave_isReplaced() {
		this.recorder.normal(new V1ClusterRole().metadata(new V1ObjectMeta().name("system:view")), "Used", "Use", "");
		assertThat(onlyEvent().getMetadata().getName()).matches("[0-9a-f-]{36}");
		assertThat(onlyEvent().getRegarding().getName()).isEqualTo("system:view");
	}

	@Test
	void longName_isReplaced() {
		this.recorder.normal(TestObjects.pod("ns", "a".repeat(240)), "Scaled", "Scale", "");
		assertThat(onlyEvent().getMetadata().getName()).matches("[0-9a-f-]{36}");
	}

	@Test
	void sixMinutesLater_anotherEventBegins() {
		this.recorder.normal(this.pod, "Scaled", "Scale", "first");
		awaitWritten();
		this.time.advance(Duration.ofMinutes(6));
		this.recorder.normal(this.pod, "Scaled", "Scale", "second");
		awaitWritten();
		this.time.advance(Duration.ofMinutes(6).plusNanos(1));
		this.recorder.normal(this.pod, "Scaled", "Scale", "third");
		awaitWritten();
		assertThat(this.server.events()).extracting(FakeEventServer::count).containsExactly(2L, 1L);
		assertThat(this.server.events()).extracting(EventsV1Event::getNote).containsExactly("first", "third");
	}

	@Test
	void deletedEvent_isCreatedAgainWithItsCount() {
		this.recorder.normal(this.pod, "Scaled", "Scale", "first");
		awaitWritten();
		this.server.deleteEvents();
		this.time.advance(Duration.ofSeconds(1));
		this.recorder.normal(this.pod, "Scaled", "Scale", "second");
		awaitWritten();
		EventsV1Event event = onlyEvent();
		assertThat(count(event)).isEqualTo(2);
		assertThat(event.getNote()).isEqualTo("second");
		assertThat(this.log.text()).doesNotContain("could not");
	}

	@Test
	void lostAnswers_areNoFurtherOccurrences() {
		this.server.loseAnswers(true);
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequests(1);
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequestsWhileTimePasses(3);
		this.server.loseAnswers(false);
		awaitWrittenWhileTimePasses();
		assertThat(count(onlyEvent())).isEqualTo(2);
		assertThat(this.recorder.dropped()).isZero();
	}

	@Test
	void lostAnswerOfASingleOccurrence_isNoFurtherOccurrence() {
		this.server.loseAnswers(true);
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequests(1);
		this.server.loseAnswers(false);
		awaitWrittenWhileTimePasses();
		assertThat(count(onlyEvent())).isEqualTo(1);
		assertThat(this.server.requests()).extracting(Request::operation)
			.containsExactly(Operation.CREATE, Operation.CREATE);
	}

	@Test
	void unreachableServer_isRetriedLaterAndLater_untilGivenUp() {
		this.log.setLevel(Level.WARN);
		FakeTime skipping = FakeTime.autoAdvancing();
		FakeEventServer unreachable = new FakeEventServer(skipping);
		unreachable.disconnect();
		try (EventRecorder other = new DefaultEventRecorder(unreachable, "example.com/shop", "node-7", skipping)) {
			other.normal(this.pod, "Scaled", "Scale", TEXT);
			await().until(() -> other.pending() == 0);
			assertThat(other.dropped()).isEqualTo(1);
			unreachable.accept();
			other.normal(this.pod, "Scaled", "Scale", TEXT);
			await().until(() -> other.pending() == 0);
			assertThat(unreachable.occurrences()).isEqualTo(1);
		}
		List<Double> delays = seconds(unreachable.requests());
		List<Integer> least = List.of(1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30);
		assertThat(delays).hasSameSizeAs(least);
		for (int i = 0; i < least.size(); i++) {
			assertThat(delays.get(i)).isBetween(least.get(i).doubleValue(), least.get(i) * 1.25);
		}
		assertThat(this.log.text())
			.containsOnlyOnce("Event recorder 'example.com/shop' could not create an Event in namespace 'ns' "
					+ "(API server unreachable, IOException: connection refused); retrying")
			.containsOnlyOnce("could not")
			.doesNotContain(TEXT);
	}

	@Test
	void unreachableServer_isNotAskedForOtherEvents() {
		this.server.disconnect();
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequests(1);
		this.recorder.normal(TestObjects.pod("b", 1), "Scaled", "Scale", "");
		assertNoFurtherRequest(1);
		this.server.accept();
		awaitWrittenWhileTimePasses();
		assertThat(this.server.events()).hasSize(2);
	}

	@Test
	void failingWebhook_delaysNoOtherEvents() {
		this.server.behave((request) -> {
			if (request.name().startsWith("ns/a.")) {
				throw FakeEventServer.refusal(request, 500, "InternalError", "failed calling webhook");
			}
		});
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequests(1);
		this.recorder.normal(TestObjects.pod("b", 1), "Scaled", "Scale", "");
		await().until(() -> this.recorder.pending() == 1);
		assertThat(onlyEvent().getRegarding().getName()).isEqualTo("b");
	}

	@Test
	void missingRight_isOneLine_andRetriedUntilGranted() {
		this.log.setLevel(Level.WARN);
		this.server.refuse(403, "Forbidden", "events.events.k8s.io is forbidden: " + TEXT);
		for (int i = 0; i < 100; i++) {
			this.recorder.normal(TestObjects.pod("pod-" + i, 1), "Scaled", "Scale", TEXT);
		}
		awaitRequestsWhileTimePasses(300);
		assertThat(this.log.text()).containsOnlyOnce("could not")
			.contains("Event recorder 'example.com/shop' could not create an Event in namespace 'ns' (403 Forbidden); "
					+ "retrying. Grant the verbs create and patch: kubectl create role NAME --namespace=ns "
					+ "--verb=create,patch --resource=events.events.k8s.io")
			.doesNotContain(TEXT);
		this.server.accept();
		awaitWrittenWhileTimePasses();
		assertThat(this.server.events()).hasSize(100);
		assertThat(this.recorder.dropped()).isZero();
	}

	@Test
	void persistingFailure_isLoggedOnceAnHour() {
		this.log.setLevel(Level.WARN);
		this.server.refuse(403, "Forbidden", "");
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequestsWhileTimePasses(4);
		assertThat(this.log.text()).containsOnlyOnce("could not");
		this.time.advance(Duration.ofMinutes(61));
		awaitRequestsWhileTimePasses(7);
		assertThat(this.log.text().split("could not", -1)).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 413, 422 })
	void refusedEvent_isDropped_andOthersAreWritten(int code) {
		this.server.behave((request) -> {
			if (request.name().startsWith("ns/a.")) {
				throw FakeEventServer.refusal(request, code, (code == 404) ? "" : "Refused", "quotes " + TEXT);
			}
		});
		this.recorder.normal(this.pod, "Scaled", "Scale", TEXT);
		this.recorder.normal(TestObjects.pod("b", 1), "Scaled", "Scale", "");
		await().until(() -> this.recorder.pending() == 0);
		assertThat(this.recorder.dropped()).isEqualTo(1);
		assertThat(onlyEvent().getRegarding().getName()).isEqualTo("b");
		await().untilAsserted(() -> assertThat(this.log.text()).contains("(" + code, "discarding it"));
		assertThat(this.log.text()).doesNotContain(TEXT);
		// and are not sent more often than others
		this.recorder.normal(this.pod, "Scaled", "Scale", TEXT);
		assertNoFurtherRequest(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 403, 404 })
	void deletedNamespace_dropsQuietly(int code) {
		if (code == 404) {
			this.server.refuse(code, "NotFound", "namespaces \"ns\" not found");
		}
		else {
			this.server.refuse(code, "Forbidden",
					"unable to create new content in namespace ns because it is being terminated");
		}
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		await().until(() -> this.recorder.dropped() == 1);
		assertThat(this.recorder.pending()).isZero();
		assertThat(this.log.text()).doesNotContain("could not");
	}

	@Test
	void failureOfAnInterceptor_doesNotEndTheThread() {
		this.server.behave((request) -> {
			throw new StackOverflowError(TEXT);
		});
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequests(1);
		this.server.behave((request) -> Thread.currentThread().interrupt());
		awaitWrittenWhileTimePasses();
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitWrittenWhileTimePasses();
		assertThat(count(onlyEvent())).isEqualTo(2);
		assertThat(this.log.text()).contains("(java.lang.StackOverflowError)").doesNotContain(TEXT);
	}

	@Test
	void tooManyIdentities_areDroppedAndCounted() {
		CountDownLatch answer = new CountDownLatch(1);
		this.server.behave((request) -> awaitUninterruptibly(answer));
		for (int i = 0; i < 7_000; i++) {
			this.recorder.normal(TestObjects.pod("pod-" + i, 1), "Scaled", "Scale", "");
		}
		this.recorder.normal(TestObjects.pod("pod-4999", 1), "Scaled", "Scale", "");
		assertThat(this.recorder.pending()).isEqualTo(5_001);
		assertThat(this.recorder.dropped()).isEqualTo(2_000);
		answer.countDown();
		awaitWritten();
		// there is room again
		this.recorder.normal(TestObjects.pod("pod-6999", 1), "Scaled", "Scale", "");
		awaitWritten();
		assertThat(this.server.occurrences()).isEqualTo(5_002);
	}

	@Test
	void namespaceThatFillsTheQueue_leavesOthersTheirShare_andTheirTurns() {
		CountDownLatch answer = new CountDownLatch(1);
		this.server.behave((request) -> awaitUninterruptibly(answer));
		for (int i = 0; i < 7_000; i++) {
			this.recorder.normal(TestObjects.pod("noisy", "pod-" + i), "Scaled", "Scale", "");
		}
		for (int i = 0; i < 100; i++) {
			this.recorder.normal(TestObjects.pod("quiet", "pod-" + i), "Scaled", "Scale", "");
		}
		assertThat(this.recorder.pending()).isEqualTo(5_000);
		assertThat(this.recorder.dropped()).isEqualTo(2_100);
		answer.countDown();
		awaitWritten();
		assertThat(this.server.requests().subList(0, 202)).extracting((request) -> request.name().split("/")[0])
			.filteredOn("quiet"::equals)
			.hasSize(100);
		assertThat(this.server.occurrences() + this.recorder.dropped()).isEqualTo(7_100);
	}

	@Test
	void namespaceWithManyEvents_endsNoSeriesOfOthers() {
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitWritten();
		for (int i = 0; i <= 5_000; i++) {
			V1ObjectMeta metadata = new V1ObjectMeta().namespace("noisy").name("a" + i);
			this.recorder.normal(new V1Pod().metadata(metadata), "Scaled", "Scale", "");
			if (i % 1_000 == 0) {
				awaitWritten();
			}
		}
		awaitWritten();
		this.time.advance(Duration.ofMinutes(2));
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitWritten();
		assertThat(this.server.events()).filteredOn((event) -> "ns".equals(event.getMetadata().getNamespace()))
			.extracting(FakeEventServer::count)
			.containsExactly(2L);
	}

	@Test
	void close_writesTheLastCount() {
		for (int i = 0; i < 10; i++) {
			this.recorder.normal(this.pod, "Scaled", "Scale", "");
			this.recorder.normal(TestObjects.pod("b", 1), "Scaled", "Scale", "");
		}
		closeWhileTimePasses(Duration.ofSeconds(30));
		assertThat(this.server.occurrences()).isEqualTo(20);
		assertThat(this.recorder.pending()).isZero();
		assertThat(this.recorder.dropped()).isZero();
		assertThat(this.log.text()).doesNotContain("discarding");
		for (String name : List.of("a", "b")) {
			List<Request> ofOne = this.server.requests()
				.stream()
				.filter((request) -> request.event().getRegarding().getName().equals(name))
				.toList();
			assertThat(seconds(ofOne)).allSatisfy((delay) -> assertThat(delay).isGreaterThanOrEqualTo(1));
		}
	}

	@Test
	void close_doesNotWaitForTheDelayOfARetry_andDoesNotRetry() {
		this.server.disconnect();
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequestsWhileTimePasses(6);
		int before = this.server.requests().size();
		await().until(() -> this.log.text().split("could not", -1).length == before + 1);
		Thread closing = new Thread(() -> this.recorder.close(Duration.ofSeconds(30)));
		closing.start();
		await().until(() -> {
			this.recorder.normal(this.pod, "Scaled", "Scale", "");
			return this.recorder.dropped() > 0;
		});
		assertThat(this.server.requests()).hasSize(before);
		this.time.advance(Duration.ofSeconds(1));
		await().until(() -> !closing.isAlive());
		assertThat(this.server.requests()).hasSize(before + 1);
		assertThat(this.recorder.pending()).isZero();
		assertThat(this.log.text()).contains("Event recorder 'example.com/shop' was closed; discarding ");
	}

	@Test
	void close_ofWriteThatHangs_interruptsAndDiscards() {
		CountDownLatch never = new CountDownLatch(1);
		this.server.behave((request) -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				throw FakeEventServer.unanswered(request);
			}
		});
		for (int i = 0; i < 10; i++) {
			this.recorder.normal(TestObjects.pod("pod-" + i, 1), "Scaled", "Scale", "");
		}
		awaitRequests(1);
		this.recorder.close(Duration.ofMillis(1));
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		assertThat(this.server.requests()).hasSize(1);
		assertThat(this.recorder.dropped()).isEqualTo(10);
		assertThat(this.recorder.pending()).isZero();
		assertThat(this.log.text()).contains("discarding 10 events that are not written").doesNotContain("could not");
	}

	@Test
	void close_ofInterruptedThread_keepsTheInterrupt() {
		this.server.disconnect();
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		awaitRequests(1);
		Thread.currentThread().interrupt();
		this.recorder.close(Duration.ofDays(1));
		assertThat(Thread.interrupted()).isTrue();
		// it did not wait for the write
		await().until(() -> this.recorder.dropped() == 1);
	}

	@Test
	void eventAfterClose_isDropped_andStartsNoThread() {
		this.recorder.close();
		this.recorder.normal(this.pod, "Scaled", "Scale", "");
		assertThat(this.recorder.dropped()).isEqualTo(1);
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		this.recorder.close();
	}

	@Test
	void texts_areShortenedToTheLimitsOfTheServer() {
		String euro = "\u20ac";
		this.recorder.normal(this.pod, euro.repeat(43), "x".repeat(129), "\ud83d\ude00".repeat(1_000));
		EventsV1Event event = onlyEvent();
		assertThat(event.getReason()).isEqualTo(euro.repeat(41) + "\u2026");
		assertThat(event.getAction()).isEqualTo("x".repeat(125) + "\u2026");
		assertThat(event.getNote()).isEqualTo("\ud83d\ude00".repeat(255) + "\u2026");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "\u00e4", "\u20ac", "\ud83d\ude00" })
	void shortened_hasAtMostTheBytes(String character) {
		for (int i = 0; i < 200; i++) {
			String text = character.repeat(i);
			String shortened = DefaultEventRecorder.shortened(text, 128);
			int bytes = text.getBytes(StandardCharsets.UTF_8).length;
			if (bytes <= 128) {
				assertThat(shortened).isSameAs(text);
			}
			else {
				assertThat(shortened.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(125, 128);
			}
		}
	}

	@Test
	void invalidArguments_areRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.normal(this.pod, "", "Scale", ""))
			.withMessage("Cannot record an Event without a reason. Name it in one word, such as Scale.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.normal(this.pod, "Scaled", "", ""))
			.withMessageContaining("without an action");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.recorder.normal(new V1Pod().metadata(new V1ObjectMeta()), "Scaled", "Scale", ""))
			.withMessage("Cannot record an Event about a Pod without a name. Set metadata.name.");
		assertThatIllegalArgumentException().isThrownBy(
				() -> this.recorder.normal(new PartialObjectMetadata(this.pod.getMetadata()), "Scaled", "Scale", ""))
			.withMessageContaining("it does not name its resource");
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullArguments_areRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.normal(null, "Scaled", "Scale", ""))
			.withMessage("Cannot record an Event: the argument 'regarding' is null. Pass it.");
		assertThatIllegalArgumentException().isThrownBy(() -> EventRecorder.of(null, "tests"))
			.withMessage("Cannot create an EventRecorder: the argument 'writer' is null. Pass it.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.warning(this.pod, null, "Scale", ""))
			.withMessage("Cannot record an Event: the argument 'reason' is null. Pass it.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.warning(this.pod, "Scaled", null, ""))
			.withMessage("Cannot record an Event: the argument 'action' is null. Pass it.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.warning(this.pod, "Scaled", "Scale", null))
			.withMessage("Cannot record an Event: the argument 'note' is null. Pass an empty text for none.");
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
	}

	@Test
	void textOfObjects_isConvertedForLogAndMessages() {
		String text = "shop\r\nERROR forged\u0085\u2028\u202e " + TOKEN;
		// refuses the names
		this.server.behave(FakeEventServer::unanswered);
		this.recorder.normal(TestObjects.pod(text, "a"), "Scaled", "Scale", "");
		await().until(() -> this.recorder.dropped() == 1);
		this.server.behave((request) -> {
			throw FakeEventServer.refusal(request, 403, "Forbidden", "");
		});
		this.recorder.normal(TestObjects.pod("ns" + TOKEN, "a"), "Scaled", "Scale", "");
		await().until(() -> this.recorder.dropped() == 2);
		await().untilAsserted(() -> assertThat(this.log.text()).contains("in namespace 'shop ERROR forged ***'"));
		assertThat(this.log.text()).doesNotContain(TOKEN, "\u0085", "\u2028", "\u202e", "\r");
		DynamicKubernetesObject unnamed = untyped("v1", text);
		unnamed.getRaw().add("metadata", new JsonObject());
		assertThatIllegalArgumentException().isThrownBy(() -> this.recorder.normal(unnamed, "Scaled", "Scale", ""))
			.withMessage("Cannot record an Event about a shop ERROR forged *** without a name. Set metadata.name.");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "my shop", "-shop", "shop/", "/shop", "Example.com/shop", "a/b/c" })
	void invalidController_isRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> EventRecorder.of(this.server, name))
			.withMessageStartingWith("'" + name + "' cannot be the name of a controller. Use ");
	}

	@Test
	void longInstance_isShortened() {
		try (EventRecorder other = new DefaultEventRecorder(this.server, "shop", "n".repeat(200), this.time)) {
			other.normal(this.pod, "Scaled", "Scale", "");
			assertThat(onlyEvent().getReportingInstance().getBytes(StandardCharsets.UTF_8)).hasSize(128);
		}
	}

	private static long count(EventsV1Event event) {
		return FakeEventServer.count(event);
	}

	private EventsV1Event onlyEvent() {
		await().until(() -> !this.server.events().isEmpty());
		assertThat(this.server.events()).hasSize(1);
		return this.server.events().get(0);
	}

	private void awaitRequests(int count) {
		await().until(() -> this.server.requests().size() >= count);
	}

	private void awaitWritten() {
		await().until(() -> this.recorder.pending() == 0);
		assertThat(this.recorder.pending()).isZero();
	}

	private void awaitRequestsWhileTimePasses(int count) {
		await().until(() -> {
			this.time.advance(STEP);
			return this.server.requests().size() >= count;
		});
	}

	private void awaitWrittenWhileTimePasses() {
		await().until(() -> {
			this.time.advance(STEP);
			return this.recorder.pending() == 0;
		});
	}

	/**
	 * Wait a moment in which the thread looks at the clock several times.
	 */
	private void assertNoFurtherRequest(int count) {
		await().during(Duration.ofMillis(20)).until(() -> this.server.requests().size() == count);
	}

	private void closeWhileTimePasses(Duration drain) {
		Thread closing = new Thread(() -> this.recorder.close(drain));
		closing.start();
		await().until(() -> {
			this.time.advance(STEP);
			return !closing.isAlive();
		});
	}

	private static List<Double> seconds(List<Request> requests) {
		return new ArrayList<>(IntStream.range(1, requests.size())
			.mapToObj((i) -> (requests.get(i).nanos() - requests.get(i - 1).nanos()) / 1e9)
			.toList());
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

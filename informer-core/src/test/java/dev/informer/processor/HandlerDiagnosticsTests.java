/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.informer.ChangedPart;
import dev.informer.DeliveryDiagnosis;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerRegistration;
import dev.informer.InformerOptions;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.controller.FakeInformers;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeEtcd.Content;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link HandlerDiagnostics} on an informer without HTTP.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerDiagnosticsTests {

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> {
			});

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void handlerOfInformerThatWasNotStarted_isDiagnosed_andNotWaitedFor() {
		HandlerRegistration handler = this.informer.addHandler(this.log, (options) -> options.name("audit"));
		assertThat(handler.diagnose().causes()).extracting(Cause::reason).containsExactly(Reason.INFORMER_NOT_STARTED);
		assertThat(reasons(handler, "a")).containsExactly(Reason.INFORMER_NOT_STARTED);
		assertThatIllegalStateException().isThrownBy(() -> handler.awaitSynced(Duration.ofSeconds(60)))
			.withMessage("Cannot wait for handler 'audit': informer 'pods' was not started. "
					+ "Start it, its factory or the application first.");
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void hiddenStates_areNamed(QueuePolicy policy) throws Exception {
		this.source.put("a", Shape.FINE, new Content("web", "Pending"));
		HandlerRegistration labels = this.informer.addHandler(this.log,
				(options) -> options.queue(policy).changes(ChangedPart.LABELS));
		HandlerRegistration filtered = this.informer.addHandler(new EventLog<>(),
				(options) -> options.queue(policy).filter((pod) -> "Running".equals(pod.getStatus().getPhase())));
		start();
		awaitReasons(labels, "a", Reason.UP_TO_DATE);
		awaitReasons(filtered, "a", Reason.FILTER);
		assertThat(filtered.diagnose("ns", "a").lastDelivered()).isNull();
		assertThat(filtered.diagnose("ns", "a").lastDelivery()).isNull();
		this.source.put("a", Shape.FINE, new Content("web", "Running"));
		awaitReasons(labels, "a", Reason.UNCHANGED_PARTS);
		awaitReasons(filtered, "a", Reason.UP_TO_DATE);
		DeliveryDiagnosis hidden = labels.diagnose("ns", "a");
		assertThat(hidden.lastDelivered()).isNotNull().isNotEqualTo(hidden.current());
		assertThat(Objects.requireNonNull(hidden.lastDelivery()).version()).isEqualTo(hidden.lastDelivered());
		assertThat(filtered.diagnose("ns", "a").lastDelivered()).isEqualTo(hidden.current());
		this.source.put("a", Shape.FINE, new Content("web", "Failed"));
		awaitReasons(filtered, "a", Reason.FILTER);
		assertThat(Objects.requireNonNull(filtered.diagnose("ns", "a").lastDelivery()).event())
			.isEqualTo(ResourceEvent.Type.DELETED);
		this.source.delete("a");
		awaitReasons(labels, "a", Reason.NOT_IN_CACHE);
		awaitReasons(filtered, "a", Reason.NOT_IN_CACHE);
	}

	@Test
	void undecodableObject_isNamed_untilItCanBeReadOrIsDeleted() throws Exception {
		HandlerRegistration handler = this.informer.addHandler(this.log);
		this.source.put("listed", Shape.BROKEN);
		start();
		awaitReasons(handler, "listed", Reason.UNDECODABLE);
		this.source.put("a");
		awaitReasons(handler, "a", Reason.UP_TO_DATE);
		this.source.put("a", Shape.BROKEN);
		awaitReasons(handler, "a", Reason.UNDECODABLE, Reason.UP_TO_DATE);
		this.source.put("a");
		awaitReasons(handler, "a", Reason.UP_TO_DATE);
		this.source.put("listed");
		awaitReasons(handler, "listed", Reason.UP_TO_DATE);
		this.source.put("a", Shape.BROKEN);
		awaitReasons(handler, "a", Reason.UNDECODABLE, Reason.UP_TO_DATE);
		this.source.delete("a", Shape.BROKEN);
		awaitReasons(handler, "a", Reason.NOT_IN_CACHE);
	}

	@Test
	void transformThatFails_isNamed() throws Exception {
		HandlerRegistration handler = this.informer.addHandler(this.log);
		this.informer.setTransform((pod) -> {
			if ("Failed".equals(pod.getStatus().getPhase())) {
				throw new IllegalStateException("for the test");
			}
			return pod;
		});
		this.source.put("a", Shape.FINE, new Content("", "Failed"));
		start();
		awaitReasons(handler, "a", Reason.UNDECODABLE);
		assertThat(handler.diagnose("ns", "a").causes().get(0).message())
			.contains("its transform failed: java.lang.IllegalStateException")
			.doesNotContain("for the test");
		this.source.put("a", Shape.FINE, new Content("", "Running"));
		awaitReasons(handler, "a", Reason.UP_TO_DATE);
	}

	@Test
	void removedHandlerAndClosedInformer_areNamed() throws Exception {
		this.source.put("a");
		HandlerRegistration removed = this.informer.addHandler(this.log);
		HandlerRegistration handler = this.informer.addHandler(new EventLog<>());
		start();
		awaitReasons(removed, "a", Reason.UP_TO_DATE);
		removed.remove();
		assertThat(reasons(removed, "a")).containsExactly(Reason.HANDLER_REMOVED);
		assertThat(removed.diagnose("ns", "a").lastDelivery()).isNull();
		assertThat(removed.retryNow()).isZero();
		this.informer.close();
		assertThat(reasons(handler, "a")).startsWith(Reason.INFORMER_CLOSED);
	}

	@Test
	void handlerThatDiagnosesItself_isBusy() throws Exception {
		this.source.put("a");
		CompletableFuture<List<Reason>> itself = new CompletableFuture<>();
		CompletableFuture<List<Reason>> inFilter = new CompletableFuture<>();
		CompletableFuture<HandlerRegistration> registration = new CompletableFuture<>();
		registration.complete(this.informer.addHandler((event) -> itself.complete(reasons(registration.join(), "a")),
				(options) -> options.filter((pod) -> {
					inFilter.complete(reasons(registration.join(), "a"));
					return true;
				})));
		start();
		assertThat(itself.get()).endsWith(Reason.BUSY);
		assertThat(inFilter.get()).endsWith(Reason.BUSY);
		awaitReasons(registration.join(), "a", Reason.UP_TO_DATE);
	}

	@Test
	void filterThatThrows_countsAsMatching() throws Exception {
		this.source.put("a");
		HandlerRegistration handler = this.informer.addHandler(this.log, (options) -> options.filter((pod) -> {
			throw new IllegalStateException("for the test");
		}));
		handler.pause("alice");
		start();
		awaitReasons(handler, "a", Reason.PAUSED);
		assertThat(handler.diagnose().causes()).singleElement()
			.satisfies((cause) -> assertThat(cause.message()).contains("alice"));
	}

	@Test
	void filterThatBlocks_doesNotBlockDiagnosis() throws Exception {
		CountDownLatch mayReturn = new CountDownLatch(1);
		this.source.put("stuck");
		HandlerRegistration handler = this.informer.addHandler(this.log, (options) -> options.filter((pod) -> {
			awaitUninterruptibly(mayReturn);
			return true;
		}));
		try {
			start();
			awaitReasons(handler, "stuck", Reason.BUSY);
			this.source.put("b");
			awaitReasons(handler, "b", Reason.BUSY);
		}
		finally {
			mayReturn.countDown();
		}
		await().untilAsserted(
				() -> assertThat(this.log.story()).containsExactlyInAnyOrder("ADDED ns/stuck", "ADDED ns/b"));
		awaitReasons(handler, "stuck", Reason.UP_TO_DATE);
	}

	@Test
	void exhaustedRetries_areRecordedForTheLastObjects() throws Exception {
		IntStream.range(0, DeliveryRecords.LIMIT + 5).forEach((number) -> this.source.put("pod" + number));
		AtomicInteger failing = new AtomicInteger(1);
		HandlerRegistration handler = this.informer.addHandler((event) -> {
			if (failing.get() > 0) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(RetryPolicy.NONE));
		start();
		await().until(() -> handler.hasSynced() && handler.awaitIdle(Duration.ZERO));
		assertThat(handler.diagnose().retriesExhausted()).isEqualTo(DeliveryRecords.LIMIT);
		assertThat(handler.diagnose().exhaustedObjects()).hasSize(20)
			.allMatch((key) -> handler.diagnose("ns", key.substring(3))
				.causes()
				.get(0)
				.reason() == Reason.RETRIES_EXHAUSTED);
		failing.set(0);
		assertThat(handler.retryNow()).isEqualTo(DeliveryRecords.LIMIT);
		await().until(() -> this.log.events().size() == DeliveryRecords.LIMIT && handler.awaitIdle(Duration.ZERO));
		assertThat(handler.diagnose().retriesExhausted()).isZero();
		List<DeliveryDiagnosis> all = IntStream.range(0, DeliveryRecords.LIMIT + 5)
			.mapToObj((number) -> handler.diagnose("ns", "pod" + number))
			.toList();
		assertThat(all).allMatch((each) -> each.causes().get(0).reason() == Reason.UP_TO_DATE)
			.allMatch((each) -> Objects.equals(each.current(), each.lastDelivered()));
		assertThat(all.stream().map(DeliveryDiagnosis::lastDelivery).filter(Objects::isNull)).hasSize(5);
		assertThat(all.stream().map(DeliveryDiagnosis::lastDelivery).filter(Objects::nonNull))
			.allMatch((delivery) -> Objects.requireNonNull(delivery).outcome() == Outcome.HANDLED);
		assertThat(this.log.problems()).isEmpty();
	}

	@Test
	void exhaustedDeletion_isRetriedOnRequest() throws Exception {
		AtomicBoolean failing = new AtomicBoolean(true);
		HandlerRegistration handler = this.informer.addHandler((event) -> {
			if (event.type() == ResourceEvent.Type.DELETED && failing.get()) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(RetryPolicy.NONE));
		this.source.put("a");
		start();
		await().until(() -> handler.hasSynced() && handler.awaitIdle(Duration.ZERO));
		this.source.delete("a");
		await().until(() -> handler.diagnose().retriesExhausted() == 1);
		assertThat(reasons(handler, "a")).containsExactly(Reason.NOT_IN_CACHE, Reason.RETRIES_EXHAUSTED);
		failing.set(false);
		assertThat(handler.retryNow("ns", "a")).isTrue();
		await().until(() -> handler.diagnose().retriesExhausted() == 0 && handler.awaitIdle(Duration.ZERO));
		assertThat(this.log.events()).extracting(ResourceEvent::type)
			.containsExactly(ResourceEvent.Type.ADDED, ResourceEvent.Type.DELETED);
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void exhaustedDeletion_isRetriedOnRequest_afterAnAdditionThatIsNotAccepted(QueuePolicy policy) throws Exception {
		AtomicBoolean failing = new AtomicBoolean(true);
		List<String> deleted = new CopyOnWriteArrayList<>();
		HandlerRegistration handler = this.informer.addHandler((event) -> {
			if (failing.get()) {
				throw new IllegalStateException("for the test");
			}
			deleted.add(event.type() + " " + event.object().getMetadata().getUid());
		}, (options) -> options.retry(RetryPolicy.NONE).queue(policy).on(ResourceEvent.Type.DELETED));
		this.source.put("a");
		start();
		await().until(() -> handler.hasSynced() && handler.awaitIdle(Duration.ZERO));
		String uid = this.informer.lister().get("ns", "a").orElseThrow().getMetadata().getUid();
		this.source.delete("a");
		await().until(() -> handler.diagnose().retriesExhausted() == 1);
		this.source.put("a");
		await().until(() -> handler.diagnose("ns", "a").current() != null && handler.awaitIdle(Duration.ZERO));
		failing.set(false);
		assertThat(handler.retryNow("ns", "a")).isTrue();
		await().until(() -> handler.diagnose().retriesExhausted() == 0 && handler.awaitIdle(Duration.ZERO));
		assertThat(deleted).containsExactly("DELETED " + uid);
		this.source.put("a");
		this.source.delete("a");
		await().until(() -> deleted.size() == 2);
		assertThat(deleted.get(1)).startsWith("DELETED").isNotEqualTo(deleted.get(0));
	}

	@Test
	void diagnosesDuringDelivery_neitherDelayNorDisturbIt() throws Exception {
		HandlerRegistration handler = this.informer.addHandler(this.log,
				(options) -> options.filter((pod) -> true).concurrency(1));
		start();
		Thread asking = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				assertThat(handler.diagnose("ns", "a").causes()).isNotEmpty();
				handler.retryNow();
				handler.diagnose();
			}
		});
		asking.start();
		for (int round = 0; round < 200; round++) {
			this.source.put("a");
			if (round % 10 == 9) {
				this.source.delete("a");
			}
		}
		this.source.put("last");
		await().untilAsserted(() -> assertThat(this.log.story()).endsWith("ADDED ns/last"));
		asking.interrupt();
		asking.join();
		assertThat(this.log.problems()).isEmpty();
	}

	private void start() throws InterruptedException {
		this.informer.start();
		assertThat(this.informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
	}

	private static void awaitReasons(HandlerRegistration handler, String name, Reason... reasons) {
		await().untilAsserted(() -> assertThat(reasons(handler, name)).containsExactly(reasons));
	}

	private static List<Reason> reasons(HandlerRegistration handler, String name) {
		return handler.diagnose("ns", name).causes().stream().map(Cause::reason).toList();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			// the filter ignores the interrupt
		}
	}

}

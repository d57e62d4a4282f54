/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for reconcilers with many objects and events. {@code -Dload.objects=20000} sets
 * the number of objects, of which most tests have 2,000.
 */
@Timeout(300)
class ReconcilerLoadTests {

	private static final Logger logger = LoggerFactory.getLogger("load");

	private static final Duration LONG = Duration.ofSeconds(120);

	private static final int OBJECTS = Integer.getInteger("load.objects", 2000);

	private static final int CONCURRENCY = 4;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"));

	private final SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class);

	@BeforeEach
	void createNamespace() {
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void eventsOfOwnedObjects_areFollowedByFewCalls() throws Exception {
		int primaries = 100;
		int events = 5 * OBJECTS;
		SharedIndexInformer<V1Pod> pods = this.factory.informer(V1Pod.class);
		IntStream.range(0, primaries).forEach(this::createWithPod);
		Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
		Map<String, String> seen = new ConcurrentHashMap<>();
		long start = System.nanoTime();
		ReconcilerRegistration registration = started((primary, context) -> {
			String name = nameOf(primary);
			calls.computeIfAbsent(name, (key) -> new AtomicInteger()).incrementAndGet();
			seen.put(name, String.valueOf(context.owned(V1Pod.class).list().get(0).getMetadata().getLabels()));
			return null;
		}, (options) -> options.owns(pods).minInterval(Duration.ofSeconds(1)));
		for (int i = 0; i < events; i++) {
			this.kubernetes.mergePatch("pods", "shop", "object-" + i % primaries, label(i));
		}
		Map<String, String> last = new ConcurrentHashMap<>();
		for (int i = events - primaries; i < events; i++) {
			last.put("object-" + i % primaries, Map.of("n", String.valueOf(i)).toString());
		}
		await().until(() -> seen.equals(last));
		assertThat(registration.awaitIdle(LONG)).isTrue();
		long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
		logger.warn("{} events of {} objects in {} s: {} calls", events, primaries, seconds,
				calls.values().stream().mapToInt(AtomicInteger::get).sum());
		assertThat(calls).hasSize(primaries);
		assertThat(calls.values())
			.allSatisfy((count) -> assertThat((long) count.get()).isLessThanOrEqualTo(seconds + 1));
	}

	@Test
	void changeDuringInitialList_isAmongNextCalls() throws Exception {
		createObjects(OBJECTS);
		List<String> calls = new CopyOnWriteArrayList<>();
		Semaphore ends = new Semaphore(0);
		ReconcilerRegistration registration = started((primary, context) -> {
			calls.add(nameOf(primary) + " " + context.triggers());
			ends.acquire();
			return null;
		}, (options) -> options.concurrency(CONCURRENCY));
		await().until(() -> calls.size() == CONCURRENCY);
		assertThat(registration.counts().pending()).isEqualTo(OBJECTS - CONCURRENCY);
		String changed = "object-" + IntStream.range(0, OBJECTS)
			.filter((i) -> calls.stream().noneMatch((call) -> call.startsWith("object-" + i + " ")))
			.max()
			.orElseThrow();
		change(changed);
		for (int next = 1; next <= CONCURRENCY + 1; next++) {
			ends.release();
			int count = CONCURRENCY + next;
			await().until(() -> calls.size() == count);
		}
		assertThat(calls).anyMatch((call) -> call.startsWith(changed + " "));
		ends.release(OBJECTS);
		assertThat(registration.awaitIdle(LONG)).isTrue();
		assertThat(calls).hasSize(OBJECTS);
	}

	/**
	 * Change an object, and wait until the reconcilers have the event.
	 */
	private void change(String name) throws Exception {
		String version = this.kubernetes.mergePatch("configmaps", "shop", name, label(1))
			.at("/metadata/resourceVersion")
			.asString();
		await().until(() -> version
			.equals(this.informer.lister().get("shop", name).orElseThrow().getMetadata().getResourceVersion()));
		for (HandlerRegistration handler : this.informer.handlers()) {
			assertThat(handler.awaitIdle(LONG)).isTrue();
		}
	}

	@Test
	void objectThatAlwaysFails_delaysNoOther() throws Exception {
		createObjects(OBJECTS);
		RetryPolicy retry = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(10), 2, Duration.ofMinutes(5),
				Duration.ZERO);
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		List<Long> begins = new CopyOnWriteArrayList<>();
		Set<String> others = ConcurrentHashMap.newKeySet();
		AtomicInteger otherCalls = new AtomicInteger();
		int failures = 8;
		ReconcilerRegistration registration = started((primary, context) -> {
			if (nameOf(primary).equals("object-7")) {
				begins.add(System.nanoTime());
				attempts.add(context.attempt());
				if (attempts.size() != failures + 1) {
					throw new IllegalStateException("always");
				}
				return null;
			}
			otherCalls.incrementAndGet();
			others.add(nameOf(primary));
			return null;
		}, (options) -> options.retry(retry).minInterval(Duration.ZERO));
		await().until(() -> others.size() == OBJECTS - 1 && attempts.size() > failures);
		assertThat(otherCalls).hasValue(OBJECTS - 1);
		for (int i = 1; i <= failures; i++) {
			assertThat(begins.get(i) - begins.get(i - 1)).as("delay " + i)
				.isGreaterThanOrEqualTo(retry.delay(i, 0).toNanos());
		}
		assertThat(registration.awaitIdle(LONG)).isTrue();
		assertThat(registration.request("shop", "object-7")).isTrue();
		await().until(() -> attempts.size() >= failures + 4);
		assertThat(attempts.subList(0, failures + 4)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3);
		assertThat(registration.counts().retrying()).isOne();
	}

	@Test
	void delay_isKeptDuringEvents() throws Exception {
		int objects = 50;
		Duration delay = Duration.ofSeconds(2);
		createObjects(objects);
		Map<String, Delayed> states = new ConcurrentHashMap<>();
		IntStream.range(0, objects).forEach((i) -> states.put("object-" + i, new Delayed(i % 2 == 0)));
		ReconcilerRegistration registration = started((primary, context) -> {
			Objects.requireNonNull(states.get(nameOf(primary))).call(context.triggers(), delay);
			return delay;
		}, (options) -> options.notRetryable(List.of(EventException.class)));
		// a success replaces the delay, a failure does not
		for (int i = 0; !states.values().stream().allMatch((state) -> state.successful || state.delayed); i++) {
			this.kubernetes.mergePatch("configmaps", "shop", "object-" + i % objects, label(i));
		}
		await().until(() -> states.values().stream().allMatch((state) -> state.delayed));
		this.reconcilers.stop(LONG);
		List<Long> late = states.values().stream().flatMap((state) -> state.late.stream()).sorted().toList();
		logger.warn("{} calls after a delay were late: p99 {} ms, longest {} ms; {} calls", late.size(),
				late.get(late.size() * 99 / 100) / 1_000_000, late.get(late.size() - 1) / 1_000_000,
				states.values().stream().mapToInt((state) -> state.calls).sum());
		assertThat(late).allSatisfy((nanos) -> assertThat(nanos).isNotNegative());
		assertThat(registration.calls()).isEmpty();
	}

	private ReconcilerRegistration started(Reconciler<V1ConfigMap> reconciler,
			Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options) {
		ReconcilerRegistration registration = this.reconcilers.add(this.informer, reconciler, options);
		this.reconcilers.start();
		return registration;
	}

	private void createObjects(int number) {
		for (int i = 0; i < number; i++) {
			this.kubernetes.create(TestObjects.configMap("shop", "object-" + i));
		}
	}

	private void createWithPod(int number) {
		String name = "object-" + number;
		String uid = this.kubernetes.create(TestObjects.configMap("shop", name)).at("/metadata/uid").asString();
		V1Pod pod = TestObjects.pod("shop", name);
		pod.getMetadata()
			.ownerReferences(List
				.of(new V1OwnerReference().apiVersion("v1").kind("ConfigMap").name(name).uid(uid).controller(true)));
		this.kubernetes.create(pod);
	}

	private static String label(int value) {
		return "{\"metadata\": {\"labels\": {\"n\": \"" + value + "\"}}}";
	}

	private static String nameOf(V1ConfigMap object) {
		return String.valueOf(object.getMetadata().getName());
	}

	/**
	 * Calls for one object, which do not overlap.
	 */
	private static final class Delayed {

		/** Whether a call after an event succeeds. */
		private final boolean successful;

		private final List<Long> late = new ArrayList<>();

		private @Nullable Long success;

		private int calls;

		private volatile boolean delayed;

		Delayed(boolean successful) {
			this.successful = successful;
		}

		private void call(Set<Trigger> triggers, Duration delay) {
			this.calls++;
			Long last = this.success;
			if (last != null && triggers.contains(Trigger.DELAY)) {
				this.late.add(System.nanoTime() - last - delay.toNanos());
				this.delayed = true;
			}
			else if (last != null && !this.successful) {
				throw new EventException();
			}
			this.success = System.nanoTime();
		}

	}

	/**
	 * Failure of a call after an event.
	 */
	private static final class EventException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}

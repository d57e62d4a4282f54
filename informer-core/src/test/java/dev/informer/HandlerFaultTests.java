/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.FilterReply;
import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.controller.FakeInformers;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets every call of user code between the queue of a handler and the end of an
 * invocation throw once: the first call in the first run, the second in the second, until
 * a run has fewer calls. Regardless of what throws, each object is added and deleted
 * once, the last state is delivered, and nothing remains in delivery.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(240)
class HandlerFaultTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private static final Logger INFORMERS = (Logger) LoggerFactory.getLogger("dev.informer");

	private static final RetryPolicy RETRIES = new RetryPolicy(5, Duration.ofSeconds(1), 1, Duration.ofSeconds(1),
			Duration.ZERO);

	private final LoggerContext loggers = ROOT.getLoggerContext();

	private final List<Appender<ILoggingEvent>> others = new ArrayList<>();

	@BeforeEach
	void detachOthers() {
		ROOT.iteratorForAppenders().forEachRemaining(this.others::add);
		this.others.forEach(ROOT::detachAppender);
		INFORMERS.setLevel(Level.DEBUG);
	}

	@AfterEach
	void attachOthers() {
		INFORMERS.setLevel(null);
		this.others.forEach(ROOT::addAppender);
	}

	static Stream<Arguments> faults() {
		return Stream.of(Hook.values())
			.flatMap((hook) -> Stream.of(QueuePolicy.values())
				.flatMap((policy) -> hook.failures().map((failure) -> Arguments.of(hook, policy, failure))));
	}

	@ParameterizedTest
	@MethodSource("faults")
	void everyCallThatThrowsOnce_losesAndRepeatsNothing(Hook hook, QueuePolicy policy, Failure failure)
			throws Exception {
		int calls = 1;
		while (live(new Fault(hook, failure, calls), policy)) {
			calls++;
		}
		assertThat(calls).as("number of calls").isGreaterThan(hook.minimum());
	}

	/**
	 * Let objects come, change and go.
	 * @return whether the fault occurred
	 */
	private boolean live(Fault fault, QueuePolicy policy) throws Exception {
		FakeSource source = new FakeSource();
		Deliveries deliveries = new Deliveries();
		TurboFilter filter = new ThrowingFilter(fault);
		Appender<ILoggingEvent> appender = new ThrowingAppender(fault);
		SharedIndexInformer<V1Pod> informer = FakeInformers.pods(source, InformerOptions.DEFAULT,
				(settings) -> settings.time(FakeTime.autoAdvancingUpTo())
					.threadFactory(new Threads(fault))
					.addListener((event) -> fault.call(Hook.LISTENER))
					.interceptor((intercepted, handler, event, invocation) -> {
						fault.call(Hook.INTERCEPTOR);
						invocation.proceed();
					}));
		informer.setTransform((pod) -> new Traced(pod, fault));
		List<String> synced = new ArrayList<>();
		HandlerRegistration handler = informer.addHandler((event) -> {
			fault.call(Hook.HANDLER);
			if (((Traced) event.object()).isNode("failing") && deliveries.isFirst(event)) {
				throw new IllegalStateException("for the test");
			}
			deliveries.add(event);
		}, (options) -> options.queue(policy).retry(RETRIES).concurrency(2).filter((pod) -> {
			fault.call(Hook.FILTER);
			return true;
		}).errorHandler((failure) -> fault.call(Hook.ERROR_HANDLER)));
		handler.whenSynced(() -> {
			synced.add("synced");
			fault.call(Hook.ACTION);
		});
		this.loggers.addTurboFilter(filter);
		ROOT.addAppender(appender);
		try {
			source.put("a");
			source.put("b");
			start(informer);
			// after the handler may have received everything
			await().until(informer::hasSynced);
			awaitAgreement(fault, source, handler, deliveries);
			await().until(() -> source.openWatches() == 1);
			source.put("failing-c");
			source.put("a");
			source.recreate("b");
			awaitAgreement(fault, source, handler, deliveries);
			source.delete("a");
			source.put("failing-c");
			source.put("d");
			awaitAgreement(fault, source, handler, deliveries);
			source.delete("failing-c");
			source.put("a");
			awaitAgreement(fault, source, handler, deliveries);
			assertThat(handler.hasSynced()).isTrue();
			assertThat(synced).as("actions after the sync").hasSize(1);
			assertThat(deliveries.problems()).as("%s", fault).isEmpty();
		}
		finally {
			ROOT.detachAppender(appender);
			this.loggers.getTurboFilterList().remove(filter);
			informer.close();
		}
		return fault.hasOccurred();
	}

	private static void start(SharedIndexInformer<V1Pod> informer) {
		try {
			informer.start();
		}
		// the factory of its first threads
		catch (Throwable ex) {
			informer.start();
		}
	}

	private static void awaitAgreement(Fault fault, FakeSource source, HandlerRegistration handler,
			Deliveries deliveries) throws InterruptedException {
		await().untilAsserted(() -> assertThat(deliveries.states()).as("%s", fault).isEqualTo(source.versions()));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.pending()).isZero();
		assertThat(handler.invocations()).isEmpty();
		assertThat(handler.diagnose().causes()).as("%s", fault).extracting(Cause::reason).isEmpty();
		for (String key : source.versions().keySet()) {
			assertThat(handler.diagnose("ns", key.substring(3)).causes()).as("%s, %s", fault, key)
				.extracting(Cause::reason)
				.containsExactly(Reason.UP_TO_DATE);
		}
	}

	/**
	 * Kinds of user code.
	 */
	enum Hook {

		HANDLER(10), FILTER(8), METADATA(0), EQUALS(0), LISTENER(20), ERROR_HANDLER(2), INTERCEPTOR(10), ACTION(1),
		LOG_FILTER(4), APPENDER(3), THREAD_FACTORY(3);

		private final int minimum;

		Hook(int minimum) {
			this.minimum = minimum;
		}

		/** Return the number of calls of a run without a fault, at least. */
		int minimum() {
			return this.minimum;
		}

		Stream<Failure> failures() {
			return EnumSet.allOf(Failure.class)
				.stream()
				.filter((failure) -> this == THREAD_FACTORY || !failure.isOfThreadFactory());
		}

	}

	/**
	 * What a call does instead of its work.
	 */
	enum Failure {

		EXCEPTION(() -> new IllegalStateException("for the test")), ERROR(() -> new StackOverflowError("for the test")),
		SILENT_EXCEPTION(() -> new RuntimeException() {

			@Override
			public String getMessage() {
				throw new IllegalStateException("no message");
			}

			@Override
			public String toString() {
				throw new IllegalStateException("no text");
			}

			@Override
			public StackTraceElement[] getStackTrace() {
				throw new IllegalStateException("no stack trace");
			}

		}), NO_THREAD(null), DEAD_THREAD(null);

		private final @Nullable Supplier<Throwable> failure;

		Failure(@Nullable Supplier<Throwable> failure) {
			this.failure = failure;
		}

		boolean isOfThreadFactory() {
			return this.failure == null;
		}

		@SuppressWarnings("unchecked")
		<E extends Throwable> void occur() throws E {
			if (this.failure != null) {
				throw (E) this.failure.get();
			}
		}

	}

	/**
	 * Call that throws. Only calls on the threads of the handler count, apart from those
	 * of the thread factory.
	 */
	private static final class Fault {

		private final Hook hook;

		private final Failure failure;

		private final int number;

		private final AtomicInteger calls = new AtomicInteger();

		Fault(Hook hook, Failure failure, int number) {
			this.hook = hook;
			this.failure = failure;
			this.number = number;
		}

		void call(Hook called) {
			if (called == this.hook && Thread.currentThread().getName().startsWith("informer-pods-handler")
					&& this.calls.incrementAndGet() == this.number) {
				this.failure.<RuntimeException>occur();
			}
		}

		/**
		 * Create a thread, or fail.
		 */
		@Nullable Thread thread(Runnable task) {
			if (this.hook != Hook.THREAD_FACTORY || this.calls.incrementAndGet() != this.number) {
				return new Thread(task);
			}
			this.failure.<RuntimeException>occur();
			if (this.failure == Failure.NO_THREAD) {
				return null;
			}
			Thread thread = new Thread(() -> {
			});
			thread.start();
			await().until(() -> !thread.isAlive());
			return thread;
		}

		boolean hasOccurred() {
			return this.calls.get() >= this.number;
		}

		@Override
		public String toString() {
			return this.failure + " of call " + this.number + " of " + this.hook;
		}

	}

	private record Threads(Fault fault) implements ThreadFactory {

		@Override
		public @Nullable Thread newThread(Runnable task) {
			return this.fault.thread(task);
		}

	}

	/**
	 * Object whose methods are code of the user.
	 */
	private static final class Traced extends V1Pod {

		private final Fault fault;

		private final V1ObjectMeta known;

		Traced(V1Pod pod, Fault fault) {
			this.fault = fault;
			this.known = pod.getMetadata();
			setMetadata(this.known);
			setSpec(pod.getSpec());
		}

		boolean isNode(String prefix) {
			return String.valueOf(this.known.getName()).startsWith(prefix);
		}

		@Override
		public V1ObjectMeta getMetadata() {
			this.fault.call(Hook.METADATA);
			return super.getMetadata();
		}

		@Override
		public boolean equals(Object other) {
			this.fault.call(Hook.EQUALS);
			return super.equals(other);
		}

		@Override
		public int hashCode() {
			return super.hashCode();
		}

	}

	/**
	 * Model of what a handler has to receive. Thread-safe.
	 */
	private static final class Deliveries {

		private final Map<String, V1ObjectMeta> states = new TreeMap<>();

		private final Set<String> added = ConcurrentHashMap.newKeySet();

		private final Set<String> deleted = ConcurrentHashMap.newKeySet();

		private final Set<String> seen = ConcurrentHashMap.newKeySet();

		private final List<String> problems = new ArrayList<>();

		/**
		 * Return whether an event of this type and version has not been seen before.
		 */
		boolean isFirst(ResourceEvent<V1Pod> event) {
			return this.seen.add(event.type() + " " + ((Traced) event.object()).known.getResourceVersion());
		}

		synchronized void add(ResourceEvent<V1Pod> event) {
			V1ObjectMeta object = ((Traced) event.object()).known;
			V1Pod previous = event.previous();
			String key = object.getNamespace() + "/" + object.getName();
			String uid = String.valueOf(object.getUid());
			V1ObjectMeta before = this.states.get(key);
			check(((previous != null) ? ((Traced) previous).known : null) == before,
					event.type() + " of " + key + " does not follow from the last delivered state");
			switch (event.type()) {
				case ADDED -> check(this.added.add(uid), uid + " is added twice");
				case UPDATED -> check(before != null && uid.equals(before.getUid()), "update across two UIDs");
				case DELETED -> check(this.deleted.add(uid) && this.added.contains(uid), uid + " is deleted twice");
			}
			if (event.type() == ResourceEvent.Type.DELETED) {
				this.states.remove(key);
			}
			else {
				this.states.put(key, object);
			}
		}

		private void check(boolean condition, String problem) {
			if (!condition) {
				this.problems.add(problem);
			}
		}

		synchronized Map<String, String> states() {
			Map<String, String> versions = new TreeMap<>();
			this.states.forEach((key, metadata) -> versions.put(key, metadata.getResourceVersion()));
			return versions;
		}

		synchronized List<String> problems() {
			return List.copyOf(this.problems);
		}

	}

	private static final class ThrowingFilter extends TurboFilter {

		private final Fault fault;

		ThrowingFilter(Fault fault) {
			this.fault = fault;
		}

		@Override
		public FilterReply decide(Marker marker, Logger logger, Level level, String format, Object[] params,
				Throwable cause) {
			this.fault.call(Hook.LOG_FILTER);
			return FilterReply.NEUTRAL;
		}

	}

	private static final class ThrowingAppender extends AppenderBase<ILoggingEvent> {

		private final Fault fault;

		ThrowingAppender(Fault fault) {
			this.fault = fault;
		}

		@Override
		public synchronized void doAppend(ILoggingEvent event) {
			this.fault.call(Hook.APPENDER);
		}

		@Override
		protected void append(ILoggingEvent event) {
		}

	}

}

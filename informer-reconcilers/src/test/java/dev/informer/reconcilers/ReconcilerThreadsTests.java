/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the threads and the clock of {@link Reconcilers}, which are those of the
 * factory.
 */
@Timeout(60)
class ReconcilerThreadsTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeTime time = FakeTime.manual();

	private final AtomicInteger created = new AtomicInteger();

	private volatile IntPredicate refused = (number) -> false;

	private final InformerFactory factory = InformerFactory.create(
			() -> new ClientBuilder().setBasePath(this.kubernetes.url()).build(),
			(settings) -> settings.threadFactory(this::newThread).time(this.time));

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"),
			(call) -> {
				MDC.put("trace", "of " + call.primary().getMetadata().getName());
				try {
					call.proceed();
				}
				catch (Exception ex) {
					this.failures.add(ex);
					throw ex;
				}
				finally {
					MDC.remove("trace");
				}
			});

	private final List<Exception> failures = new CopyOnWriteArrayList<>();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private Thread newThread(Runnable task) {
		if (this.refused.test(this.created.incrementAndGet())) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		Thread thread = new OwnThread(task);
		thread.setDaemon(true);
		return thread;
	}

	@BeforeEach
	void createNamespace() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void threads_areThoseOfTheFactory_andStartWhenTheyAreNeeded() throws Exception {
		List<Thread> threads = new CopyOnWriteArrayList<>();
		add((options) -> options.concurrency(50), (name) -> threads.add(Thread.currentThread()));
		create("a");
		this.reconcilers.start();
		await().until(() -> threads.size() == 1);
		assertThat(threads.get(0)).isInstanceOf(OwnThread.class);
		assertThat(threads.get(0).getName()).isEqualTo("informer-configmaps-1");
		assertThat(this.created).hasValueLessThan(10);
	}

	@Test
	void callThatIgnoresItsInterrupt_countsAfterAStopAndAStart() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		ReconcilerRegistration registration = add((options) -> options.concurrency(1), (name) -> {
			this.calls.add(name);
			while (name.equals("stuck") && end.getCount() > 0) {
				Thread.onSpinWait();
			}
		});
		this.reconcilers.start();
		create("stuck");
		await().until(() -> this.calls.contains("stuck"));
		assertThat(this.reconcilers.stop(Duration.ZERO)).isFalse();
		this.reconcilers.start();
		create("a");
		await().until(() -> registration.counts().pending() == 1);
		assertThat(registration.calls()).hasSize(1);
		assertThat(registration.diagnose()).extracting(Cause::reason).contains(Reason.BUSY);
		assertThat(this.calls).containsExactly("stuck");
		end.countDown();
		await().until(() -> this.calls.contains("a"));
	}

	@Test
	void threadThatCannotBeStarted_isReportedAndRetried() throws Exception {
		this.configMaps.start();
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		ReconcilerRegistration one = add((options) -> options.name("one"), this.calls::add);
		ReconcilerRegistration two = add((options) -> options.name("two"), this.calls::add);
		await().until(() -> one.hasSynced() && two.hasSynced());
		int timeouts = this.created.get() + 1;
		this.refused = (number) -> number > timeouts;
		this.reconcilers.start();
		assertThat(this.log.text()).contains("Reconciler 'one' could not start a thread; retrying in 1000 ms")
			.contains("Reconciler 'two' could not start a thread; retrying in 1000 ms");
		assertThat(one.diagnose()).extracting(Cause::reason).containsExactly(Reason.NO_THREAD);
		this.refused = (number) -> false;
		this.time.advance(Duration.ofSeconds(1));
		await().until(() -> one.diagnose().isEmpty() && two.diagnose().isEmpty());
		create("a");
		await().until(() -> this.calls.size() == 2);
	}

	@Test
	void informerThatCannotBeStarted_stopsNoReconciler() throws Exception {
		SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);
		this.configMaps.start();
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		add((options) -> options.name("one").owns(secrets), this.calls::add);
		ReconcilerRegistration two = add((options) -> options.name("two"), this.calls::add);
		await().until(two::hasSynced);
		int timeouts = this.created.get() + 1;
		this.refused = (number) -> number == timeouts + 2;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.reconcilers::start);
		create("a");
		await().until(() -> this.calls.size() == 1);
		this.reconcilers.start();
		await().until(() -> this.calls.size() == 2);
	}

	@Test
	void additionThatFails_leavesNothingBehind() throws Exception {
		this.reconcilers.start();
		this.refused = (number) -> true;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> add((options) -> {
		}, this.calls::add));
		assertThat(this.reconcilers.registrations()).isEmpty();
		assertThat(this.configMaps.handlers()).isEmpty();
		this.refused = (number) -> false;
		add((options) -> {
		}, this.calls::add);
		create("a");
		await().until(() -> this.calls.size() == 1);
	}

	@Test
	void lineOfAFailure_hasTheContextOfTheCall() throws Exception {
		add((options) -> {
		}, (name) -> {
			throw new IllegalStateException("for the test");
		});
		this.reconcilers.start();
		create("a");
		await().until(() -> this.log.text().contains("failed on shop/a"));
		assertThat(this.log.contexts("failed on shop/a")).singleElement()
			.satisfies((context) -> assertThat(context).containsEntry("trace", "of a")
				.containsEntry("reconciler", "configmaps")
				.containsEntry("namespace", "shop")
				.containsEntry("name", "a"));
	}

	@Test
	void timesOfCalls_areThoseOfTheClock() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		RetryPolicy hour = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofHours(1), 1, Duration.ofHours(1),
				Duration.ZERO);
		ReconcilerRegistration registration = add((options) -> options.timeout(Duration.ofHours(2)).retry(hour),
				(name) -> {
					this.calls.add(name);
					if (this.calls.size() == 1) {
						try {
							new CountDownLatch(1).await();
						}
						finally {
							interrupted.countDown();
						}
					}
				});
		this.reconcilers.start();
		create("a");
		await().until(() -> this.calls.size() == 1);
		this.time.advance(Duration.ofMinutes(119));
		assertThat(registration.calls()).extracting(ReconcilerRegistration.Running::duration)
			.containsExactly(Duration.ofMinutes(119));
		this.time.advance(Duration.ofMinutes(1));
		interrupted.await();
		await().until(() -> registration.counts().retrying() == 1);
		assertThat(this.calls).hasSize(1);
		this.time.advance(Duration.ofHours(1));
		await().until(() -> this.calls.size() == 2);
	}

	@Test
	void callThatReturnsAfterItsTimeout_hasFailed() throws Exception {
		RetryPolicy hour = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofHours(1), 1, Duration.ofHours(1),
				Duration.ZERO);
		ReconcilerRegistration registration = add((options) -> options.timeout(Duration.ofMinutes(1)).retry(hour),
				(name) -> {
					this.calls.add(name);
					try {
						new CountDownLatch(1).await();
					}
					catch (InterruptedException ex) {
						// the method ends too late, and without an exception
					}
				});
		this.reconcilers.start();
		create("a");
		await().until(() -> this.calls.size() == 1);
		this.time.advance(Duration.ofMinutes(1));
		await().until(() -> registration.counts().retrying() == 1);
		assertThat(registration.failing()).extracting(ReconcilerRegistration.Failing::error)
			.containsExactly(TimeoutException.class.getName());
		assertThat(this.failures).hasOnlyElementsOfType(TimeoutException.class).hasSize(1);
		assertThat(this.log.contexts("failed on shop/a")).singleElement()
			.satisfies((context) -> assertThat(context).containsEntry("trace", "of a"));
	}

	@Test
	void callThatEndsWithAConflictAfterItsTimeout_hasFailed() throws Exception {
		ReconcilerRegistration registration = add((options) -> options.timeout(Duration.ofMinutes(1)), (name) -> {
			this.calls.add(name);
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw new ObjectWriteException(409, "for the test");
			}
		});
		this.reconcilers.start();
		create("a");
		await().until(() -> this.calls.size() == 1);
		this.time.advance(Duration.ofMinutes(1));
		await().until(() -> registration.counts().active() == 0);
		assertThat(registration.failing()).extracting(ReconcilerRegistration.Failing::error)
			.containsExactly(TimeoutException.class.getName());
		assertThat(this.failures).singleElement()
			.satisfies((failure) -> assertThat(failure)
				.hasSuppressedException(new ObjectWriteException(409, "for the test")));
	}

	private ReconcilerRegistration add(Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options, Body body) {
		return this.reconcilers.add(this.configMaps, (primary, context) -> {
			body.call(String.valueOf(primary.getMetadata().getName()));
			return null;
		}, options);
	}

	private void create(String name) {
		this.kubernetes.create(TestObjects.configMap("shop", name));
	}

	/**
	 * Body of a reconciler.
	 */
	private interface Body {

		void call(String name) throws Exception;

	}

	/**
	 * Thread of the factory.
	 */
	private static final class OwnThread extends Thread {

		OwnThread(Runnable task) {
			super(task);
		}

	}

}

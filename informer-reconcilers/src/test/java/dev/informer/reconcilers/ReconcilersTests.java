/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectSelector;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.CapturedLog;
import dev.informer.writer.LateWatches;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Reconcilers}.
 */
@Timeout(60)
class ReconcilersTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final RetryPolicy SOON = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(5), 1,
			Duration.ofMillis(5), Duration.ZERO);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final LateWatches watches = new LateWatches(0);

	private final InformerFactory factory = InformerFactory
		.create(this.watches.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()));

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class,
			(options) -> options.namespaces("shop").fieldSelector("metadata.name!=ignored"));

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class,
			(options) -> options.labelSelector("hidden!=true"));

	private final List<ReconcileCall.Outcome> outcomes = Collections.synchronizedList(new ArrayList<>());

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer, (call) -> {
		try {
			call.proceed();
			this.outcomes.add(ReconcileCall.Outcome.SUCCESS);
		}
		catch (Exception ex) {
			this.outcomes.add(call.reconciler().options().outcome(ex));
			throw ex;
		}
	});

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	@BeforeEach
	void createNamespace() {
		this.log.setLevel(Level.WARN);
		this.kubernetes
			.create(new V1Namespace().apiVersion("v1").kind("Namespace").metadata(new V1ObjectMeta().name("shop")));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void callThatBeginsBeforeTheInformerReportsItsSync_isNotLost() throws Exception {
		create(configMap("a", "1"));
		CountDownLatch called = new CountDownLatch(1);
		add((primary, context) -> {
			this.calls.add(String.valueOf(primary.getMetadata().getName()));
			called.countDown();
			return null;
		});
		// the informer logs its sync after that of its handlers, and before its own
		Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);
		AppenderBase<ILoggingEvent> slow = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				if (event.getFormattedMessage().startsWith("Informer 'configmaps' synced")) {
					// a thread that was started late takes the events now
					ReconcilersTests.this.configMaps.handlers().forEach(HandlerRegistration::resume);
					try {
						called.await(1, TimeUnit.SECONDS);
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				}
			}

		};
		slow.start();
		logger.addAppender(slow);
		logger.setLevel(Level.INFO);
		try {
			this.reconcilers.start();
			await().until(() -> this.calls.contains("a"));
		}
		finally {
			logger.detachAppender(slow);
			logger.setLevel(null);
		}
	}

	@Test
	void reconciler_isCalledWithCopiesOfExistingAndLaterStates() throws Exception {
		create(configMap("a", "1"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + primary.getData().get("key") + context.triggers());
			primary.getData().put("key", "modified");
			return null;
		});
		this.reconcilers.start();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		create(configMap("b", "1"));
		await().until(() -> this.calls.size() == 2);
		change("a", "2");
		await().until(() -> this.calls.size() == 3);
		assertThat(this.calls).containsExactly("a1[INITIAL_LIST]", "b1[PRIMARY]", "a2[PRIMARY]");
		assertThat(this.configMaps.lister().get("shop", "a").orElseThrow().getData()).containsEntry("key", "2");
	}

	@Test
	void deletedObject_isNotReconciled() throws Exception {
		create(configMap("a", "1"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return Duration.ofMillis(200);
		});
		this.reconcilers.start();
		await().until(() -> this.calls.size() > 1);
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> registration.diagnose("shop", "a")
			.causes()
			.stream()
			.map(Cause::reason)
			.toList()
			.containsAll(List.of(Reason.NOT_IN_CACHE, Reason.UP_TO_DATE)));
		assertThat(registration.counts().scheduled()).isZero();
		assertThat(registration.request("shop", "a")).isFalse();
	}

	@Test
	void secondObject_isNeverCreated_whileWatchIsLate() throws Exception {
		this.watches.maxMillis(300);
		add((primary, context) -> {
			if (context.owned(V1Secret.class).list().isEmpty()) {
				this.writer.create(child(), primary);
				throw new IllegalStateException("fails after each write, so that it is called again at once");
			}
			return null;
		}, (options) -> options.owns(this.secrets).retry(SOON).minInterval(Duration.ZERO));
		this.reconcilers.start();
		for (int i = 0; i < 10; i++) {
			create(configMap("a" + i, "1"));
			change("a" + i, "2");
		}
		await().until(() -> this.secrets.hasSynced() && this.secrets.lister().size() >= 10);
		awaitIdle();
		assertThat(this.kubernetes.list("secrets", "shop").size()).isEqualTo(10);
		assertThat(this.outcomes).contains(ReconcileCall.Outcome.FAILURE, ReconcileCall.Outcome.SUCCESS);
	}

	/** Shows that the test above can fail. */
	@Test
	void secondObject_isCreated_withoutHold() throws Exception {
		this.watches.maxMillis(300);
		add((primary, context) -> {
			if (context.owned(V1Secret.class).list().isEmpty()) {
				// the writes of another thread are not known
				CompletableFuture.runAsync(() -> createChild(primary)).get();
				throw new IllegalStateException("fails after each write, so that it is called again at once");
			}
			return null;
		}, (options) -> options.owns(this.secrets).retry(SOON).minInterval(Duration.ZERO));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> this.kubernetes.list("secrets", "shop").size() > 1);
	}

	@Test
	void deletedObject_isGoneInNextCall() throws Exception {
		this.watches.maxMillis(300);
		List<Integer> children = Collections.synchronizedList(new ArrayList<>());
		ReconcilerRegistration registration = add((primary, context) -> {
			List<V1Secret> owned = context.owned(V1Secret.class).list();
			children.add(owned.size());
			if (!owned.isEmpty()) {
				this.writer.delete(owned.get(0));
				throw new RetryLaterException("called again at once", Duration.ZERO);
			}
			return null;
		}, (options) -> options.owns(this.secrets).minInterval(Duration.ZERO).paused(true));
		this.reconcilers.start();
		V1ConfigMap owner = this.writer.create(configMap("a", "1"));
		V1Secret child = this.writer.create(child(), owner);
		assertThat(this.secrets.awaitAtLeast(child, LONG)).isTrue();
		registration.resume();
		await().until(() -> children.contains(0));
		awaitIdle();
		assertThat(children).startsWith(1, 0).filteredOn((size) -> size > 0).hasSize(1);
	}

	@Test
	void writeOutsideOfTheSelector_isReported_andHoldsNothing() throws Exception {
		AtomicInteger successes = new AtomicInteger();
		ReconcilerRegistration registration = add((primary, context) -> {
			if (successes.getAndIncrement() == 0) {
				V1Secret hidden = child();
				hidden.getMetadata().putLabelsItem("hidden", "true");
				this.writer.create(hidden, primary);
			}
			return null;
		}, (options) -> options.owns(this.secrets));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> successes.get() == 1 && registration.counts().active() == 0);
		assertThat(this.log.text()).containsOnlyOnce("which informer 'secrets' does not select");
		this.kubernetes.clearRequests();
		change("a", "2");
		await().atMost(Duration.ofSeconds(4)).until(() -> successes.get() == 2);
		assertThat(this.kubernetes.requests(Verb.LIST, "secrets")).isEmpty();
		awaitIdle();
	}

	@Test
	void createWithoutAnAnswer_isNotRepeated() throws Exception {
		AtomicBoolean lost = new AtomicBoolean();
		InformerFactory breaking = InformerFactory
			.create(new BrokenAnswers(lost).applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()));
		ObjectWriter other = ObjectWriter.of(breaking, "tests");
		this.watches.maxMillis(300);
		try (breaking; Reconcilers others = Reconcilers.of(breaking, other)) {
			SharedIndexInformer<V1ConfigMap> primaries = breaking.informer(V1ConfigMap.class);
			SharedIndexInformer<V1Secret> children = breaking.informer(V1Secret.class);
			ReconcilerRegistration registration = others.add(primaries, (primary, context) -> {
				this.calls.add(context.owned(V1Secret.class).list().size() + "");
				if (context.owned(V1Secret.class).list().isEmpty() && primary.getMetadata().getName().equals("a")) {
					lost.set(true);
					other.create(child(), primary);
				}
				return null;
			}, (options) -> options.owns(children).retry(SOON).minInterval(Duration.ZERO));
			others.start();
			create(configMap("a", "1"));
			await().until(() -> this.calls.contains("1"));
			assertThat(registration.awaitIdle(LONG)).isTrue();
			assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
		}
	}

	@Test
	void indexFunctionThatThrows_isNoValue() throws Exception {
		this.configMaps.addIndex("broken", (primary) -> {
			throw new IllegalStateException("for the test");
		});
		add((primary, context) -> {
			this.calls.add("watched " + context.watched(V1Secret.class).list().size());
			return null;
		}, (options) -> options.watches(this.secrets, "broken"));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> !this.calls.isEmpty());
		awaitIdle();
		assertThat(this.calls).containsOnly("watched 0");
	}

	@Test
	void failingObjects_areNamedWithTheClassOfTheirError() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			if ("invalid".equals(primary.getData().get("key"))) {
				throw new IllegalArgumentException("secret");
			}
			throw new IllegalStateException("secret");
		}, (options) -> options.notRetryable(List.of(IllegalArgumentException.class))
			.retry(new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMinutes(1), 1, Duration.ofMinutes(1),
					Duration.ZERO)));
		this.reconcilers.start();
		create(configMap("a", "1"));
		create(configMap("b", "invalid"));
		await().until(() -> registration.failing().size() == 2);
		assertThat(registration.failing())
			.extracting(ReconcilerRegistration.Failing::key, ReconcilerRegistration.Failing::failures,
					ReconcilerRegistration.Failing::error, ReconcilerRegistration.Failing::repeated)
			.containsExactly(tuple("shop/b", 1, IllegalArgumentException.class.getName(), false),
					tuple("shop/a", 1, IllegalStateException.class.getName(), true));
		assertThat(reasons(registration, "b")).containsExactly(Reason.FAILED);
		assertThat(reasons(registration, "a")).containsExactly(Reason.RETRYING);
		assertThat(reasons(registration, "missing")).containsExactly(Reason.NOT_IN_CACHE);
		assertThat(registration.diagnose("shop", "a").causes().get(0).message()).contains("IllegalStateException")
			.doesNotContain("secret");
	}

	@Test
	void cleanup_isCalledBeforeTheObjectIsGone() throws Exception {
		AtomicInteger cleanups = new AtomicInteger();
		add((primary, context) -> {
			this.calls.add("reconcile " + primary.getMetadata().getFinalizers());
			return null;
		}, (options) -> options.cleanup("example.com/test", (primary, context) -> {
			this.calls.add("cleanup");
			return (cleanups.incrementAndGet() < 3) ? Duration.ofMillis(1) : null;
		}));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 1);
		awaitIdle();
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		awaitIdle();
		assertThat(this.calls).containsExactly("reconcile [example.com/test]", "cleanup", "cleanup", "cleanup");
	}

	@Test
	void cleanup_isNotRepeated_whenItsObjectIsGone() throws Exception {
		this.watches.maxMillis(300);
		AtomicInteger cleanups = new AtomicInteger();
		add((primary, context) -> null,
				(options) -> options.minInterval(Duration.ZERO).cleanup("example.com/test", (primary, context) -> {
					cleanups.incrementAndGet();
					// a reason for another call, which begins when the cache has lost the
					// object
					assertThat(this.reconcilers.find("configmaps").orElseThrow().request("shop", "a")).isTrue();
					return null;
				}));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a")
			.filter((object) -> object.at("/metadata/finalizers").size() == 1)
			.isPresent());
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> this.configMaps.lister().size() == 0);
		awaitIdle();
		assertThat(cleanups).hasValue(1);
	}

	@Test
	void call_waitsForAllInformers() throws Exception {
		create(configMap("a", "1"));
		this.kubernetes.faults().always(Verb.LIST, "secrets", Fault.status(500));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add("called");
			return null;
		}, (options) -> options.owns(this.secrets));
		this.reconcilers.start();
		await().until(() -> registration.counts().pending() == 1
				&& !this.kubernetes.requests(Verb.LIST, "secrets").isEmpty());
		assertThat(reasons(registration, "a")).contains(Reason.NOT_SYNCED);
		assertThat(this.calls).isEmpty();
		this.kubernetes.faults().clear();
		await().until(() -> this.calls.size() == 1);
		awaitIdle();
	}

	@Test
	void retryAfter_delaysTheRetry() throws Exception {
		AtomicBoolean busy = new AtomicBoolean(true);
		ReconcilerRegistration registration = add((primary, context) -> {
			if (busy.getAndSet(false)) {
				this.kubernetes.faults().next(1, Verb.CREATE, "secrets", Fault.tooManyRequests(Duration.ofMinutes(4)));
				this.writer.create(child(), primary);
			}
			return null;
		}, (options) -> options.retry(SOON));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().retrying() == 1);
		assertThat(registration.diagnose("shop", "a").nextCall()).isAfter(Instant.now().plus(Duration.ofMinutes(3)));
	}

	@Test
	void handlerOfTheSameName_refusesTheReconciler_withoutAnEffect() throws Exception {
		HandlerRegistration other = this.secrets.addHandler((event) -> {
		}, (options) -> options.name("reconciler-configmaps"));
		TestGate gate = new TestGate();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> add((primary, context) -> null, (options) -> options.owns(this.secrets).gate(gate)));
		assertThat(gate.followers).isEmpty();
		assertThat(this.configMaps.handlers()).isEmpty();
		other.remove();
		add((primary, context) -> null, (options) -> options.owns(this.secrets).gate(gate));
		assertThat(this.configMaps.handlers()).hasSize(1);
	}

	@Test
	void reconcilerWithoutObjects_isIdleWhenSynced() throws Exception {
		FutureTask<Boolean> idle = idle(add((primary, context) -> null));
		this.reconcilers.start();
		assertThat(idle.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void reconcilerWhoseObjectIsDeleted_isIdle() throws Exception {
		create(configMap("a", "1"));
		ReconcilerRegistration registration = add((primary, context) -> null, (options) -> options.paused(true));
		this.reconcilers.start();
		await().until(() -> registration.counts().pending() == 1);
		FutureTask<Boolean> idle = idle(registration);
		this.kubernetes.delete("configmaps", "shop", "a");
		assertThat(idle.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void reconcilerThatWrites_isIdleWhenCachesHaveIt() throws Exception {
		this.secrets.start();
		assertThat(this.secrets.awaitSynced(LONG)).isTrue();
		create(configMap("a", "1"));
		FutureTask<Boolean> idle = idle(add((primary, context) -> {
			if (context.owned(V1Secret.class).list().isEmpty()) {
				this.writer.create(child(), primary);
			}
			return null;
		}, (options) -> options.owns(this.secrets)));
		this.reconcilers.start();
		assertThat(idle.get(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.secrets.lister().size()).isOne();
	}

	@Test
	void objectThatIsBeingDeleted_getsNoFinalizerAndNoCall() throws Exception {
		V1ConfigMap foreign = configMap("a", "1");
		foreign.getMetadata().addFinalizersItem("example.com/other");
		create(foreign);
		this.kubernetes.delete("configmaps", "shop", "a");
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add("reconcile");
			return null;
		}, (options) -> options.cleanup("example.com/test", (primary, context) -> {
			this.calls.add("cleanup");
			return null;
		}));
		this.reconcilers.start();
		awaitIdle();
		change("a", "2");
		await().until(() -> "2".equals(this.configMaps.lister().get("shop", "a").orElseThrow().getData().get("key")));
		awaitIdle();
		assertThat(this.calls).isEmpty();
		assertThat(this.kubernetes.get("configmaps", "shop", "a").orElseThrow().at("/metadata/finalizers"))
			.hasToString("[\"example.com/other\"]");
		assertThat(reasons(registration, "a")).contains(Reason.BEING_DELETED);
	}

	@Test
	void delay_isFollowedByACall() throws Exception {
		AtomicInteger delays = new AtomicInteger();
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(context.triggers().toString());
			return (delays.incrementAndGet() < 3) ? Duration.ofMillis(10) : Duration.ofHours(1);
		});
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 3);
		awaitIdle();
		assertThat(this.calls).containsExactly("[PRIMARY]", "[DELAY]", "[DELAY]");
		assertThat(registration.counts().scheduled()).isOne();
		ReconcilerDiagnosis diagnosis = registration.diagnose("shop", "a");
		assertThat(diagnosis.causes()).extracting(Cause::reason).containsExactly(Reason.SCHEDULED);
		assertThat(diagnosis.nextCall()).isNotNull();
	}

	@Test
	void failure_isRetriedWithItsTriggers() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(context.attempt() + context.triggers().toString());
			if (context.attempt() < 3) {
				throw new IllegalStateException("not yet");
			}
			return null;
		}, (options) -> options.retry(SOON).minInterval(Duration.ZERO));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 3);
		awaitIdle();
		assertThat(this.calls).containsExactly("1[PRIMARY]", "2[PRIMARY]", "3[PRIMARY]");
		change("a", "2");
		await().until(() -> this.calls.size() == 6);
		assertThat(this.calls).endsWith("1[PRIMARY]", "2[PRIMARY]", "3[PRIMARY]");
		awaitIdle();
		assertThat(registration.counts().retrying()).isZero();
	}

	@Test
	void notRetryableFailure_waitsForAChange() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getData().get("key"));
			throw new UnsupportedOperationException();
		}, (options) -> options.retry(SOON).notRetryable(List.of(UnsupportedOperationException.class)));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().failed() == 1);
		awaitIdle();
		change("a", "2");
		await().until(() -> this.calls.size() == 2);
		awaitIdle();
		assertThat(this.calls).containsExactly("1", "2");
	}

	@Test
	void conflict_isAnOutcomeOfItsOwn() throws Exception {
		AtomicBoolean conflict = new AtomicBoolean(true);
		add((primary, context) -> {
			if (conflict.getAndSet(false)) {
				change("a", "2");
			}
			primary.getData().put("seen", primary.getData().get("key"));
			this.writer.update(primary);
			return null;
		}, (options) -> options.retry(SOON));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a")
			.orElseThrow()
			.at("/data/seen")
			.asString()
			.equals("2"));
		awaitIdle();
		assertThat(this.outcomes).startsWith(ReconcileCall.Outcome.CONFLICT)
			.doesNotContain(ReconcileCall.Outcome.FAILURE);
	}

	@Test
	void conflictThatIsACause_isOneAsWell() throws Exception {
		AtomicBoolean conflict = new AtomicBoolean(true);
		add((primary, context) -> {
			if (conflict.getAndSet(false)) {
				throw new IllegalStateException(new ObjectWriteException(409, "another version"));
			}
			return null;
		}, (options) -> options.retry(SOON).notRetryable(List.of(IllegalStateException.class)));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> this.outcomes.size() == 2);
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.CONFLICT, ReconcileCall.Outcome.SUCCESS);
	}

	@Test
	void conflictException_isAConflict_alsoAsASubclassOrACause() throws Exception {
		Queue<Exception> failures = new ConcurrentLinkedQueue<>(List.of(new UncheckedIOException(new IOException()),
				new IllegalStateException(new FileNotFoundException()), new IllegalStateException("another")));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(String.valueOf(context.attempt()));
			Exception failure = failures.poll();
			if (failure != null) {
				throw failure;
			}
			return null;
		}, (options) -> options.retry(SOON).conflictExceptions(List.of(IOException.class)));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> this.outcomes.size() == 4);
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.CONFLICT, ReconcileCall.Outcome.CONFLICT,
				ReconcileCall.Outcome.FAILURE, ReconcileCall.Outcome.SUCCESS);
		assertThat(this.calls).containsExactly("1", "1", "1", "2");
		assertThat(registration.failing()).isEmpty();
		assertThat(this.log.text()).containsOnlyOnce("Reconciler '").contains("failed on shop/a (attempt 1)");
	}

	@Test
	void conflictException_thatIsNoException_isRefused() {
		@SuppressWarnings("unchecked")
		Class<? extends Throwable> text = (Class<? extends Throwable>) (Class<?>) String.class;
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ReconcilerOptions.Builder<V1ConfigMap>("a").conflictExceptions(List.of(text)).build())
			.withMessageContaining(
					"Option 'conflict-exceptions' must have classes of exceptions, not java.lang.String");
	}

	@Test
	void retryLater_isNoFailure() throws Exception {
		add((primary, context) -> {
			this.calls.add("called");
			if (this.calls.size() == 1) {
				throw new RetryLaterException("not yet", Duration.ofMillis(1));
			}
			return null;
		});
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 2);
		awaitIdle();
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.LATER, ReconcileCall.Outcome.SUCCESS);
	}

	@Test
	void timeout_interruptsTheCall() throws Exception {
		add((primary, context) -> {
			this.calls.add("called");
			if (context.attempt() == 1) {
				new CountDownLatch(1).await();
			}
			return null;
		}, (options) -> options.timeout(Duration.ofMillis(50)).retry(SOON));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 2);
		awaitIdle();
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.FAILURE, ReconcileCall.Outcome.SUCCESS);
	}

	@Test
	void stop_interruptsCalls_andKeepsWhatIsPending() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(context.attempt() + primary.getMetadata().getName());
			if (this.calls.size() == 1) {
				begun.countDown();
				new CountDownLatch(1).await();
			}
			return null;
		}, (options) -> options.concurrency(1));
		startSynced();
		create(configMap("a", "1"));
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		create(configMap("b", "1"));
		await().until(() -> registration.counts().pending() == 1);
		assertThat(registration.calls()).singleElement()
			.satisfies((call) -> assertThat(call.key()).isEqualTo("shop/a"));
		assertThat(this.reconcilers.stop(Duration.ZERO)).isFalse();
		await().until(() -> registration.calls().isEmpty());
		assertThat(registration.counts())
			.satisfies((counts) -> assertThat(counts.pending() + counts.limited()).isEqualTo(2));
		assertThat(registration.diagnose()).extracting(Cause::reason).contains(Reason.STOPPED);
		this.reconcilers.start();
		awaitIdle();
		assertThat(this.calls).startsWith("1a").contains("1b").hasSize(3);
		assertThat(this.reconcilers.stop(LONG)).isTrue();
	}

	@Test
	void callThatStops_doesNotWaitForItself() throws Exception {
		List<Boolean> ended = Collections.synchronizedList(new ArrayList<>());
		ReconcilerRegistration registration = add((primary, context) -> {
			ended.add(this.reconcilers.stop(ChronoUnit.FOREVER.getDuration()));
			return null;
		});
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> !ended.isEmpty() && registration.calls().isEmpty());
		assertThat(ended).containsExactly(true);
	}

	@Test
	void awaitIdle_waitsForAllReconcilers_thatAreNotPaused() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		add((primary, context) -> {
			this.calls.add("one");
			end.await();
			return null;
		}, (options) -> options.name("one"));
		ReconcilerRegistration two = add((primary, context) -> {
			this.calls.add("two");
			return null;
		}, (options) -> options.name("two").paused(true));
		assertThat(this.reconcilers.find("two")).containsSame(two);
		assertThat(this.reconcilers.find("three")).isEmpty();
		create(configMap("a", "1"));
		this.reconcilers.start();
		await().until(() -> this.calls.contains("one"));
		assertThat(this.reconcilers.awaitIdle(Duration.ZERO)).isFalse();
		end.countDown();
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		two.resume();
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("one", "two");
	}

	@Test
	void gateThatThrows_isAskedAgain() throws Exception {
		TestGate gate = new TestGate();
		AtomicInteger failures = new AtomicInteger();
		gate.onBegin = () -> {
			if (failures.getAndIncrement() == 0) {
				gate.begun.decrementAndGet();
				throw new IllegalStateException("not yet");
			}
		};
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.gate(gate).minInterval(Duration.ZERO).concurrency(1));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().retrying() == 1);
		await().until(() -> this.calls.size() == 1);
		assertThat(failures).hasValue(2);
	}

	@Test
	void gate_holdsObjects_untilItOpens() throws Exception {
		TestGate gate = new TestGate();
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.gate(gate));
		gate.closed.addAll(Set.of("a", "c"));
		startSynced();
		create(configMap("a", "1"));
		create(configMap("b", "1"));
		create(configMap("c", "1"));
		await().until(() -> this.calls.size() == 1 && registration.counts().gated() == 2);
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		assertThat(reasons(registration, "a")).contains(Reason.GATE_CLOSED);
		this.kubernetes.delete("configmaps", "shop", "c");
		await().until(() -> registration.counts().gated() == 1);
		gate.closed.clear();
		gate.change();
		await().until(() -> this.calls.size() == 2);
		assertThat(this.calls).containsExactly("b", "a");
		assertThat(gate.begun).hasValue(0);
	}

	@Test
	void gateThatIsClosedForAll_gatesObjects_andIsNotWaitedFor() throws Exception {
		TestGate gate = new TestGate();
		gate.open = false;
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.gate(gate));
		create(configMap("a", "1"));
		this.reconcilers.start();
		await().until(() -> registration.counts().gated() == 1);
		assertThat(registration.counts().pending()).isZero();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		// after the list, the informers do not follow the server before they watch it
		await().until(() -> reasons(registration, "a").equals(List.of(Reason.GATE_CLOSED)));
		gate.open = true;
		gate.change();
		await().until(() -> this.calls.size() == 1);
	}

	@Test
	void stopOfTheInformers_reportsNoUndeliveredEvents() throws Exception {
		add((primary, context) -> null, (options) -> options.owns(this.secrets));
		startSynced();
		assertThat(this.factory.suspendHandlers(LONG)).isTrue();
		create(configMap("a", "1"));
		create(secret("shop", "s"));
		await().until(() -> this.configMaps.lister().size() == 1 && this.secrets.lister().size() == 1);
		this.factory.stop(Duration.ZERO);
		this.factory.close();
		assertThat(this.log.text()).doesNotContain("undelivered");
	}

	@Test
	void gateThatClosesWhileACallBegins_interruptsIt() throws Exception {
		AtomicBoolean interrupted = new AtomicBoolean();
		TestGate gate = new TestGate();
		gate.onBegin = () -> {
			gate.onBegin = () -> {
			};
			CompletableFuture.runAsync(gate::revoke).join();
		};
		add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			if (this.calls.size() == 1) {
				interrupted.set(Thread.interrupted());
				throw new InterruptedException();
			}
			return null;
		}, (options) -> options.gate(gate));
		create(configMap("a", "1"));
		startSynced();
		assertThat(interrupted).isTrue();
		assertThat(this.calls).containsExactly("a", "a");
		assertThat(gate.begun).hasValue(0);
	}

	@Test
	void callThatBeginsDuringTheClose_leavesTheGate() throws Exception {
		TestGate gate = new TestGate();
		CountDownLatch closed = new CountDownLatch(1);
		gate.onBegin = () -> {
			this.reconcilers.close();
			closed.countDown();
		};
		ReconcilerRegistration registration = add((primary, context) -> null,
				(options) -> options.gate(gate).timeout(LONG));
		create(configMap("a", "1"));
		this.reconcilers.start();
		assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		await().until(() -> registration.calls().isEmpty());
		assertThat(gate.begun).hasValue(0);
	}

	@Test
	void fencingToken_isThatOfTheBeginOfTheCall() throws Exception {
		TestGate gate = new TestGate();
		add((primary, context) -> {
			gate.token = 8;
			this.calls.add(primary.getMetadata().getName() + context.fencingToken().orElseThrow());
			return null;
		}, (options) -> options.gate(gate));
		create(configMap("a", "1"));
		startSynced();
		change("a", "2");
		await().until(() -> this.calls.size() == 2);
		assertThat(this.calls).containsExactly("a7", "a8");
	}

	@Test
	void gateOfTheInformer_isThatOfItsReconcilers() throws Exception {
		TestGate gate = new TestGate();
		SharedIndexInformer<V1ConfigMap> shard = this.factory.informer(V1ConfigMap.class,
				(options) -> options.name("shard").watchedSet(new GatedSet(gate)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.reconcilers.add(shard, (primary, context) -> null,
					(options) -> options.gate(new TestGate())))
			.withMessageContaining("Cannot add reconciler 'shard': the GatedSet of its informer has a gate");
		ReconcilerRegistration registration = this.reconcilers.add(shard, (primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.owns(shard));
		assertThat(registration.options().gate()).isSameAs(gate);
		gate.closed.add("a");
		create(configMap("a", "1"));
		create(configMap("b", "1"));
		startSynced();
		assertThat(this.calls).containsExactly("b");
		gate.closed.clear();
		gate.change();
		await().until(() -> this.calls.contains("a"));
	}

	@Test
	void ownedObject_triggersItsOwners_andWhoWasItsOwner() throws Exception {
		add((primary, context) -> {
			this.calls.add(
					primary.getMetadata().getName() + context.triggers() + context.owned(V1Secret.class).list().size());
			return null;
		}, (options) -> options.owns(this.secrets));
		startSynced();
		V1ConfigMap a = this.writer.create(configMap("a", "1"));
		V1ConfigMap b = this.writer.create(configMap("b", "1"));
		await().until(() -> this.calls.size() == 2);
		V1Secret child = this.writer.create(child(), a);
		await().until(() -> this.calls.contains("a[OWNED]1"));
		awaitIdle();
		this.calls.clear();
		V1OwnerReference reference = new V1OwnerReference().apiVersion("v1").kind("ConfigMap").name("b");
		this.writer.patch(child, (copy) -> copy.getMetadata()
			.setOwnerReferences(List.of(reference.uid(b.getMetadata().getUid()).controller(true))));
		await().until(() -> this.calls.containsAll(List.of("a[OWNED]0", "b[OWNED]1")));
		this.kubernetes.delete("secrets", "shop", child.getMetadata().getName());
		await().until(() -> this.calls.contains("b[OWNED]0"));
	}

	@Test
	void watchedObject_triggersThoseThatReferToIt_inAnyOrder() throws Exception {
		this.configMaps.addIndex("secret", (object) -> object.getData().get("secret"));
		add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + context.watched(V1Secret.class)
				.list()
				.stream()
				.map((secret) -> secret.getMetadata().getNamespace() + "/" + secret.getMetadata().getName())
				.toList());
			return null;
		}, (options) -> options.watchesAnyNamespace(this.secrets, "secret"));
		startSynced();
		create(configMap("a", "1", "secret", "s"));
		create(configMap("b", "1", "secret", "default/s"));
		create(configMap("c", "1"));
		await().until(() -> this.calls.size() == 3);
		awaitIdle();
		this.calls.clear();
		create(secret("shop", "s"));
		await().until(() -> this.calls.contains("a[shop/s]"));
		create(secret("default", "s"));
		await().until(() -> this.calls.contains("b[default/s]"));
		awaitIdle();
		assertThat(this.calls).containsExactly("a[shop/s]", "b[default/s]");
	}

	@Test
	void mappingFunction_triggersPrimaries_alsoAfterItHasFailed() throws Exception {
		AtomicBoolean fails = new AtomicBoolean(true);
		add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + context.triggers());
			return null;
		}, (options) -> options.watches(this.secrets, (secret) -> {
			if (fails.getAndSet(false)) {
				throw new IllegalStateException("not yet");
			}
			return List.of("shop/a", "shop/missing");
		}));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 1);
		create(secret("default", "s"));
		await().until(() -> this.calls.contains("a[WATCHED]"));
		awaitIdle();
		assertThat(this.calls).hasSize(2);
	}

	@Test
	void request_andRequestAll_callWithoutAChange() throws Exception {
		create(configMap("a", "1"));
		create(configMap("b", "1"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + context.triggers());
			return null;
		});
		this.reconcilers.start();
		awaitIdle();
		this.calls.clear();
		assertThat(registration.request("shop", "a")).isTrue();
		awaitIdle();
		assertThat(this.calls).containsExactly("a[REQUEST]");
		registration.requestAll();
		awaitIdle();
		assertThat(this.calls).containsExactlyInAnyOrder("a[REQUEST]", "a[REQUEST]", "b[REQUEST]");
	}

	@Test
	void pause_letsNoCallBegin() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.paused(true));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().pending() == 1);
		assertThat(registration.isPaused()).isTrue();
		assertThat(registration.diagnose()).extracting(Cause::message)
			.contains("The reconciler was paused by its options");
		registration.resume();
		await().until(() -> this.calls.size() == 1);
	}

	@Test
	void dependentsInNamespaceThatIsNotWatched_areAFailureAndNotEmpty() throws Exception {
		SharedIndexInformer<V1Secret> elsewhere = this.factory.informer(V1Secret.class,
				(options) -> options.name("elsewhere").namespaces("bank"));
		this.configMaps.addIndex("secret", (map) -> map.getData().get("secret"));
		create(configMap("a", "1", "secret", "s"));
		List<String> failures = Collections.synchronizedList(new ArrayList<>());
		add((primary, context) -> {
			for (ThrowingCallable read : List.<ThrowingCallable>of(() -> context.owned(V1Secret.class),
					() -> context.watched(V1Secret.class))) {
				failures.add(catchThrowable(read).getMessage());
			}
			return null;
		}, (options) -> options.owns(elsewhere).watches(elsewhere, "secret"));
		startSynced();
		assertThat(failures).hasSize(2)
			.allSatisfy((message) -> assertThat(message)
				.contains("Cannot read the namespace 'shop' from the cache of informer 'elsewhere'"));
	}

	@Test
	void dependentsInNamespaceThatJoins_areWaitedForWithoutAFailure() throws Exception {
		SharedIndexInformer<V1Secret> selected = this.factory.informer(V1Secret.class,
				(options) -> options.name("selected").namespaceSelector("team=shop"));
		this.kubernetes.mergePatch("namespaces", null, "shop",
				Map.of("metadata", Map.of("labels", Map.of("team", "shop"))));
		this.kubernetes.faults().always(Verb.LIST, "secrets", Fault.status(403));
		create(configMap("a", "1"));
		add((primary, context) -> {
			this.calls.add("secrets: " + context.owned(V1Secret.class).list().size());
			return null;
		}, (options) -> options.owns(selected).retry(SOON));
		this.reconcilers.start();
		await().until(() -> this.outcomes.size() > 1);
		this.kubernetes.faults().clear();
		await().until(() -> !this.calls.isEmpty());
		assertThat(this.calls).containsOnly("secrets: 0");
		assertThat(this.outcomes).contains(ReconcileCall.Outcome.LATER).doesNotContain(ReconcileCall.Outcome.FAILURE);
	}

	@Test
	void invalidOptions_areRefused() {
		add((primary, context) -> null);
		assertThatIllegalArgumentException().isThrownBy(() -> add((primary, context) -> null))
			.withMessageContaining("Cannot add reconciler 'configmaps': there is another one of this name");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> add((primary, context) -> null,
					(options) -> options.name("other").watches(this.secrets, "missing")))
			.withMessageContaining("Informer 'configmaps' has no index 'missing'");
		try (InformerFactory other = InformerFactory
			.create(new ClientBuilder().setBasePath("http://localhost:1").build())) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> add((primary, context) -> null,
						(options) -> options.name("other").owns(other.informer(V1Secret.class))))
				.withMessageContaining("informer 'secrets' does not belong to the factory");
		}
		this.reconcilers.close();
		assertThatIllegalStateException().isThrownBy(() -> add((primary, context) -> null));
	}

	private ReconcilerRegistration add(Reconciler<V1ConfigMap> reconciler) {
		return add(reconciler, (options) -> {
		});
	}

	private ReconcilerRegistration add(Reconciler<V1ConfigMap> reconciler,
			Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options) {
		return this.reconcilers.add(this.configMaps, reconciler, options);
	}

	private static FutureTask<Boolean> idle(ReconcilerRegistration registration) {
		FutureTask<Boolean> idle = new FutureTask<>(() -> registration.awaitIdle(ChronoUnit.FOREVER.getDuration()));
		Thread thread = new Thread(idle, "idle");
		thread.setDaemon(true);
		thread.start();
		// it waits for a condition of the reconciler, or for a handler
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		return idle;
	}

	private void startSynced() throws InterruptedException {
		this.reconcilers.start();
		awaitIdle();
	}

	private void awaitIdle() throws InterruptedException {
		assertThat(this.reconcilers.registrations().get(0).awaitIdle(LONG)).isTrue();
	}

	private static List<Reason> reasons(ReconcilerRegistration registration, String name) {
		return registration.diagnose("shop", name).causes().stream().map(Cause::reason).toList();
	}

	private void create(Object object) {
		this.kubernetes.create(object);
	}

	private void change(String name, String value) {
		this.kubernetes.mergePatch("configmaps", "shop", name, Map.of("data", Map.of("key", value)));
	}

	private void createChild(V1ConfigMap owner) {
		try {
			this.writer.create(child(), owner);
		}
		catch (ObjectWriteException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static V1ConfigMap configMap(String name, String value, String... data) {
		Map<String, String> all = new HashMap<>(Map.of("key", value));
		for (int i = 0; i < data.length; i += 2) {
			all.put(data[i], data[i + 1]);
		}
		return new V1ConfigMap().apiVersion("v1")
			.kind("ConfigMap")
			.metadata(new V1ObjectMeta().namespace("shop").name(name))
			.data(all);
	}

	private static V1Secret child() {
		return new V1Secret().metadata(new V1ObjectMeta().namespace("shop").generateName("child-"));
	}

	private static V1Secret secret(String namespace, String name) {
		return new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace(namespace).name(name));
	}

	/**
	 * All objects, with a gate.
	 */
	private record GatedSet(InvocationGate gate) implements WatchedSet {

		@Override
		public ObjectSelector selector() {
			return (state) -> false;
		}

		@Override
		public void follow(Runnable changed) {
		}

		@Override
		public void unfollow(Runnable changed) {
		}

		@Override
		public String toString() {
			return "GatedSet";
		}

	}

	/**
	 * Gate that is closed for some names.
	 */
	private static final class TestGate implements InvocationGate {

		private final Set<String> closed = Collections.synchronizedSet(new HashSet<>());

		private final List<Follower> followers = new CopyOnWriteArrayList<>();

		private final AtomicInteger begun = new AtomicInteger();

		private volatile Runnable onBegin = () -> {
		};

		private volatile int token = 7;

		private volatile boolean open = true;

		@Override
		public boolean isOpen() {
			return this.open;
		}

		@Override
		public void follow(Follower follower) {
			this.followers.add(follower);
		}

		@Override
		public void unfollow(Follower follower) {
			this.followers.remove(follower);
		}

		@Override
		public Access access(Target target) {
			return this.closed.contains(target.name()) ? Access.CLOSED : Access.OPEN;
		}

		@Override
		public boolean begin(Target target) {
			this.begun.incrementAndGet();
			this.onBegin.run();
			return true;
		}

		@Override
		public void end(Target target) {
			this.begun.decrementAndGet();
		}

		@Override
		public OptionalInt fencingToken() {
			return OptionalInt.of(this.token);
		}

		@Override
		public @Nullable String closedReason(@Nullable Target target) {
			return (!this.open || (target != null && access(target) == Access.CLOSED)) ? "closed" : null;
		}

		private void change() {
			this.followers.forEach(Follower::changed);
		}

		private void revoke() {
			this.followers.forEach((follower) -> follower.revoked((target) -> true, "lost its gate"));
		}

	}

}

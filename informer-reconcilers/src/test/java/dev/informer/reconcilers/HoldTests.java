/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.InformerState.Phase;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what calls wait for: own writes, and caches that follow the server, in
 * virtual time.
 */
@Timeout(120)
class HoldTests {

	private static final String SUCCESS = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}";

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final Duration STEP = Duration.ofMillis(20);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final AlteredAnswers answers = new AlteredAnswers();

	private final FakeTime time = FakeTime.manual();

	private final InformerFactory factory = InformerFactory.create(
			() -> this.answers.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()),
			(settings) -> settings.time(this.time));

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer);

	/** Numbers of the secrets that the calls have seen, by name of the primary object. */
	private final Map<String, List<Integer>> seen = new ConcurrentHashMap<>();

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
	void deletionsThatDoNotHappen_endTheirHolds_byOneListForAllKeys() throws Exception {
		int keys = 200;
		this.answers.pretend("DELETE", "/secrets/", SUCCESS);
		add((options) -> options.owns(this.secrets), (primary, children) -> {
			if (children.isEmpty()) {
				this.writer.create(child(), primary);
			}
			else {
				this.writer.delete(children.get(0));
			}
		});
		this.reconcilers.start();
		for (int i = 0; i < keys; i++) {
			primary("a" + i);
		}
		awaitAdvancing(STEP,
				() -> this.seen.size() == keys && this.seen.values().stream().allMatch((calls) -> calls.size() > 1));
		this.kubernetes.clearRequests();
		awaitAdvancing(STEP, () -> this.seen.values().stream().allMatch((calls) -> calls.size() > 2));
		assertThat(this.seen.values()).allSatisfy((calls) -> assertThat(calls).startsWith(0, 1, 1));
		assertThat(this.kubernetes.requests(Verb.LIST, "secrets").size()).isBetween(1, 20);
		this.answers.restore();
	}

	@Test
	void createThatDoesNotHappen_isRepeated() throws Exception {
		V1ConfigMap owner = this.writer.create(primaryOf("a"));
		V1Secret pretended = this.writer.create(child(), owner);
		this.writer.delete(pretended);
		String answer = """
				{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"shop","name":"child-never","uid":"never",
				"resourceVersion":"%s"}}""".formatted(this.kubernetes.resourceVersion() + 100_000);
		this.answers.pretend("POST", "/secrets", answer);
		ReconcilerRegistration registration = add((options) -> options.owns(this.secrets), (primary, children) -> {
			if (children.isEmpty()) {
				this.writer.create(child(), primary);
			}
		});
		this.reconcilers.start();
		await().until(() -> calls("a").size() == 1 && registration.counts().active() == 0);
		this.answers.restore();
		awaitAdvancing(STEP, () -> calls("a").contains(1));
		awaitIdle(registration);
		assertThat(calls("a")).startsWith(0, 0, 1);
		assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
	}

	@Test
	void informerThatTheReconcilerDoesNotRead_holdsNothing() throws Exception {
		SharedIndexInformer<V1Secret> others = this.factory.informer(V1Secret.class,
				(options) -> options.name("others").labelSelector("app=other"));
		others.start();
		assertThat(others.awaitSynced(LONG)).isTrue();
		add((options) -> options.owns(this.secrets), (primary, children) -> {
			if (children.size() < 3) {
				this.writer.create(child(), primary);
			}
		});
		this.reconcilers.start();
		await().until(this.secrets::hasSynced);
		this.kubernetes.clearRequests();
		primary("a");
		// no faster than the watch, so that no hold ends by a list
		awaitAdvancing(Duration.ofMillis(1), () -> calls("a").contains(3));
		assertThat(this.kubernetes.requests(Verb.LIST, "secrets")).isEmpty();
		assertThat(this.log.text()).doesNotContain("does not select");
	}

	@Test
	void noCallBegins_whileAnInformerIsStopped() throws Exception {
		ReconcilerRegistration registration = add((options) -> options.owns(this.secrets).minInterval(Duration.ZERO),
				(primary, children) -> {
					if (children.isEmpty()) {
						this.writer.create(child(), primary);
					}
				});
		this.reconcilers.start();
		awaitIdle(registration);
		this.secrets.stop(Duration.ZERO);
		primary("a");
		for (int change = 0; change < 3; change++) {
			String value = "changed-" + change;
			this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("data", Map.of("key", value)));
			await().until(() -> this.configMaps.lister()
				.get("shop", "a")
				.filter((cached) -> cached.getData() != null && value.equals(cached.getData().get("key")))
				.isPresent());
		}
		assertThat(reasons(registration, "a")).contains(Reason.STALE);
		assertThat(calls("a")).isEmpty();
		this.secrets.start();
		awaitAdvancing(STEP, () -> calls("a").contains(1));
		awaitIdle(registration);
		assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
	}

	@Test
	void noCallBegins_whileAnInformerComparesItsCache() throws Exception {
		ReconcilerRegistration registration = add((options) -> options.owns(this.secrets), (primary, children) -> {
		});
		this.reconcilers.start();
		awaitIdle(registration);
		await().until(() -> this.secrets.state().phase() == Phase.WATCHING);
		CountDownLatch permitted = new CountDownLatch(1);
		this.answers.alter((request) -> request.url().encodedPath().endsWith("/secrets"), (chain) -> {
			try {
				permitted.await();
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			return chain.proceed(chain.request());
		});
		this.kubernetes.faults().cutWatches();
		await().until(() -> this.secrets.state().phase() != Phase.WATCHING);
		primary("a");
		awaitAdvancing(STEP, () -> this.configMaps.lister().get("shop", "a").isPresent());
		await().until(() -> registration.counts().pending() == 1);
		await().until(() -> reasons(registration, "a").contains(Reason.STALE));
		assertThat(calls("a")).isEmpty();
		permitted.countDown();
		awaitAdvancing(STEP, () -> calls("a").size() == 1);
	}

	@Test
	void callsOfANewTerm_seeWhatTheFormerOwnerHasWritten() throws Exception {
		AtomicLong term = new AtomicLong();
		Set<InvocationGate.Follower> followers = ConcurrentHashMap.newKeySet();
		InvocationGate gate = new InvocationGate() {

			@Override
			public void follow(Follower follower) {
				followers.add(follower);
			}

			@Override
			public boolean isOpen() {
				return term.get() > 0;
			}

			@Override
			public long term(Target target) {
				return term.get();
			}

		};
		ReconcilerRegistration registration = add((options) -> options.owns(this.secrets).gate(gate),
				(primary, children) -> {
					if (children.isEmpty()) {
						this.writer.create(child(), primary);
					}
				});
		this.reconcilers.start();
		V1ConfigMap owner = this.writer.create(primaryOf("a"));
		await().until(() -> this.configMaps.hasSynced() && this.configMaps.lister().size() == 1
				&& this.secrets.hasSynced() && this.kubernetes.openWatches("secrets") == 1);
		for (int round = 1; round <= 3; round++) {
			this.kubernetes.faults().stallWatches();
			String child = this.writer.create(child(), owner).getMetadata().getName();
			this.time.advance(ReconcilerOptions.DEFAULT_MIN_INTERVAL);
			term.set(round);
			followers.forEach(InvocationGate.Follower::changed);
			await().until(() -> reasons(registration, "a").contains(Reason.STALE));
			assertThat(calls("a")).isEmpty();
			this.kubernetes.faults().clear();
			this.kubernetes.faults().endWatches();
			awaitAdvancing(STEP, () -> calls("a").size() == 1);
			assertThat(calls("a")).containsExactly(1);
			assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
			term.set(0);
			followers.forEach(InvocationGate.Follower::changed);
			this.kubernetes.delete("secrets", "shop", child);
			await().until(() -> this.secrets.lister().size() == 0);
			this.seen.clear();
		}
	}

	private void awaitIdle(ReconcilerRegistration registration) {
		awaitAdvancing(STEP, () -> registration.awaitIdle(Duration.ZERO));
	}

	/** Wait until a condition is met, and let a time pass before each check. */
	private void awaitAdvancing(Duration step, Callable<Boolean> condition) {
		await().pollInterval(Duration.ofMillis(2)).until(() -> {
			this.time.advance(step);
			return condition.call();
		});
	}

	private List<Integer> calls(String name) {
		return List.copyOf(this.seen.getOrDefault(name, List.of()));
	}

	private ReconcilerRegistration add(Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options, Children method) {
		return this.reconcilers.add(this.configMaps, (primary, context) -> {
			List<V1Secret> children = context.owned(V1Secret.class).list();
			this.seen
				.computeIfAbsent(primary.getMetadata().getName(),
						(any) -> Collections.synchronizedList(new ArrayList<>()))
				.add(children.size());
			method.reconcile(primary, children);
			return null;
		}, options);
	}

	private static List<Reason> reasons(ReconcilerRegistration registration, String name) {
		return registration.diagnose("shop", name).causes().stream().map(Cause::reason).toList();
	}

	private void primary(String name) {
		this.kubernetes.create(primaryOf(name));
	}

	private static V1ConfigMap primaryOf(String name) {
		return new V1ConfigMap().apiVersion("v1")
			.kind("ConfigMap")
			.metadata(new V1ObjectMeta().namespace("shop").name(name));
	}

	private static V1Secret child() {
		return new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("shop").generateName("child-"));
	}

	private interface Children {

		void reconcile(V1ConfigMap primary, List<V1Secret> children) throws Exception;

	}

}

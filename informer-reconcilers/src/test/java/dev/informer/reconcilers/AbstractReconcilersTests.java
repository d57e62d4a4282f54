/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

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
import dev.informer.writer.LateWatches;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;

/**
 * Superclass of tests for {@link Reconcilers} of config maps that own and refer to
 * secrets, in virtual time.
 */
@Timeout(60)
abstract class AbstractReconcilersTests {

	static final Duration LONG = Duration.ofSeconds(30);

	static final RetryPolicy SOON = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(5), 1,
			Duration.ofMillis(5), Duration.ZERO);

	@RegisterExtension
	final CapturedLog log = new CapturedLog();

	final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	final FakeTime time = FakeTime.manual();

	final LateWatches watches = new LateWatches(0);

	final InformerFactory factory = InformerFactory.create(
			() -> this.watches.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()),
			(settings) -> settings.time(this.time));

	final ObjectWriter writer = ObjectWriter.of(this.factory, "tests", (write) -> {
		writes(write);
		write.proceed();
	});

	final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class,
			(options) -> options.namespaces("shop").fieldSelector("metadata.name!=ignored"));

	final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class,
			(options) -> options.labelSelector("hidden!=true"));

	final List<ReconcileCall.Outcome> outcomes = Collections.synchronizedList(new ArrayList<>());

	final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer, (call) -> {
		try {
			call.proceed();
			called();
			this.outcomes.add(ReconcileCall.Outcome.SUCCESS);
		}
		catch (Exception ex) {
			this.outcomes.add(call.reconciler().options().outcome(ex));
			throw ex;
		}
	});

	final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	@BeforeEach
	void createNamespace() {
		this.log.setLevel(Level.WARN);
		create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.kubernetes.faults().clear();
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	/** Run before each write. */
	void writes(ObjectWrite write) {
	}

	/** Run after each call that has succeeded, as a part of it. */
	void called() {
	}

	ReconcilerRegistration add(Reconciler<V1ConfigMap> reconciler) {
		return add(reconciler, (options) -> {
		});
	}

	ReconcilerRegistration add(Reconciler<V1ConfigMap> reconciler,
			Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options) {
		return this.reconcilers.add(this.configMaps, reconciler, options);
	}

	void startSynced() {
		this.reconcilers.start();
		awaitIdle();
	}

	/** Wait, in steps of 10 ms, until the first reconciler is idle. */
	void awaitIdle() {
		awaitIdle(this.reconcilers.registrations().get(0));
	}

	void awaitIdle(ReconcilerRegistration registration) {
		awaitAdvancing(() -> registration.awaitIdle(Duration.ZERO));
	}

	/** Wait until a condition is met, and let 10 ms pass before each check. */
	void awaitAdvancing(Callable<Boolean> condition) {
		await().pollInterval(Duration.ofMillis(2)).until(() -> {
			this.time.advance(Duration.ofMillis(10));
			return condition.call();
		});
	}

	static List<Reason> reasons(ReconcilerRegistration registration, String name) {
		return registration.diagnose("shop", name).causes().stream().map(Cause::reason).toList();
	}

	void create(Object object) {
		this.kubernetes.create(object);
	}

	void change(String name, String value) {
		this.kubernetes.mergePatch("configmaps", "shop", name, Map.of("data", Map.of("key", value)));
	}

	static V1ConfigMap configMap(String name, String value, String... data) {
		Map<String, String> all = new HashMap<>(Map.of("key", value));
		for (int i = 0; i < data.length; i += 2) {
			all.put(data[i], data[i + 1]);
		}
		return TestObjects.configMap("shop", name).data(all);
	}

	static V1Secret child() {
		return new V1Secret().metadata(new V1ObjectMeta().namespace("shop").generateName("child-"));
	}

	static V1Secret secret(String namespace, String name) {
		return new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace(namespace).name(name));
	}

}

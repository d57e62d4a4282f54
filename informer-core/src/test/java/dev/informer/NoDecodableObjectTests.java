/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.CustomResource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.PlainObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the state of informers whose objects can be decoded in no case.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class NoDecodableObjectTests {

	private static final String PLANS = "plans.example.com";

	private static final String PROBLEM = "Cannot read any object of plans.example.com, such as one with: size: "
			+ "expected an integer of 32 bits. Correct the class, its adapters or the transform, or the objects.";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerRecorder recorder = new InformerRecorder();

	private final InformerFactory informers = InformerFactory
		.create(() -> new ApiClient().setBasePath(this.kubernetes.url()),
				(settings) -> settings.addListener(this.recorder)
					.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT)
						.backoff(new BackoffPolicy(Duration.ofMillis(20), 1, Duration.ofMillis(50), Duration.ZERO,
								Duration.ofMinutes(2)))
						.build()));

	private final EventLog<Plan> log = new EventLog<>();

	@BeforeEach
	void define() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "plans", "Plan"));
		for (String namespace : new String[] { "a", "b" }) {
			this.kubernetes.create(TestObjects.namespace(namespace));
		}
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void noObjectIsDecodable_isShownUntilOneIs(boolean streaming) throws Exception {
		create("a", "one", "x");
		create("b", "two", "y");
		SharedIndexInformer<Plan> informer = start((options) -> options.streamingList(streaming).pageSize(1));
		awaitProblem(informer);
		assertThat(informer.lister().list()).isEmpty();
		assertThat(informer.statesByNamespace().get("")).satisfies((state) -> assertThat(state.failure()).isNull());
		create("a", "three", 3);
		awaitNoProblem(informer);
		this.log.awaitStory("ADDED a/three");
		this.kubernetes.delete(PLANS, "a", "three");
		awaitProblem(informer);
		this.kubernetes.mergePatch(PLANS, "a", "one", Map.of("size", 1));
		awaitNoProblem(informer);
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.UNDECODABLE_OBJECT);
	}

	@Test
	void noObjectIsLeft_isNotShown() throws Exception {
		SharedIndexInformer<Plan> informer = start((options) -> {
		});
		awaitNoProblem(informer);
		create("a", "one", "x");
		awaitProblem(informer);
		this.kubernetes.delete(PLANS, "a", "one");
		awaitNoProblem(informer);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oneOfTheObjectsIsDecodable_isNotShown(boolean namespaces) throws Exception {
		create("a", "one", "x");
		create("b", "two", 2);
		SharedIndexInformer<Plan> informer = start((options) -> {
			options.streamingList(false).pageSize(1);
			if (namespaces) {
				options.namespaces("a", "b");
			}
		});
		await().untilAsserted(() -> assertThat(this.recorder.failureKinds()).containsOnly(Kind.UNDECODABLE_OBJECT));
		awaitNoProblem(informer);
		this.kubernetes.delete(PLANS, "b", "two");
		awaitProblem(informer);
	}

	@Test
	void objectBecomesUndecodable_isShownAlthoughItsLastStateIsKept() throws Exception {
		create("a", "one", 1);
		SharedIndexInformer<Plan> informer = start((options) -> {
		});
		awaitNoProblem(informer);
		this.kubernetes.mergePatch(PLANS, "a", "one", Map.of("size", "x"));
		awaitProblem(informer);
		assertThat(informer.lister().keys()).containsExactly("a/one");
		informer.relist();
		await().untilAsserted(() -> assertThat(this.recorder.relists()).isNotEmpty());
		awaitProblem(informer);
		this.kubernetes.mergePatch(PLANS, "a", "one", Map.of("size", 2));
		awaitNoProblem(informer);
	}

	@Test
	void transformFailsForAllObjects_isShown() throws Exception {
		create("a", "one", 1);
		SharedIndexInformer<Plan> informer = this.informers.informer(Plan.class);
		informer.setTransform((plan) -> {
			throw new IllegalStateException("no");
		});
		informer.start();
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		await().untilAsserted(() -> assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message())
				.contains("its transform failed: java.lang.IllegalStateException")));
	}

	@Test
	void noObjectHasReadableName_isShown() throws Exception {
		create("a", "one", 1);
		this.kubernetes.faults().always(Verb.LIST, PLANS, Fault.replaced("\"name\":\"one\"", "\"name\":\"\""));
		SharedIndexInformer<Plan> informer = start((options) -> options.streamingList(false));
		await().untilAsserted(() -> assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message()).contains("metadata.name: expected a name")));
		this.kubernetes.faults().clear();
		informer.relist();
		awaitNoProblem(informer);
		await().untilAsserted(() -> assertThat(informer.lister().keys()).containsExactly("a/one"));
	}

	@Test
	void handler_isDiagnosed() throws Exception {
		create("a", "one", "x");
		SharedIndexInformer<Plan> informer = start((options) -> {
		});
		awaitProblem(informer);
		assertThat(informer.handlers().get(0).diagnose().causes())
			.anySatisfy((cause) -> assertThat(cause.reason()).isEqualTo(HandlerDiagnosis.Reason.UNDECODABLE))
			.noneSatisfy((cause) -> assertThat(cause.reason()).isEqualTo(HandlerDiagnosis.Reason.INFORMER_STALE));
	}

	private SharedIndexInformer<Plan> start(Consumer<InformerOptions.Builder> options) throws InterruptedException {
		SharedIndexInformer<Plan> informer = this.informers.informer(Plan.class, options);
		informer.addHandler(this.log);
		informer.start();
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		return informer;
	}

	private static void awaitProblem(SharedIndexInformer<?> informer) {
		await().untilAsserted(() -> {
			InformerState state = informer.state();
			assertThat(state.phase()).isEqualTo(Phase.WATCHING);
			assertThat(state.failingSince()).isNull();
			assertThat(state.failure()).isNotNull().satisfies((failure) -> {
				assertThat(failure.kind()).isEqualTo(Kind.UNDECODABLE_OBJECT);
				assertThat(failure.message()).isEqualTo(PROBLEM);
			});
		});
	}

	private static void awaitNoProblem(SharedIndexInformer<?> informer) {
		await().untilAsserted(() -> {
			assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
			assertThat(informer.queueDepth()).isZero();
			assertThat(informer.state().failure()).isNull();
		});
	}

	private void create(String namespace, String name, Object size) {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Plan", "metadata",
				Map.of("namespace", namespace, "name", name), "size", size));
	}

	@CustomResource(group = "example.com", version = "v1", plural = "plans")
	static class Plan extends PlainObject {

		private @Nullable Integer size;

	}

}

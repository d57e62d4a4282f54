/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.InformerFactory;
import dev.informer.RetryLaterException;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcileCall;
import dev.informer.reconcilers.ReconcileInterceptor;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWrite.Outcome;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.WriteInterceptor;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Compares what the documentation says of meters with the meters.
 */
class MetersPageTests {

	private static final Page PAGE = Page.of("docs/observability.md");

	private static final String ANY = "shop";

	/**
	 * Values that this test has made, of tags that can have any.
	 */
	private static final Set<String> FREE = Set.of(ANY, "*", "none", "reconciler-" + ANY,
			IllegalStateException.class.getSimpleName(), ObjectWriteException.class.getSimpleName(),
			RetryLaterException.class.getSimpleName());

	private static final Set<String> ON_ALL = Set.of("informer", "resource", "group", "version");

	private static final String ELECTION = "election";

	private static final String OF_ELECTIONS = "The meters of [leader elections](replicas.md) have the tag `election` instead:";

	private static final String OF_GROUPS = "Those of a [group of replicas](replicas.md#dividing-objects-between-replicas) have the tag `group`:";

	private static final String RECONCILER = "reconciler";

	private static final String OF_RECONCILERS = "The meters of [reconcilers](controllers.md) have the tag `reconciler` instead:";

	private static final String OF_WRITES = "That of writes by the `ObjectWriter` has the tags `resource` and `group` only:";

	private static final String OF_CONNECTION = "Those of the connection and of the `EventRecorder` have none of these tags:";

	private static final Pattern IN_PROMETHEUS = Pattern.compile("kubernetes_informer_[a-z_]+");

	private static final String SUFFIX = "(_objects|_changes|_invocations)?(_events)?(_seconds)?(_total|_count|_sum|_max|_bucket)?";

	private final MeterRegistry meters = new SimpleMeterRegistry();

	@BeforeEach
	void measureEverything() {
		TestInformerFactory factory = new TestInformerFactory();
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, InformerReplicasAutoConfiguration.class,
							KubernetesConnectionAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
			.withBean(InformerFactory.class, () -> factory)
			.withBean(MeterRegistry.class, () -> this.meters)
			.withPropertyValues("informer.resources.pods.required=true", "informer.auto-startup=false")
			.withPropertyValues("informer.leader.enabled=true", "informer.leader.lease-name=shop",
					"informer.leader.lease-namespace=shop")
			.withPropertyValues("informer.sharding.enabled=true", "informer.sharding.group=shop",
					"informer.sharding.lease-namespace=shop")
			.run((context) -> {
				SharedIndexInformer<?> informer = context.getBean(SharedIndexInformer.class);
				informer.addHandler((event) -> {
				}, (options) -> options.name(ANY));
				new ListenerCalls(informer, ANY).make(factory.listener());
				Leadership leadership = context.getBean(Leadership.class);
				Sharding sharding = context.getBean(Sharding.class);
				context.getBeanProvider(ReplicaListener.class).forEach((listener) -> {
					listener.onEvent(new Requested(leadership, Duration.ZERO, true));
					listener.onEvent(new Requested(leadership, Duration.ZERO, false));
					listener.onEvent(new Requested(sharding, Duration.ZERO, true));
					listener.onEvent(new Requested(sharding, Duration.ZERO, false));
				});
				write(context.getBean(WriteInterceptor.class));
				reconcile(
						context.getBean(Reconcilers.class)
							.add(informer, (primary, call) -> null, (options) -> options.name(ANY)),
						context.getBean(ReconcileInterceptor.class));
			});
	}

	private static void reconcile(ReconcilerRegistration registration, ReconcileInterceptor interceptor)
			throws Exception {
		ReconcileCall call = mock(ReconcileCall.class);
		given(call.reconciler()).willReturn(registration);
		given(call.held()).willReturn(Duration.ofSeconds(1));
		ObjectWriteException conflict = new ObjectWriteException(409, "for the test");
		for (boolean cleanup : List.of(true, false)) {
			given(call.cleanup()).willReturn(cleanup);
			willDoNothing().given(call).proceed();
			interceptor.intercept(call);
			for (Exception failure : List.of(conflict, new RetryLaterException(ANY), new IllegalStateException(ANY))) {
				willThrow(failure).given(call).proceed();
				assertThatExceptionOfType(Exception.class).isThrownBy(() -> interceptor.intercept(call));
			}
		}
	}

	private static void write(WriteInterceptor interceptor) throws ObjectWriteException {
		for (Operation operation : Operation.values()) {
			ObjectWrite write = mock(ObjectWrite.class);
			given(write.operation()).willReturn(operation);
			given(write.resourceType()).willAnswer((invocation) -> ResourceType.of(V1Pod.class));
			for (Outcome outcome : Outcome.values()) {
				willReturn(outcome).given(write).proceed();
				interceptor.intercept(write);
			}
			for (int code : List.of(0, 403, 409, 429)) {
				refuse(interceptor, write, code, false);
			}
			refuse(interceptor, write, 409, true);
		}
	}

	private static void refuse(WriteInterceptor interceptor, ObjectWrite write, int code, boolean notOwned)
			throws ObjectWriteException {
		ObjectWriteException failure = mock(ObjectWriteException.class);
		given(failure.getCode()).willReturn(code);
		given(failure.isNotOwned()).willReturn(notOwned);
		willThrow(failure).given(write).proceed();
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> interceptor.intercept(write));
	}

	@Test
	void meterTables_containAllMetersAndTags() {
		Map<String, String> documented = new TreeMap<>();
		Stream.of("## Metrics", OF_RECONCILERS, OF_ELECTIONS, OF_GROUPS, OF_WRITES, OF_CONNECTION)
			.flatMap((line) -> PAGE.table(line).stream())
			.forEach((row) -> documented.put(code(row.get(0)), row.get(1) + ": " + row.get(2)));
		Map<String, String> actual = new TreeMap<>();
		this.meters.getMeters()
			.stream()
			.collect(Collectors.groupingBy((meter) -> meter.getId().getName()))
			.forEach((name, meters) -> actual.put(name, type(meters.get(0)) + ": " + tags(meters)));
		assertThat(actual).as("meters that differ from the tables in %s", PAGE).isEqualTo(documented);
	}

	@Test
	void meters_haveDescriptionAndNoTagOfTargets() {
		assertThat(this.meters.getMeters()).allSatisfy((meter) -> {
			assertThat(meter.getId().getDescription()).as(meter.getId().getName()).isNotBlank();
			assertThat(meter.getId().getTags()).extracting(Tag::getKey)
				.doesNotContain("namespace", "pod", "job", "instance", "application", "container", "service", "node");
		});
	}

	@Test
	void commonTags_matchPage() {
		assertThat(PAGE.text()).contains("All have the tags `informer`, `resource`, `group`");
		assertThat(this.meters.getMeters()).allSatisfy(
				(meter) -> assertThat(meter.getId().getTags()).extracting(Tag::getKey).containsAll(commonTags(meter)));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyPrometheusMetricOnPage_exists(Page page) {
		String names = this.meters.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName().replace('.', '_'))
			.distinct()
			.collect(Collectors.joining("|", "(", ")"));
		assertThat(IN_PROMETHEUS.matcher(page.text()).results().map((match) -> match.group()))
			.allMatch((name) -> name.matches(names + SUFFIX));
	}

	static Stream<Page> pages() {
		return Page.all().stream();
	}

	private static Set<String> commonTags(Meter meter) {
		String name = meter.getId().getName();
		if (name.startsWith("kubernetes.informer.leader")) {
			return Set.of(ELECTION);
		}
		if (name.startsWith("kubernetes.informer.reconciler")) {
			return Set.of(RECONCILER);
		}
		if (name.startsWith("kubernetes.informer.credentials") || name.startsWith("kubernetes.informer.recorder")) {
			return Set.of();
		}
		if (name.equals("kubernetes.informer.writes")) {
			return Set.of("resource", "group");
		}
		return name.startsWith("kubernetes.informer.sharding") ? Set.of("group") : ON_ALL;
	}

	private static String type(Meter meter) {
		return meter.getId().getType().name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The tags of a meter beside the common ones, with their values where there is a
	 * fixed set of them.
	 */
	private static String tags(List<Meter> meters) {
		Map<String, Set<String>> values = new TreeMap<>();
		meters.stream()
			.flatMap((meter) -> meter.getId().getTags().stream())
			.filter((tag) -> !ON_ALL.contains(tag.getKey()) && !Set.of(ELECTION, RECONCILER).contains(tag.getKey()))
			.forEach((tag) -> values.computeIfAbsent(tag.getKey(), (key) -> new TreeSet<>()).add(tag.getValue()));
		return values.entrySet()
			.stream()
			.map((entry) -> "`" + entry.getKey() + "`"
					+ (FREE.containsAll(entry.getValue()) ? "" : " " + String.join(", ", entry.getValue())))
			.collect(Collectors.joining("; "));
	}

	private static String code(String cell) {
		assertThat(cell).startsWith("`").endsWith("`");
		return Arrays.stream(cell.split("`")).filter((part) -> !part.isEmpty()).findFirst().orElseThrow();
	}

}

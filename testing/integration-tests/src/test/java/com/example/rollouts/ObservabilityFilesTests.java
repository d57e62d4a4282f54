/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.client.ResourceType;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWrite.Outcome;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.WriteInterceptor;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests that the dashboard and the alerts in {@code docs/observability} use existing
 * metrics and labels, and that the dashboard uses every meter of informers. The sample
 * application takes part in a leader election and in a group of replicas here, and has a
 * reconciler, so that their meters exist.
 */
@EmbeddedClusterTest
@TestPropertySource(properties = { "management.prometheus.metrics.export.enabled=true", "informer.leader.enabled=true",
		"informer.sharding.enabled=true" })
class ObservabilityFilesTests {

	private static final Path FOLDER = Path.of("../../docs/observability");

	private static final Pattern DASHBOARD_LABEL = Pattern.compile("\\{\\{\\s*([a-z_]+)\\s*\\}\\}");

	private static final Pattern ALERT_LABEL = Pattern.compile("\\$labels\\.([a-z_]+)");

	private static final String PREFIX = "kubernetes_informer_";

	private final Shop shop = new Shop("observed");

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private InformerRegistry informers;

	@Autowired
	private RestTestClient client;

	@Autowired
	private WriteInterceptor writes;

	@Test
	void dashboardAndAlerts_useExistingMetrics() throws IOException {
		Scrape scrape = scrapeBusyApplication();
		List<Query> queries = queries();
		assertThat(queries).hasSizeGreaterThan(20)
			.allSatisfy((query) -> assertThat(query.missing(scrape)).as(query.text()).isEmpty());
	}

	@Test
	void everyMeterOfInformers_isInDashboard() throws IOException {
		Scrape scrape = scrapeBusyApplication();
		Set<String> used = new TreeSet<>();
		dashboard().forEach((query) -> query.parsed().selectors().forEach((selector) -> used.add(selector.metric())));
		assertThat(scrape.families()).filteredOn((family) -> family.startsWith(PREFIX))
			.hasSizeGreaterThan(12)
			.allSatisfy((family) -> assertThat(used).anyMatch((metric) -> metric.startsWith(family)));
	}

	@Test
	void everyMeter_isDescribed_andHandlersHaveBuckets() {
		Scrape scrape = scrapeBusyApplication();
		assertThat(scrape.described())
			.containsAll(scrape.families().stream().filter((family) -> family.startsWith(PREFIX)).toList());
		assertThat(scrape.series()).containsKeys(PREFIX + "delivery_lag_seconds_bucket",
				PREFIX + "handler_calls_seconds_bucket");
	}

	@Test
	void unknownNames_areReported() {
		Scrape scrape = scrapeBusyApplication();
		assertThat(missing(scrape, "max by (informer) (kubernetes_informer_store_size_objects)")).isEmpty();
		assertThat(missing(scrape, "max by (informer) (kubernetes_informer_store_sizes)"))
			.containsExactly("unknown metric kubernetes_informer_store_sizes");
		assertThat(missing(scrape, "max by (handler) (kubernetes_informer_store_size_objects)"))
			.containsExactly("kubernetes_informer_store_size_objects has no label handler");
		assertThat(missing(scrape, "rate(kubernetes_informer_errors_total{kind=\"undecodable\"}[5m]) > 0"))
			.singleElement()
			.asString()
			.contains("undecodable");
		assertThat(missing(scrape,
				"kubernetes_informer_synced == 0 unless ignoring (watched_names) kubernetes_informer_idle == 1"))
			.containsExactly("kubernetes_informer_idle has no label watched_names");
		assertThat(missing(scrape,
				"kubernetes_informer_synced == 0 unless on (watched_namespace) kubernetes_informer_idle == 1"))
			.containsExactly("kubernetes_informer_synced has no label watched_namespace");
		assertThat(missing(scrape,
				"kubernetes_informer_leader == 1 and on (names) sum by (names) (kubernetes_informer_leader) > 1"))
			.hasSize(2)
			.containsOnly("kubernetes_informer_leader has no label names");
		assertThat(missing(scrape, "kubernetes_informer_synced{names=~\"$informer\"} == 0")).hasSize(1);
		assertThatIllegalArgumentException().isThrownBy(() -> PromQuery.parse("rates(kubernetes_informer_synced[5m])"));
		assertThatIllegalArgumentException().isThrownBy(() -> PromQuery.parse("kubernetes_informer_synced ?"));
	}

	private static List<String> missing(Scrape scrape, String query) {
		return new Query(query, Set.of()).missing(scrape);
	}

	private Scrape scrapeBusyApplication() {
		if (this.kubernetes.get("namespaces", null, this.shop.namespace()).isEmpty()) {
			this.kubernetes.create(this.shop.object());
			this.kubernetes.create(this.shop.deployment("web", 1));
		}
		this.kubernetes.faults().next(1, Verb.LIST, "pods", Fault.status(503));
		this.informers.informers().forEach((informer) -> informer.relist());
		write();
		this.kubernetes.faults().endWatches();
		List<Scrape> scrapes = new ArrayList<>();
		await().untilAsserted(() -> {
			Scrape scrape = scrape();
			assertThat(scrape.series()).containsKeys(PREFIX + "watches_total", PREFIX + "relists_total",
					PREFIX + "delivery_lag_seconds_count", PREFIX + "handler_calls_seconds_count",
					PREFIX + "reconciler_calls_seconds_count", PREFIX + "leader_renewals_seconds_count",
					PREFIX + "sharding_renewals_seconds_count");
			assertThat(missing(scrape, PREFIX + "errors_total{kind=\"overloaded\"}")).isEmpty();
			scrapes.add(scrape);
		});
		return scrapes.get(0);
	}

	private void write() {
		ObjectWrite write = mock(ObjectWrite.class);
		given(write.operation()).willReturn(Operation.APPLY);
		given(write.resourceType()).willAnswer((invocation) -> ResourceType.of(V1ConfigMap.class));
		try {
			for (Outcome outcome : Outcome.values()) {
				willReturn(outcome).given(write).proceed();
				this.writes.intercept(write);
			}
			for (int code : List.of(403, 409, 429, 500)) {
				willThrow(new ObjectWriteException(code, "for the test")).given(write).proceed();
				assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writes.intercept(write));
			}
		}
		catch (ObjectWriteException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Scrape scrape() {
		String text = this.client.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		return Scrape.parse(Objects.requireNonNull(text));
	}

	private static List<Query> queries() throws IOException {
		List<Query> queries = new ArrayList<>(dashboard());
		queries.addAll(alerts());
		return queries;
	}

	private static List<Query> dashboard() throws IOException {
		JsonNode dashboard = JsonMapper.builder()
			.build()
			.readTree(Files.readString(FOLDER.resolve("grafana-dashboard.json")));
		List<Query> queries = new ArrayList<>();
		dashboard.path("panels")
			.forEach((panel) -> panel.path("targets")
				.forEach((target) -> queries.add(new Query(target.path("expr").asString(),
						labels(DASHBOARD_LABEL, target.path("legendFormat").asString())))));
		dashboard.path("templating")
			.path("list")
			.forEach((variable) -> variable.path("query")
				.path("query")
				.asStringOpt()
				.ifPresent((text) -> queries.add(new Query(text, Set.of()))));
		return queries;
	}

	private static List<Query> alerts() throws IOException {
		Object file = new Yaml().load(Files.readString(FOLDER.resolve("prometheus-rules.yaml")));
		List<Query> queries = new ArrayList<>();
		for (JsonNode group : JsonMapper.builder().build().<JsonNode>valueToTree(file).path("groups")) {
			for (JsonNode rule : group.path("rules")) {
				assertThat(rule.propertyNames()).contains("alert", "expr", "labels", "annotations");
				queries.add(new Query(rule.path("expr").asString(),
						labels(ALERT_LABEL, rule.path("annotations").toString())));
			}
		}
		return queries;
	}

	private static Set<String> labels(Pattern pattern, String text) {
		Set<String> labels = new TreeSet<>();
		Matcher matcher = pattern.matcher(text);
		while (matcher.find()) {
			labels.add(matcher.group(1));
		}
		return labels;
	}

	/**
	 * Query of one of the files.
	 *
	 * @param text the query
	 * @param labels the labels of its result that are displayed
	 */
	private record Query(String text, Set<String> labels) {

		PromQuery parsed() {
			return PromQuery.parse(this.text);
		}

		List<String> missing(Scrape scrape) {
			PromQuery query = parsed();
			List<String> missing = new ArrayList<>(scrape.missing(query, this.labels));
			if (!query.labels().isEmpty()) {
				this.labels.stream()
					.filter((label) -> !query.labels().contains(label))
					.forEach((label) -> missing.add("the result has no label " + label));
			}
			return missing;
		}

	}

	/**
	 * Reconciler, so that the meters of reconcilers exist.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class Observed {

		@InformerReconciler(id = "observed")
		void reconcile(V1Deployment deployment) {
		}

	}

}

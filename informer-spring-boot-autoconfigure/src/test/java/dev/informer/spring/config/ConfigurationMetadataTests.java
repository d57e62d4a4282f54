/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import dev.informer.BackoffPolicy;
import dev.informer.Encoding;
import dev.informer.InformerOptions;
import dev.informer.MutationDetection;
import dev.informer.RetryPolicy;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.shard.SlotKey;
import dev.informer.spring.config.InformerProperties.Defaults;
import dev.informer.spring.config.InformerProperties.OnTimeout;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata of the properties, from which an IDE completes them.
 */
class ConfigurationMetadataTests {

	/** Connections have none: what is left out is looked for elsewhere. */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("informer.connection.ca-certificate",
			"informer.connection.context", "informer.connection.kubeconfig", "informer.connection.namespace",
			"informer.connection.proxy", "informer.connection.ssl.bundle", "informer.connection.token",
			"informer.connection.token-file", "informer.connection.url", "informer.resources", "informer.handlers",
			"informer.reconcilers", "informer.defaults.reconciler.leader", "informer.defaults.reconciler.leader-only",
			"informer.defaults.reconciler.conflict-exceptions", "informer.health.stuck-handler-threshold",
			"informer.leader.elections", "informer.leader.lease-name", "informer.leader.lease-namespace",
			"informer.sharding.group", "informer.sharding.identity", "informer.sharding.lease-namespace",
			"informer.writer.field-manager", "informer.writer.writes");

	private JsonNode metadata;

	@BeforeEach
	void read() throws IOException {
		this.metadata = JsonMapper.builder()
			.build()
			.readTree(new ClassPathResource("META-INF/spring-configuration-metadata.json")
				.getContentAsString(StandardCharsets.UTF_8));
	}

	@Test
	void everyProperty_hasItsDefault() {
		assertThat(this.metadata.path("properties")).extracting((property) -> property.path("name").asString())
			.containsAll(WITHOUT_DEFAULT);
		assertThat(this.metadata.path("properties"))
			.filteredOn((property) -> !WITHOUT_DEFAULT.contains(property.path("name").asString()))
			.isNotEmpty()
			.allSatisfy((property) -> assertThat(property.has("defaultValue")).as(property.path("name").asString())
				.isTrue());
	}

	@Test
	void defaultsOfInformers_areCoreDefaults() {
		MockEnvironment environment = new MockEnvironment();
		this.metadata.path("properties")
			.valueStream()
			.filter((property) -> property.path("name").asString().startsWith("informer.defaults."))
			.forEach((property) -> environment.setProperty(property.path("name").asString(),
					property.path("defaultValue").asString()));
		Defaults defaults = Binder.get(environment).bind("informer.defaults", Defaults.class).get();
		InformerOptions.Builder builder = new InformerOptions.Builder(
				new InformerOptions.Builder(InformerOptions.DEFAULT).pageSize(1)
					.managedFields(true)
					.shareValues(false)
					.backoff(new BackoffPolicy(Duration.ofSeconds(1), 1, Duration.ofSeconds(1), Duration.ZERO,
							Duration.ZERO))
					.build());
		defaults.applyTo(builder);
		assertThat(builder.build()).isEqualTo(InformerOptions.DEFAULT);
		ReconcilerOptions.Builder<V1Pod> reconciler = new ReconcilerOptions.Builder<V1Pod>("shop").concurrency(1)
			.minInterval(Duration.ZERO)
			.timeout(Duration.ofSeconds(1))
			.paused(true)
			.retry(RetryPolicy.DEFAULT);
		defaults.reconciler().applyTo(reconciler);
		assertThat(reconciler.build()).isEqualTo(new ReconcilerOptions.Builder<V1Pod>("shop").build());
	}

	@Test
	void informerKeys_haveOfficialResourcesAsHints() {
		Map<String, String> offered = values("informer.resources.keys");
		Map<String, ResourceType<?>> official = ResourceType.official();
		assertThat(offered.keySet())
			.containsExactlyInAnyOrderElementsOf(official.keySet().stream().filter(Names::isSimple).toList());
		assertThat(offered).allSatisfy((name, description) -> assertThat(description)
			.startsWith(Objects.requireNonNull(official.get(name)).type().getSimpleName() + " of the "));
		assertThat(hint("informer.resources.keys").path("providers").path(0).path("name").asString()).isEqualTo("any");
	}

	@Test
	void enumValues_areHints() {
		assertThat(values("informer.startup.on-timeout").keySet()).isEqualTo(dashed(OnTimeout.values()));
		assertThat(values("informer.defaults.mutation-detection").keySet())
			.isEqualTo(dashed(MutationDetection.values()));
		assertThat(values("informer.sharding.by").keySet()).isEqualTo(dashed(SlotKey.values()));
		assertThat(values("informer.defaults.encoding").keySet()).isEqualTo(dashed(Encoding.values()));
	}

	@Test
	void everyHint_refersToPropertyAndIsDescribed() {
		List<String> names = this.metadata.path("properties")
			.valueStream()
			.map((property) -> property.path("name").asString())
			.toList();
		assertThat(this.metadata.path("hints")).isNotEmpty().allSatisfy((hint) -> {
			String name = hint.path("name").asString();
			assertThat(names).contains(name.endsWith(".keys") ? name.substring(0, name.lastIndexOf('.')) : name);
			assertThat(hint.path("values"))
				.allSatisfy((value) -> assertThat(value.path("description").asString("")).endsWith("."));
		});
	}

	private Map<String, String> values(String hint) {
		return hint(hint).path("values")
			.valueStream()
			.collect(Collectors.toMap((value) -> value.path("value").asString(),
					(value) -> value.path("description").asString()));
	}

	private JsonNode hint(String name) {
		return this.metadata.path("hints")
			.valueStream()
			.filter((hint) -> hint.path("name").asString().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static Set<String> dashed(Enum<?>[] values) {
		return List.of(values)
			.stream()
			.map((value) -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.toSet());
	}

}

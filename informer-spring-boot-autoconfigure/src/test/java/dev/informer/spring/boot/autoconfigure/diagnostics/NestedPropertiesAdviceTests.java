/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about values in place of nested properties.
 */
@Timeout(120)
class NestedPropertiesAdviceTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url())
		.withBean("audit", Audit.class);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			informer                           | pods
			informer.resources                 | pods
			informer.resources.pods            | shop
			informer.resources.pods.shard      | uid
			informer.resources.pods.handler    | keep-all
			informer.handlers                  | audit
			informer.handlers.audit            | keep-all
			informer.handlers.audit.retry      | 3
			informer.startup                   | 30s
			informer.defaults                  | json
			informer.defaults.backoff          | 1s
			informer.connection                | prod
			informer.health                    | 1m
			informer.leader                    | true
			informer.leader.elections          | mails
			informer.leader.elections.mails    | true
			informer.sharding                  | true
			informer.writer                    | shop
			informer.writer.writes             | pods
			informer.writer.writes.pods        | patch
			""")
	void valueInPlaceOfNestedProperties(String key, String value) {
		Advice advice = Advice.of(this.runner.withPropertyValues(key + "=" + value));
		assertThat(advice.description()).contains("- " + key + " (");
		assertThat(advice.action()).containsAnyOf("'" + key + "' takes no value. Set one of its nested properties: [",
				"'" + key + "' takes no value. Set properties below '" + key + ".<name>'");
	}

	@Test
	void valueInPlaceOfNestedProperties_besideThem() {
		ApplicationContextRunner several = this.runner.withPropertyValues("informer.startup=30s",
				"informer.startup.timeout=10s");
		Advice advice = Advice.of(several);
		assertThat(advice.texts("nested properties: \\[(.*)]"))
			.containsExactly("await-handlers, deliver-after-sync, on-timeout, timeout");
	}

	@ParameterizedTest
	@ValueSource(strings = { "informer", "informer.resources", "informer.resources.pods",
			"informer.resources.pods.shard", "informer.handlers", "informer.handlers.audit", "informer.startup",
			"informer.leader", "informer.leader.elections.mails", "informer.writer", "informer.writer.writes" })
	void keyWithoutContent_isPermitted(String key) {
		this.runner.withPropertyValues(key + "=").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).hasSynced()).isTrue();
		});
	}

	@Test
	void keyWithoutContent_besideNestedProperties() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.startup=", "informer.startup.timeout=10s"));
		assertThat(advice.action()).contains("'informer.startup' takes no value");
	}

	static class Audit {

		@InformerHandler(id = "audit")
		void handle(V1Pod pod) {
		}

	}

}
